import type { Frame } from '../../client/traces.ts';

/** Calls up to this depth are open at first, while there are not too many. */
const OPEN_DEPTH = 3;
const OPEN_MOST = 60;

/** Returns true if a call contains calls. */
export function hasCalls({ id, end }: Frame): boolean {
  return end > id + 1;
}

/** Chooses the calls that are open before somebody opens or closes one. */
export function openAtFirst(frames: readonly Frame[]): ReadonlySet<number> {
  const depth = frames.length > OPEN_MOST ? 1 : OPEN_DEPTH;
  return new Set(frames.filter((frame) => frame.depth < depth).map(({ id }) => id));
}

/** Lists the calls that are not inside a collapsed one. */
export function listedCalls(frames: readonly Frame[], open: ReadonlySet<number>): readonly Frame[] {
  const listed: Frame[] = [];
  let id = 0;
  for (let frame = frames[id]; frame !== undefined; frame = frames[id]) {
    listed.push(frame);
    id = open.has(id) ? id + 1 : frame.end;
  }
  return listed;
}

/** Lists the callers of a call, innermost first. */
export function callersOf(frames: readonly Frame[], id: number): readonly number[] {
  const callers: number[] = [];
  let depth = frames[id]?.depth ?? 0;
  for (let before = id - 1; before >= 0 && depth > 0; before -= 1) {
    if ((frames[before]?.depth ?? 0) >= depth) continue;
    callers.push(before);
    depth -= 1;
  }
  return callers;
}
