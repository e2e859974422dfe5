import { EngineError } from '../errors.ts';
import type { Message } from '../types.ts';

/** Returns a check that throws after the deadline. */
export function timeCheck(deadline: Message['deadline']): (() => void) | undefined {
  if (deadline === undefined) return undefined;
  const end = typeof deadline === 'number' ? () => deadline : deadline;
  return () => {
    if (performance.now() > end()) throw new EngineError('outOfTime');
  };
}
