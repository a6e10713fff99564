import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { StorageError } from '../errors.js';
import { O_APPEND, O_RDWR, isSame, leadsTo, look, open, orElse, readFd, windows, write } from './files.js';
import { lock, unlock } from './lock.js';

/** @typedef {fs.BigIntStats} Stat */

/**
 * One log in the hands of its only writer. While the claim is fit, the log's name leads to the open file, and that is as
 * long as the claim believes; everything is refused to a claim that is unfit.
 */
export class Claim {
  #file;
  #name;
  /** @type {string | undefined} Somebody else changed the log; says how. */
  #moved;

  /** @param {string} file @param {number} fd @param {Stat} stat @param {Extent} extent */
  constructor(file, fd, stat, extent) {
    this.#file = file;
    this.#name = path.basename(file);
    this.fd = fd;
    /** Tells this file from every other while it is open. */
    this.stat = stat;
    this.extent = extent;
  }

  /** Becomes the writer of a log that exists. @param {string} file */
  static take(file) {
    for (;;) {
      const { fd, stat } = open(file, O_RDWR | O_APPEND);
      const isLog = orElse(() => {
        lock(fd, path.basename(file), stat);
        // Before this writer got the lock, another may have removed the log and made it anew.
        return leadsTo(file, stat);
      }, () => fs.closeSync(fd));
      if (isLog) {
        return new Claim(file, fd, stat, new Extent(Number(stat.size), 0));
      }
      fs.closeSync(fd);
    }
  }

  /** Whether the log's name still leads to the file that is held. */
  isCurrent() {
    return leadsTo(this.#file, this.stat);
  }

  /** Makes the claim fit again and takes the log as it stands. */
  renew() {
    if (!this.isCurrent()) {
      throw this.#moveAway('it was removed or replaced');
    }
    const stat = fs.fstatSync(this.fd, { bigint: true });
    this.#moved = undefined;
    this.extent.believe(Number(stat.size));
    this.#makeFit();
    return stat;
  }

  /** Adds bytes at the end, which must be `at`, in one write. @param {number} at @param {Uint8Array} content */
  append(at, content) {
    this.#makeFit();
    if (at !== this.extent.length) {
      throw this.#moveAway(`it has ${this.extent.length} bytes where ${at} were expected`);
    }
    this.#expectLength();
    try {
      write(this.fd, content);
    } catch (error) {
      this.#rollBack(at, content);
      throw error;
    }
    this.extent.grow(content);
    try {
      this.#expectLength();
    } catch (error) {
      throw error instanceof StorageError ? error
        : this.#loseSight(`it was written at byte ${at} and could not be looked at then: ${error}`);
    }
  }

  /** Makes every byte of the log durable, also those that an earlier holder wrote. */
  sync() {
    this.#makeFit();
    try {
      fs.fdatasyncSync(this.fd);
    } catch (error) {
      this.extent.syncFailed = true;
      throw error;
    }
    this.extent = new Extent(this.extent.length);
    // What was synced must be the log, and not a file that was it once.
    this.#expectLength();
  }

  /** Its length, if this claim is fit. */
  look() {
    this.#makeFit();
    this.#expectLength();
    return this.extent.length;
  }

  /** Drops all bytes from `at` on, durably. @param {number} at */
  cut(at) {
    this.look();
    fs.ftruncateSync(this.fd, at);
    this.extent.believe(at);
    try {
      this.sync();
    } catch (error) {
      throw new StorageError('outcome-unknown', `\`${this.#name}\` was cut at byte ${at}, perhaps not durably: ${error}`);
    }
  }

  /** Gives the lock back. */
  close() {
    unlock(this.fd);
  }

  #makeFit() {
    if (this.#moved !== undefined) {
      throw new StorageError('moved', this.#moved);
    }
    if (this.extent.syncFailed) {
      this.#writeAgain();
    }
  }

  /** Makes sure that the log's name still leads to this file, and that it is as long as believed. */
  #expectLength() {
    const found = look(this.#file);
    if (!found) {
      throw this.#moveAway('it was removed');
    }
    if (!isSame(found, this.stat)) {
      throw this.#moveAway('it was replaced by another file');
    }
    if (Number(found.size) !== this.extent.length) {
      throw this.#moveAway(`it has ${found.size} bytes where ${this.extent.length} were expected`);
    }
  }

  /** @param {string} how */
  #moveAway(how) {
    this.#moved = `\`${this.#name}\`: ${how}`;
    return new StorageError('moved', this.#moved);
  }

  /** Bytes may stand in the log that are not accounted for: all is refused until it was looked at afresh. @param {string} why */
  #loseSight(why) {
    this.#moved = `\`${this.#name}\`: ${why}`;
    return new StorageError('outcome-unknown', this.#moved);
  }

  /** After a failed write: cuts off what was written of it, unless somebody else's bytes stand there too. @param {number} at @param {Uint8Array} content */
  #rollBack(at, content) {
    let ours;
    try {
      const written = Number(fs.fstatSync(this.fd, { bigint: true }).size) - at;
      ours = written >= 0 && written <= content.length && readFd(this.fd, at, written).equals(content.subarray(0, written));
      if (ours && written > 0) {
        fs.ftruncateSync(this.fd, at);
      }
    } catch (error) {
      throw this.#loseSight(`writing at byte ${at} failed and can't be undone: ${error}`);
    }
    if (!ours) {
      throw this.#loseSight(`writing at byte ${at} failed, and somebody else wrote there too`);
    }
  }

  /**
   * After a failed sync the kernel may take bytes for clean that never reached the disk. Puts the same bytes in their
   * place once more, so that there is something to sync.
   */
  #writeAgain() {
    this.#expectLength();
    const { synced, known, length } = this.extent;
    // Not the file that is held: opened for appending, it would write at its end whatever place is named.
    const { fd } = open(this.#file, O_RDWR);
    let found;
    try {
      overwrite(fd, synced, known);
      found = overwrite(fd, known, length);
      fs.fdatasyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    const intact = found === this.extent.checksum;
    this.extent = new Extent(length);
    if (!intact) {
      throw this.#loseSight('a failed sync lost bytes that were written before');
    }
    this.#expectLength();
  }
}

/** Writes a stretch over itself; answers the checksum of its bytes. @param {number} fd @param {number} from @param {number} to */
function overwrite(fd, from, to) {
  let [at, checksum] = [from, 0];
  for (const bytes of windows(fd, from, to)) {
    write(fd, bytes, at);
    at += bytes.length;
    checksum = crc32(bytes, checksum);
  }
  return checksum;
}

/**
 * How far a log reaches, and how far it is safe: the bytes up to `synced` would survive a loss of power. Of those from
 * `known` on, which this holder wrote, the checksum is kept: where a sync fails, the kernel may read back something else.
 */
export class Extent {
  syncFailed = false;
  checksum = 0;

  /** @param {number} length @param {number} synced */
  constructor(length, synced = length) {
    this.synced = synced;
    this.known = length;
    this.length = length;
  }

  /** @param {Uint8Array} content */
  grow(content) {
    this.length += content.length;
    this.checksum = crc32(content, this.checksum);
  }

  /** Takes a length for true that this holder's own writing does not amount to. @param {number} length */
  believe(length) {
    if (length !== this.length) {
      this.synced = Math.min(this.synced, length);
      this.known = this.length = length;
      this.checksum = 0;
    }
  }
}
