import type { FeeRule } from '../ledger/index.ts';

export type Paint = (style: Style, text: string) => string;

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Codes of the styles (ECMA-48, select graphic rendition). */
const CODES: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

/** Returns the text without a style. */
export const plain: Paint = (_style, text) => text;

/** Styles by escape sequences. */
export const coloured: Paint = (style, text) => `\x1b[${CODES[style]}m${text}\x1b[0m`;

/** Returns `coloured` for a terminal, unless `NO_COLOR` is set and not empty (no-color.org). */
export function paintFor(isTerminal: boolean, noColor: string | undefined): Paint {
  return isTerminal && (noColor === undefined || noColor === '') ? coloured : plain;
}

const LABEL_WIDTH = 15;

/** Puts a label in front of a value. */
export function labelled(label: string, value: string, paint: Paint = plain): string {
  return `${paint('dim', label.padEnd(LABEL_WIDTH))}${value}`;
}

/** Returns the line of a label and a value; none for an undefined value. */
export function optionalLine(label: string, value: string | undefined, paint: Paint = plain): string[] {
  return value === undefined ? [] : [labelled(label, value, paint)];
}

/** Ends each line with a line feed. */
export function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Describes the rule of the price of gas. */
export function describeFees(fees: FeeRule): string {
  switch (fees.type) {
    case 'fixed':
      return `${fees.price} wei, and tips`;
    case 'eip1559':
      return `EIP-1559 from ${fees.initialBaseFee} wei, and tips`;
  }
}
