import type { ComponentChildren, Key } from 'preact';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Whether it stands at the right, as numbers do. */
  readonly isNumber?: boolean;
  /** Where it is left out: on narrow screens, or on those of phones alone. */
  readonly hidden?: 'narrow' | 'phone';
  /** How much room it takes beside the others; 1 where nothing is said. */
  readonly share?: number;
}

/** Rows under headings. */
export function Table<Row>({
  caption,
  isCaptionShown = false,
  columns,
  rows,
  keyOf,
}: {
  readonly caption: string;
  readonly isCaptionShown?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => Key;
}) {
  const classOf = ({ isNumber = false, hidden }: Column<Row>): string =>
    [isNumber ? 'number' : '', hidden === undefined ? '' : `no-${hidden}`].join(' ').trim();
  return (
    <table>
      <caption class={isCaptionShown ? undefined : 'hidden'}>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)} data-share={column.share}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.title} class={classOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
