import type { CallTree, Frame } from '../../client/traces.ts';

/** A call as a box of a flame graph. */
export interface FlameBox {
  readonly frame: Frame;
  /** Start and width as shares of the whole. */
  readonly left: number;
  readonly width: number;
}

/** Limits of a flame graph. */
export interface FlameBounds {
  /** The narrowest box, of the whole as 1. */
  readonly widthMin: number;
  readonly depthMax: number;
  readonly countMax: number;
}

/**
 * Lays out calls as boxes, each as wide as the gas that it used, below the call that it is a part of. Boxes that nobody
 * could see are left out, and of too many the narrowest.
 */
export function flameBoxes({ frames }: CallTree, bounds: FlameBounds): readonly FlameBox[] {
  const boxes: FlameBox[] = [];
  /** The box of the last call at each depth, and the left edge of the next call inside of it. */
  const around: { readonly box: FlameBox; next: number }[] = [];
  let id = 0;
  for (let frame = frames[id]; frame !== undefined; frame = frames[id]) {
    const box = boxOf(frame, around[frame.depth - 1]);
    const isShown = box.width >= bounds.widthMin && frame.depth < bounds.depthMax;
    if (isShown) {
      boxes.push(box);
      around[frame.depth] = { box, next: box.left };
    }
    id = isShown ? id + 1 : frame.end;
  }
  const { countMax } = bounds;
  return boxes.length <= countMax ? boxes : boxes.toSorted((a, b) => b.width - a.width).slice(0, countMax);
}

/** Places a call beside the previous calls of its caller. */
function boxOf(frame: Frame, caller: { readonly box: FlameBox; next: number } | undefined): FlameBox {
  if (caller === undefined) return { frame, left: 0, width: 1 };
  const { box, next } = caller;
  const { gasUsed } = box.frame;
  // Refunds can make the gas of a call less than that of its calls.
  const wanted = gasUsed === 0n ? 0 : box.width * ratio(frame.gasUsed, gasUsed);
  const width = Math.min(wanted, box.left + box.width - next);
  caller.next = next + width;
  return { frame, left: next, width };
}

function ratio(part: bigint, whole: bigint): number {
  const parts = 1_000_000n;
  return Number((part * parts) / whole) / Number(parts);
}
