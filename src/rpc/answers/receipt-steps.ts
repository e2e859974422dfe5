import type {
  IncludedOperation,
  LedgerQueries,
  OperationReceipt,
  ReceiptOutline,
} from '../../ledger/index.ts';
import { type LogObject, receiptPieces } from '../../view/index.ts';
import { LimitError } from '../errors.ts';
import type { ResponseBody } from '../json/response-body.ts';
import type { QueryContext } from '../method-context.ts';
import { readingOf } from '../response-cache/block-steps.ts';

/** Advice about one transaction or receipt, whose gas leaves no room for a text that is too long. */
export const NO_ADVICE = 'there is no shorter form';

type LogReceipt = Omit<OperationReceipt, 'output'>;

/** The receipt of an outline with few logs. */
export function withLogs(outline: ReceiptOutline): LogReceipt {
  return { ...withoutLogs(outline), logs: [...outline.logs()], firstLogIndex: outline.firstLogIndex };
}

/** The receipt of an outline as if there were no logs. */
export function withoutLogs({ status, gasUsed, contractAddress }: ReceiptOutline): LogReceipt {
  return { status, gasUsed, contractAddress, logs: [], firstLogIndex: 0 };
}

/** Writes a receipt with many logs. @param empty the object as it would be without logs. @throws RequestFailedError */
export function* receiptSteps(
  ledger: Pick<LedgerQueries, 'epoch' | 'blockById'>,
  empty: { readonly logs: readonly LogObject[] },
  place: Parameters<typeof receiptPieces>[1],
  outline: ReceiptOutline,
): Generator<string, void> {
  const check = readingOf(ledger, place.block);
  for (const piece of receiptPieces(empty, place, outline)) {
    yield piece;
    check();
  }
}

/**
 * Counts the logs of the receipts that one answer lists. A receipt alone may have any number: it has no other way to
 * its reader.
 */
export class ListedLogs {
  readonly #context: QueryContext;
  readonly #advice: string;
  #receipts = 0;
  #logs = 0;

  /** @param advice what a caller can do instead of asking for too many */
  constructor(context: QueryContext, advice: string) {
    this.#context = context;
    this.#advice = advice;
  }

  /** Takes note of the receipt of an operation. @throws LimitError where the logs are too many together */
  add({ block, index }: Pick<IncludedOperation, 'block' | 'index'>): void {
    const { ledger, limits } = this.#context;
    this.#receipts += 1;
    this.#logs += ledger.receiptOutlineOf(block.number, index)?.logCount ?? 0;
    if (this.#receipts === 1 || this.#logs <= limits.logsMax) return;
    throw new LimitError(
      `the receipts have more than ${limits.logsMax} logs, the limit of one answer (--max-logs): ${this.#advice}`,
    );
  }
}

/** The texts of the receipts of operations, each in pieces. @throws LimitError */
export function* receiptTexts<Receipt>(
  operations: Iterable<IncludedOperation>,
  listed: ListedLogs,
  receiptOf: (operation: IncludedOperation) => ResponseBody<Receipt> | null,
): Generator<Iterable<string>> {
  for (const operation of operations) {
    listed.add(operation);
    const receipt = receiptOf(operation);
    if (receipt !== null) yield receipt.pieces();
  }
}
