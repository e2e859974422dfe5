import type { BlockSummary, DroppedTransaction } from '../ledger/index.ts';
import { LOG_MESSAGE_CHARACTERS_MAX } from '../limits.ts';
import { blockHashOf, bytesToHex, toPrefixedHex, transactionId } from '../protocol/index.ts';
import type { Paint } from './paint.ts';

/** All that could move the cursor, colour or reorder a terminal's text: control and format characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Writes the line of a new block: number, hash, operations and the gas that was charged. */
export function blockLine(block: BlockSummary, paint: Paint): string {
  const operations = block.operationCount === 1 ? '1 operation' : `${block.operationCount} operations`;
  const hash = paint('dim', toPrefixedHex(blockHashOf(block.id)));
  return `${paint('green', 'block')} ${block.number}  ${hash}  ${operations}  gas ${block.feesCollected}\n`;
}

/** Writes the line of a call that was answered by an error. Both texts may come from the caller. */
export function failureLine(method: string, message: string, paint: Paint): string {
  return `${paint('red', 'failed')} ${printable(method)}: ${printable(message)}\n`;
}

/** Writes the line of a pending transaction that is no longer valid, by its native id. */
export function droppedLine({ transaction, error }: DroppedTransaction, paint: Paint): string {
  const id = paint('dim', bytesToHex(transactionId(transaction)));
  return `${paint('yellow', 'dropped')} transaction ${id}: ${printable(error.message)}\n`;
}

/** Writes the line of a failure of the node itself. */
export function internalFailureLine(task: string, error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `ledgerd: internal failure in ${printable(task)}: ${printable(text)}\n`;
}

/** Makes a text fit for one line of a terminal: nothing unprintable, and no more than the limit. */
export function printable(text: string): string {
  const cut =
    text.length > LOG_MESSAGE_CHARACTERS_MAX ? `${text.slice(0, LOG_MESSAGE_CHARACTERS_MAX)}…` : text;
  return cut.replace(
    UNPRINTABLE,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
