import type { TreeLine, TreePiece } from '../../contracts/index.ts';
import { CALL_TREE_INDENTATIONS_MAX } from '../../limits.ts';
import type { FailedExecution } from '../../node/index.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import type { Paint } from '../paint.ts';
import { printable } from './printable.ts';

const INDENTATION = '  ';

const STYLES: Readonly<Record<TreePiece['kind'], Parameters<Paint>[0] | undefined>> = {
  gas: 'dim',
  contract: 'bold',
  function: 'green',
  text: undefined,
  failure: 'red',
  place: 'yellow',
};

/** Writes a line of what a contract told the console; its text is the contract's. */
export function consoleLine(text: string, paint: Paint): string {
  return `${paint('dim', 'console.log')} ${printable(text)}\n`;
}

/** Writes the lines of code that failed: which transaction, then its calls. */
export function failedLines({ transaction, lines }: FailedExecution, paint: Paint): string {
  const what =
    transaction === undefined
      ? 'call'
      : `transaction ${paint('dim', toPrefixedHex(transaction.hash))} in block ${transaction.block}`;
  const calls = lines.map((line) => `${INDENTATION}${treeText(line, paint)}\n`).join('');
  return `${paint('red', 'failed')} ${what}\n${calls}`;
}

/** Writes a line of a tree of calls, without its end. Names and reasons may be anybody's. */
export function treeText({ depth, pieces }: TreeLine, paint: Paint): string {
  const text = pieces.map(({ kind, text: piece }) => {
    const style = STYLES[kind];
    return style === undefined ? printable(piece) : paint(style, printable(piece));
  });
  return `${INDENTATION.repeat(Math.min(depth, CALL_TREE_INDENTATIONS_MAX))}${text.join('')}`;
}
