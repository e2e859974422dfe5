import { PAGE_ROWS } from '../limits.ts';
import { grouped } from '../text/numbers.ts';

/** Leads through the pages of a long table. */
export function Pager({
  page,
  count,
  onPage,
}: {
  /** Counted from 0. */
  readonly page: number;
  /** Rows in all. */
  readonly count: number;
  readonly onPage: (page: number) => void;
}) {
  const last = Math.max(0, Math.ceil(count / PAGE_ROWS) - 1);
  if (last === 0) return null;
  const from = page * PAGE_ROWS + 1;
  const to = Math.min(count, from + PAGE_ROWS - 1);
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
