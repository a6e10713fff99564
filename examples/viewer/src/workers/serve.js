// The far side of a remote: answers each request with what a method returns.

/** Lets the page call these methods. A method may be async; what it throws is the answer's error. */
export function serve(methods) {
  self.onmessage = async ({ data: { id, method, args } }) => {
    try {
      self.postMessage({ id, value: await methods[method](...args) });
    } catch (error) {
      self.postMessage({ id, error: error instanceof Error ? error.message : error });
    }
  };
}

/** Tells the page how far a long reading has come, from 0 to 1. */
export function progress(fraction) {
  self.postMessage({ progress: fraction });
}

/** Lets requests in that came meanwhile. */
export const breathe = () => new Promise((resolve) => setTimeout(resolve));
