import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { chainReorgCount } from '../live/feed.ts';

/** Pause between two polls, as a multiple of their duration: polling takes at most a tenth of the time. */
const REST = 9;

/** Something that is read from the node. */
export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown; readonly again: () => void };

/**
 * Loads a value when it is shown, and again when its key changes or after a reorganisation. The previous value for the
 * same key stays until then.
 *
 * @param repeatMs milliseconds between two loads, longer if loading takes long; absent: never again
 */
export function useLoaded<T>(key: string, load: () => Promise<T>, repeatMs?: number): Loaded<T> {
  const [round, setRound] = useState(0);
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly what: Loaded<T> }>();
  const latest = useRef(load);
  latest.current = load;
  const again = useCallback(() => setRound((count) => count + 1), []);
  const reorgCount = chainReorgCount.value;
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = (): void => {
      const began = performance.now();
      const show = (what: Loaded<T>): void => {
        if (!isCurrent) return;
        setLoaded({ key, what });
        if (repeatMs === undefined) return;
        timer = setTimeout(read, Math.max(repeatMs, REST * (performance.now() - began)));
      };
      latest.current().then(
        (value) => show({ state: 'ready', value }),
        (error: unknown) => show({ state: 'failed', error, again }),
      );
    };
    read();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key, round, reorgCount, again, repeatMs]);
  return loaded?.key === key ? loaded.what : { state: 'loading' };
}
