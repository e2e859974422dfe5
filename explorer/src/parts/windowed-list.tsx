import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows beyond what can be seen, on both sides. */
const MARGIN_ROWS = 12;

/**
 * A list of any length of which only those rows exist that can be seen. One row is the chosen one, which arrow keys
 * move (ARIA Authoring Practices, listbox).
 */
export function WindowedList({
  label,
  count,
  rowPixels,
  chosen,
  onChoose,
  row,
}: {
  readonly label: string;
  readonly count: number;
  readonly rowPixels: number;
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
  readonly row: (index: number) => ComponentChildren;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  useLayoutEffect(() => {
    const { current } = box;
    if (current !== null) setView({ top: current.scrollTop, height: current.clientHeight });
  }, []);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const top = chosen * rowPixels;
    if (top < current.scrollTop) current.scrollTop = top;
    const bottom = top + rowPixels - current.clientHeight;
    if (bottom > current.scrollTop) current.scrollTop = bottom;
  }, [chosen, rowPixels]);
  const first = Math.max(0, Math.floor(view.top / rowPixels) - MARGIN_ROWS);
  const end = Math.min(count, Math.ceil((view.top + view.height) / rowPixels) + MARGIN_ROWS);
  const move = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(view.height / rowPixels) - 1);
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page };
    const edges: Record<string, number> = { Home: 0, End: count - 1 };
    const next = edges[event.key] ?? chosen + (steps[event.key] ?? 0);
    if (!(event.key in steps) && !(event.key in edges)) return;
    event.preventDefault();
    onChoose(Math.min(count - 1, Math.max(0, next)));
  };
  return (
    <div
      class="windowed"
      role="listbox"
      aria-label={label}
      aria-activedescendant={`row-${chosen}`}
      tabIndex={0}
      ref={box}
      onKeyDown={move}
      onScroll={({ currentTarget }) =>
        setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
      }
    >
      <div role="presentation" style={{ height: `${count * rowPixels}px` }}>
        {Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset).map((index) => (
          <div
            key={index}
            id={`row-${index}`}
            role="option"
            aria-selected={index === chosen}
            aria-setsize={count}
            aria-posinset={index + 1}
            class="windowed-row"
            style={{ top: `${index * rowPixels}px`, height: `${rowPixels}px` }}
            onClick={() => onChoose(index)}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
