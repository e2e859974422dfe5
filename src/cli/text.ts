/** Colours a text for the terminal, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Codes that begin a style (ECMA-48, select graphic rendition). */
const CODES: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

/** Leaves every text as it is. */
export const plain: Paint = (_style, text) => text;

/** Colours by escape sequences. */
export const coloured: Paint = (style, text) => `\x1b[${CODES[style]}m${text}\x1b[0m`;

/** Colours only on a terminal, and never when `NO_COLOR` is set to anything but the empty text (no-color.org). */
export function paintFor(isTerminal: boolean, noColor: string | undefined): Paint {
  return isTerminal && (noColor === undefined || noColor === '') ? coloured : plain;
}

/** Width of the column of labels. */
const LABEL_WIDTH = 15;

/** Puts a label in front of a value. */
export function labelled(label: string, value: string, paint: Paint = plain): string {
  return `${paint('dim', label.padEnd(LABEL_WIDTH))}${value}`;
}

/** Ends each line with a line feed. */
export function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
