/** Where time comes from, and who calls back when it has passed. */
export interface Time {
  /** Milliseconds of a clock that only goes forward, and at an even pace, from any origin. */
  now(): number;
  /** Unix milliseconds of the machine's clock, which may be set. */
  wallNow(): number;
  /** Calls back once, so many milliseconds from now. Returns the function that calls it off. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Calls back again and again, with so many milliseconds in between. Returns the function that ends it. */
  every(milliseconds: number, callback: () => void): () => void;
  /** Calls back when what waits already has had its turn. */
  soon(callback: () => void): void;
}

/** A clock that only goes forward: all that most need of time. */
export type Stopwatch = Pick<Time, 'now'>;

/** The time of the process and of the machine. */
export const systemTime: Time = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  every: (milliseconds, callback) => {
    const timer = setInterval(callback, milliseconds);
    return () => clearInterval(timer);
  },
  soon: (callback) => {
    setImmediate(callback);
  },
};

/** The same, with timers that do not keep the process running. */
export const backgroundTime: Time = {
  ...systemTime,
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds).unref();
    return () => clearTimeout(timer);
  },
  every: (milliseconds, callback) => {
    const timer = setInterval(callback, milliseconds).unref();
    return () => clearInterval(timer);
  },
};

/** Waits so many milliseconds, or until a signal is aborted. */
export function sleep(time: Time, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      callOff();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const callOff = time.after(milliseconds, end);
    signal?.addEventListener('abort', end);
  });
}

/** Waits until what waits already has had its turn. */
export function nextTurn(time: Pick<Time, 'soon'>): Promise<void> {
  return new Promise((resolve) => time.soon(resolve));
}
