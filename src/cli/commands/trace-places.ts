import type { TreeCall } from '../../contracts/index.ts';
import { TRACED_PATH_MAX } from '../../limits.ts';

/** The part of a struct log that states the end of code. */
export interface StructLog {
  readonly pc: number;
  readonly op: string;
  /** From 1. */
  readonly depth: number;
}

/** Returns true if any call of a tree has failed. */
export function hasFailed({ failure, calls }: TreeCall): boolean {
  return failure !== undefined || calls.some(hasFailed);
}

/**
 * Adds the path of the last instructions, which `callTracer` does not report, to the calls of a tree that reverted.
 * Calls without steps, or with others, stay as they are.
 *
 * @param steps of the whole transaction
 */
export function withPlaces(root: TreeCall, steps: readonly StructLog[]): TreeCall {
  return steps.length === 0 ? root : placed(root, steps, 0).call;
}

/** Places a call whose steps begin at an index; returns the index at which those of its caller continue. */
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
