import { useMemo } from 'preact/hooks';
import type { CallTree, Frame } from '../../client/traces.ts';
import { FLAME_BOXES_MAX, FLAME_DEPTH_MAX } from '../../limits.ts';
import { grouped } from '../../text/numbers.ts';
import { flameBoxes } from './flame-boxes.ts';

const ROW_PIXELS = 24;
const GAP_PIXELS = 2;
const BOUNDS = { widthMin: 0.001, depthMax: FLAME_DEPTH_MAX, countMax: FLAME_BOXES_MAX };
/** Least width of a box with a name. */
const NAMED_WIDTH = 0.04;

/**
 * Draws a box for each call, as wide as its gas. Hidden from screen readers: the list of calls below has the
 * same content.
 */
export function FlameGraph({
  tree,
  nameOf,
  chosen,
  onChoose,
}: {
  readonly tree: CallTree;
  readonly nameOf: (frame: Frame) => string;
  readonly chosen: number | undefined;
  readonly onChoose: (id: number) => void;
}) {
  const boxes = useMemo(() => flameBoxes(tree, BOUNDS), [tree]);
  if (boxes.length < 2) return null;
  const depth = Math.max(...boxes.map(({ frame }) => frame.depth)) + 1;
  const choose = (event: Event): void => {
    const box = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-call]') : null;
    if (box !== null) onChoose(Number(box.dataset.call));
  };
  return (
    <div class="flame" aria-hidden="true" style={{ height: `${depth * ROW_PIXELS}px` }} onClick={choose}>
      {boxes.map(({ frame, left, width }) => (
        <span
          key={frame.id}
          data-call={frame.id}
          class={[
            'flame-box',
            frame.error === undefined ? '' : 'bad',
            frame.id === chosen ? 'chosen' : '',
          ].join(' ')}
          title={`${nameOf(frame)}: ${grouped(frame.gasUsed)} gas`}
          style={{
            left: `${left * 100}%`,
            width: `${width * 100}%`,
            top: `${frame.depth * ROW_PIXELS}px`,
            height: `${ROW_PIXELS - GAP_PIXELS}px`,
          }}
        >
          {width >= NAMED_WIDTH && nameOf(frame)}
        </span>
      ))}
    </div>
  );
}
