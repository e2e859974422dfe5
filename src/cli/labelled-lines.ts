import { type Paint, plain } from './paint.ts';

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
