import { useRef } from 'preact/hooks';
import { isPaused } from '../live/feed.ts';

/** What comes live, or what it was when the lists were made to stand still. */
export function usePausable<T>(value: T): T {
  const kept = useRef(value);
  if (!isPaused.value) kept.current = value;
  return kept.current;
}
