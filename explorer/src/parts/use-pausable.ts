import { useRef } from 'preact/hooks';
import { isPaused } from '../live/feed.ts';

/** Returns the live value, or the value at the time of the pause. */
export function usePausable<T>(value: T): T {
  const kept = useRef(value);
  if (!isPaused.value) kept.current = value;
  return kept.current;
}
