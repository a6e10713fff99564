// A worker, as methods that answer later.

// The page's policy lets no text become code but through this one place.
const policy = globalThis.trustedTypes?.createPolicy('worker', { createScriptURL: (url) => url }) ?? {
  createScriptURL: (url) => url,
};

export class Remote {
  #worker;
  #waiting = new Map();
  #next = 0;

  /** `onprogress` is told how far a long reading has come, from 0 to 1. */
  constructor(module, onprogress = () => {}) {
    // A worker from a blob keeps to the policy of the page; one from an address would have none of its own on a static host.
    const source = new Blob([`import ${JSON.stringify(new URL(module, import.meta.url))};`], {
      type: 'text/javascript',
    });
    const url = URL.createObjectURL(source);
    this.#worker = new Worker(policy.createScriptURL(url), { type: 'module' });
    this.#worker.onmessage = ({ data }) => {
      if (data.progress !== undefined) onprogress(data.progress);
      else this.#settle(data);
    };
    this.#worker.onerror = (event) => {
      for (const { reject } of this.#waiting.values())
        reject(new Error(event.message ?? 'a part of the viewer could not be loaded'));
      this.#waiting.clear();
    };
  }

  call(method, ...args) {
    const id = (this.#next += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, method, args });
    });
  }

  /** Ends the worker. Calls that wait stay unanswered. */
  close() {
    this.#worker.terminate();
    this.#waiting.clear();
  }

  #settle({ id, value, error }) {
    const { resolve, reject } = this.#waiting.get(id) ?? {};
    this.#waiting.delete(id);
    if (error === undefined) resolve?.(value);
    else reject?.(typeof error === 'string' ? new Error(error) : error);
  }
}
