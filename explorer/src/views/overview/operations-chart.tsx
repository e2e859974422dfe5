import { liveBlocks } from '../../live/feed.ts';

const BARS = 48;
const HEIGHT = 28;
const BAR_WIDTH = 3;
const STEP = 4;

/** A bar chart of the operations of the newest blocks; the figure beside it is the text alternative. */
export function OperationsChart() {
  const counts = liveBlocks.value
    .slice(0, BARS)
    .map(({ operations = 0 }) => operations)
    .reverse();
  const most = Math.max(1, ...counts);
  return (
    <svg class="chart" viewBox={`0 0 ${BARS * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {counts.map((count, index) => {
        const height = Math.max(count > 0 ? 2 : 1, (count / most) * HEIGHT);
        return (
          <rect
            // Bars are identified by their position.
            key={index}
            x={(BARS - counts.length + index) * STEP}
            y={HEIGHT - height}
            width={BAR_WIDTH}
            height={height}
            class={count > 0 ? 'some' : 'none'}
          />
        );
      })}
    </svg>
  );
}
