/** A source of time and of timers. */
export interface Time {
  /** Returns milliseconds of a monotonic clock with any origin. */
  now(): number;
  /** Returns Unix milliseconds of the machine's clock, which may be set. */
  wallNow(): number;
  /** Calls back once after so many milliseconds. Returns the function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Calls back repeatedly at an interval. Returns the function that ends it. */
  every(milliseconds: number, callback: () => void): () => void;
  /** Calls back after all pending events, like `setImmediate`. */
  soon(callback: () => void): void;
}

export type Stopwatch = Pick<Time, 'now'>;

function timeOf(keepsProcess: boolean): Time {
  const started = (timer: NodeJS.Timeout): NodeJS.Timeout => (keepsProcess ? timer : timer.unref());
  return {
    now: () => performance.now(),
    wallNow: () => Date.now(),
    after: (milliseconds, callback) => {
      const timer = started(setTimeout(callback, milliseconds));
      return () => clearTimeout(timer);
    },
    every: (milliseconds, callback) => {
      const timer = started(setInterval(callback, milliseconds));
      return () => clearInterval(timer);
    },
    soon: (callback) => {
      setImmediate(callback);
    },
  };
}

/** The time of the process and of the machine. */
export const systemTime: Time = timeOf(true);

/** The same with timers that do not keep the process running. */
export const backgroundTime: Time = timeOf(false);

/** Waits so many milliseconds, or until a signal aborts. */
export function sleep(time: Time, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = time.after(milliseconds, end);
    signal?.addEventListener('abort', end);
  });
}

/** Waits for all pending events. */
export function yieldToEventLoop(time: Pick<Time, 'soon'>): Promise<void> {
  return new Promise((resolve) => time.soon(resolve));
}
