import type { ComponentChildren, Key } from 'preact';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** True to align it right, as numbers are. */
  readonly isNumber?: boolean;
  /** True if windows that are narrow, but no phones, omit it: on phones rows are cards with everything. */
  readonly isExtra?: boolean;
}

/** Rows under headings; on phones each is a card. */
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
  const classOf = ({ isNumber = false, isExtra = false }: Column<Row>): string =>
    `${isNumber ? 'number' : ''} ${isExtra ? 'extra' : ''}`.trim();
  return (
    <table class="cards">
      <caption class={isCaptionShown ? undefined : 'hidden'}>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.title} class={classOf(column)} data-title={column.title}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
