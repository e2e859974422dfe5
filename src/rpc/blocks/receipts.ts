import { type LogObject, type LogReceipt, receiptPieces } from '../../formatters/index.ts';
import type { BlockSummary, IncludedOperation, LedgerQueries, ReceiptOutline } from '../../ledger/index.ts';
import type { RpcLimits } from '../context/rpc-limits.ts';
import type { ResponseBody } from '../json/response-body.ts';
import { writtenInPieces } from '../json/text-in-pieces.ts';
import { LimitError } from '../rpc-errors.ts';
import { listPieces, operationsIn, type RevertibleLedger, revertCheck } from './block-operations.ts';

/** Advice about a single transaction or receipt, whose gas bounds its text. */
export const NO_ADVICE = 'there is no shorter form';
/** Advice about a block that is too long for one response. */
export const TRANSACTIONS_ADVICE = 'request its transactions one by one';
const RECEIPTS_ADVICE = 'request the receipts of the block one by one';

export interface BoundedLedger {
  readonly ledger: LedgerQueries;
  readonly limits: RpcLimits;
}

export function withLogs(outline: ReceiptOutline): LogReceipt {
  return { ...withoutLogs(outline), logs: [...outline.logs()], firstLogIndex: outline.firstLogIndex };
}

export function withoutLogs({ status, gasUsed, contractAddress }: ReceiptOutline): LogReceipt {
  return { status, gasUsed, contractAddress, logs: [], firstLogIndex: 0 };
}

/** Writes a receipt with many logs in steps. @param empty the object without logs @throws BlockRevertedError */
export function* writeReceipt(
  ledger: RevertibleLedger,
  empty: { readonly logs: readonly LogObject[] },
  position: Parameters<typeof receiptPieces>[1],
  outline: ReceiptOutline,
): Generator<string, void> {
  const check = revertCheck(ledger, position.block);
  for (const piece of receiptPieces(empty, position, outline)) {
    yield piece;
    check();
  }
}

/** Counts the logs of the receipts in one response. A single receipt has no shorter form, so any number is allowed. */
export class LogCounter {
  readonly #context: BoundedLedger;
  readonly #advice: string;
  #receipts = 0;
  #logs = 0;

  /** @param advice alternative for a caller that requests too many logs */
  constructor(context: BoundedLedger, advice: string) {
    this.#context = context;
    this.#advice = advice;
  }

  /** Counts the logs of an operation. @throws LimitError for more than `logsMax` logs of several operations */
  add(block: number, index: number): void {
    const { ledger, limits } = this.#context;
    this.#receipts += 1;
    this.#logs += ledger.blocks.receiptOutlineOf(block, index)?.logCount ?? 0;
    if (this.#receipts === 1 || this.#logs <= limits.logsMax) return;
    throw new LimitError(
      `the receipts have more than ${limits.logsMax} logs, the limit of one response (--max-logs): ${this.#advice}`,
    );
  }
}

/**
 * Returns the receipts of a block as a JSON array, written in steps, which throw LimitError for too many logs or
 * characters, and BlockRevertedError.
 *
 * @param receiptOf returns the receipt of an operation of the block; null for none
 */
export function receiptsText<Receipt>(
  context: BoundedLedger,
  block: BlockSummary,
  receiptOf: (operation: IncludedOperation) => ResponseBody<Receipt> | null,
): ResponseBody<Receipt[]> {
  const write = function* (): Generator<Iterable<string>> {
    const counter = new LogCounter(context, RECEIPTS_ADVICE);
    for (const operation of operationsIn(context.ledger, block)) {
      counter.add(block.number, operation.index);
      const receipt = receiptOf(operation);
      if (receipt !== null) yield receipt.pieces();
    }
  };
  return writtenInPieces<Receipt[]>(listPieces(write()), RECEIPTS_ADVICE);
}
