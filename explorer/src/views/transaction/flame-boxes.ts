import type { CallTree, Frame } from '../../client/traces.ts';

/** A call as a box of a flame graph. */
export interface FlameBox {
  readonly frame: Frame;
  /** Where it begins, and how wide it is, of the whole as 1. */
  readonly left: number;
  readonly width: number;
}

/**
 * Lays out calls as boxes, each as wide as the gas that it used, below the call that it is a part of. Boxes that nobody
 * could see are left out, and of too many the narrowest.
 *
 * @param least the narrowest box, of the whole as 1
 */
export function flameBoxes({ root }: CallTree, least: number, most: number): readonly FlameBox[] {
  const boxes: FlameBox[] = [];
  const place = (frame: Frame, left: number, width: number): void => {
    if (width < least) return;
    boxes.push({ frame, left, width });
    let next = left;
    const end = left + width;
    for (const inner of frame.calls) {
      // What a call was charged may be less than its calls used together, by what was refunded.
      const wanted = frame.gasUsed === 0n ? 0 : width * ratio(inner.gasUsed, frame.gasUsed);
      const innerWidth = Math.min(wanted, end - next);
      place(inner, next, innerWidth);
      next += innerWidth;
    }
  };
  place(root, 0, 1);
  return boxes.length <= most ? boxes : boxes.toSorted((a, b) => b.width - a.width).slice(0, most);
}

function ratio(part: bigint, whole: bigint): number {
  const parts = 1_000_000n;
  return Number((part * parts) / whole) / Number(parts);
}
