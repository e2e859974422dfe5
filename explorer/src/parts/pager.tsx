import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { PAGE_ROWS } from '../limits.ts';
import { grouped } from '../text/numbers.ts';

/** Leads through the pages of a long table. */
export function Pager({
  page,
  count,
  rows = PAGE_ROWS,
  onPage,
}: {
  /** Counted from 0. */
  readonly page: number;
  /** Rows in all. */
  readonly count: number;
  /** Rows of a page. */
  readonly rows?: number;
  readonly onPage: (page: number) => void;
}) {
  const last = Math.max(0, Math.ceil(count / rows) - 1);
  if (last === 0) return null;
  const from = page * rows + 1;
  const to = Math.min(count, from + rows - 1);
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" class="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span>
        {grouped(from)}–{grouped(to)} of {grouped(count)}
      </span>
      <button type="button" class="button" disabled={page === last} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}

/** Shows a list of any length page by page. */
export function Paged<T>({
  items,
  rows = PAGE_ROWS,
  children,
}: {
  readonly items: readonly T[];
  /** Items of a page. */
  readonly rows?: number;
  readonly children: (shown: readonly T[]) => ComponentChildren;
}) {
  const [chosen, setPage] = useState(0);
  // The list may have become shorter.
  const page = Math.min(chosen, Math.max(0, Math.ceil(items.length / rows) - 1));
  return (
    <>
      {children(items.slice(page * rows, (page + 1) * rows))}
      <Pager page={page} count={items.length} rows={rows} onPage={setPage} />
    </>
  );
}
