import type { BlockSummary, DroppedTransaction } from '../../ledger/index.ts';
import { describeNotice, type NodeNotice } from '../../node/index.ts';
import { blockHashOf, bytesToHex, toPrefixedHex, transactionId } from '../../protocol/index.ts';
import type { Paint } from '../paint.ts';
import { type ErrorFacts, errorFacts } from './error-facts.ts';
import { printable } from './printable.ts';

/** Writes the line of a new block: number, hash, operations and the gas that was charged. */
export function blockLine(block: BlockSummary, paint: Paint): string {
  const operations = block.operationCount === 1 ? '1 operation' : `${block.operationCount} operations`;
  const hash = paint('dim', toPrefixedHex(blockHashOf(block.id)));
  return `${paint('green', 'block')} ${block.number}  ${hash}  ${operations}  gas ${block.feesCollected}\n`;
}

/** Writes the line of a call whose response is an error. Both texts may come from the caller. */
export function failureLine(method: string, message: string, paint: Paint): string {
  return `${paint('red', 'failed')} ${printable(method)}: ${printable(message)}\n`;
}

/** Writes the line of a pending transaction that is no longer valid, by its native id. */
export function droppedLine({ transaction, error }: DroppedTransaction, paint: Paint): string {
  const id = paint('dim', bytesToHex(transactionId(transaction)));
  return `${paint('yellow', 'dropped')} transaction ${id}: ${printable(error.message)}\n`;
}

/** Writes the line of something that an operator wants to know. */
export function noticeLine(notice: NodeNotice, paint: Paint): string {
  const { level, message } = describeNotice(notice);
  const style = level === 'info' ? 'green' : level === 'warn' ? 'yellow' : 'red';
  return `${paint(style, level)} ${printable(message)}\n`;
}

/** Writes the lines of a failure of the node itself: what failed, and where in the program, with the causes. */
export function internalFailureLines(task: string, error: unknown): string {
  const facts = errorFacts(error);
  return `ledgerd: internal failure in ${printable(task)}: ${titleOf(facts)}\n${originOf(facts)}`;
}

function titleOf({ type, message }: ErrorFacts): string {
  return printable(`${type}: ${message}`);
}

/** The frames of the stack, then the same of the cause. */
function originOf({ stack = '', cause }: ErrorFacts): string {
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  const own = frames.map((frame) => `    ${printable(frame.trim())}\n`).join('');
  return cause === undefined ? own : `${own}  caused by ${titleOf(cause)}\n${originOf(cause)}`;
}
