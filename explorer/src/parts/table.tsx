import type { ComponentChildren, Key } from 'preact';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** True to align it right, as numbers are. */
  readonly isNumber?: boolean;
  /** Screens that omit it: all narrow ones, or only those of phones. */
  readonly hidden?: 'narrow' | 'phone';
  /** Share of the width relative to the other columns; 1 by default. */
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
