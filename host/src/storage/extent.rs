//! How far a log reaches, and how far it is safe.

/// The bytes up to `synced` would survive a loss of power. Of those from `known` on, which this holder wrote, the
/// checksum is kept: where a sync fails, the kernel may forget them and read back something else.
#[derive(Debug, Clone)]
pub(super) struct Extent {
    pub(super) synced: u64,
    pub(super) known: u64,
    pub(super) length: u64,
    checksum: crc32fast::Hasher,
}

impl Extent {
    /// Of a log whose earlier holders may have synced nothing.
    pub(super) fn found(length: u64) -> Self {
        Self { synced: 0, ..Self::synced(length) }
    }

    pub(super) fn synced(length: u64) -> Self {
        Self { synced: length, known: length, length, checksum: crc32fast::Hasher::new() }
    }

    pub(super) fn grow(&mut self, content: &[u8]) {
        self.length += content.len() as u64;
        self.checksum.update(content);
    }

    /// Takes a length for true that this holder's own writing does not amount to.
    pub(super) fn believe(&mut self, length: u64) {
        if length != self.length {
            *self = Self { synced: self.synced.min(length), ..Self::synced(length) };
        }
    }

    /// Of the bytes from `known` to the end.
    pub(super) fn checksum(&self) -> u32 {
        self.checksum.clone().finalize()
    }
}
