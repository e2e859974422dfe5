import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows rendered beyond the visible ones, on both sides. */
const MARGIN_ROWS = 12;

/** Properties of a list of any length. */
interface WindowedListProps {
  readonly label: string;
  readonly count: number;
  readonly rowPixels: number;
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
  readonly row: (index: number) => ComponentChildren;
}

/**
 * A list of any length of which only those rows exist that can be seen. One row is the chosen one, which arrow keys
 * move (ARIA Authoring Practices, listbox).
 */
export function WindowedList({ label, count, rowPixels, chosen, onChoose, row }: WindowedListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  const look = (): void => {
    const { current } = box;
    if (current !== null) setView({ top: current.scrollTop, height: current.clientHeight });
  };
  useLayoutEffect(look, []);
  useEffect(() => {
    if (box.current !== null) reveal(box.current, chosen * rowPixels, rowPixels);
  }, [chosen, rowPixels]);
  const first = Math.max(0, Math.floor(view.top / rowPixels) - MARGIN_ROWS);
  const end = Math.min(count, Math.ceil((view.top + view.height) / rowPixels) + MARGIN_ROWS);
  const move = (event: KeyboardEvent): void => {
    const next = movedBy(event.key, chosen, count, Math.max(1, Math.floor(view.height / rowPixels) - 1));
    if (next === undefined) return;
    event.preventDefault();
    onChoose(Math.min(count - 1, Math.max(0, next)));
  };
  const choose = (event: Event): void => {
    const found = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    if (found !== null) onChoose(Number(found.dataset.row));
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
      onClick={choose}
      onScroll={look}
    >
      <div role="presentation" style={{ height: `${count * rowPixels}px` }}>
        {Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset).map((index) => (
          <div
            key={index}
            id={`row-${index}`}
            data-row={index}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            aria-setsize={count}
            aria-posinset={index + 1}
            class="windowed-row"
            style={{ top: `${index * rowPixels}px`, height: `${rowPixels}px` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The row that a key leads to; undefined for keys that lead nowhere. */
function movedBy(key: string, chosen: number, count: number, page: number): number | undefined {
  switch (key) {
    case 'ArrowUp':
      return chosen - 1;
    case 'ArrowDown':
      return chosen + 1;
    case 'PageUp':
      return chosen - page;
    case 'PageDown':
      return chosen + page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Scrolls no further than a row needs to be seen. */
function reveal(box: HTMLElement, top: number, height: number): void {
  if (top < box.scrollTop) box.scrollTop = top;
  const bottom = top + height - box.clientHeight;
  if (bottom > box.scrollTop) box.scrollTop = bottom;
}
