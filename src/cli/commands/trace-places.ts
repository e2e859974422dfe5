import type { TreeCall } from '../../contracts/index.ts';
import { TRACED_PATH_MAX } from '../../limits.ts';

/** A struct log, as far as it says where code ended. */
export interface StructLog {
  readonly pc: number;
  readonly op: string;
  /** From 1. */
  readonly depth: number;
}

/** Whether any call of a tree has failed. */
export function hasFailed({ failure, calls }: TreeCall): boolean {
  return failure !== undefined || calls.some(hasFailed);
}

/**
 * Adds to the calls of a tree that gave up by themselves the path of their last instructions, which `callTracer` does
 * not give: the last of their steps. Calls without steps, and what does not fit those, stay as they are.
 *
 * @param steps of the whole transaction
 */
export function withPlaces(root: TreeCall, steps: readonly StructLog[]): TreeCall {
  return steps.length === 0 ? root : placed(root, steps, 0).call;
}

/** A call whose steps begin at a place, and where those of the call around it go on. */
function placed(
  call: TreeCall,
  steps: readonly StructLog[],
  start: number,
): { readonly call: TreeCall; readonly next: number } {
  const { failure } = call;
  const depth = steps[start]?.depth ?? 0;
  const isDeeper = (index: number): boolean => (steps[index]?.depth ?? 0) > depth;
  const calls: TreeCall[] = [];
  let last = start;
  let next = start;
  let pathStart = start;
  while (steps[next]?.depth === depth) {
    last = next;
    next += 1;
    const inner = call.calls[calls.length];
    if (inner !== undefined && inner.kind === steps[last]?.op) {
      const found = isDeeper(next) ? placed(inner, steps, next) : { call: inner, next };
      calls.push(found.call);
      next = found.next;
    }
    while (isDeeper(next)) next += 1;
    if (next > last + 1) pathStart = next;
  }
  calls.push(...call.calls.slice(calls.length));
  const end = steps[last];
  const gaveUp = end?.op === 'REVERT' || end?.op === 'INVALID';
  if (failure === undefined || end === undefined || !gaveUp) return { call: { ...call, calls }, next };
  const path = steps.slice(Math.max(pathStart, last + 1 - TRACED_PATH_MAX), last + 1).map(({ pc }) => pc);
  return { call: { ...call, calls, failure: { ...failure, path } }, next };
}
