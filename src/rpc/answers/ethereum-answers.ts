import { BoundedMap } from '../../bounded-map.ts';
import type { LedgerQueries } from '../../ledger/index.ts';
import { BLOCK_SUMS_MAX, FEE_HISTORIES_CHARACTERS_MAX } from '../../limits.ts';
import {
  type BlockFacts,
  type EthereumBlockObject,
  type EthereumReceiptObject,
  type EthereumTransactionObject,
  logsBloom,
} from '../../view/index.ts';
import type { FeeHistory } from './fee-history.ts';
import { AnswerCache, IncludedAnswers } from './included-answers.ts';

/** What all receipts of a block say together. */
export interface BlockSums extends BlockFacts {
  /** Gas that the block used up to the end of each operation. */
  readonly cumulativeGas: readonly bigint[];
}

/** What was answered of blocks on `/ethereum`, and what had to be summed up for that. */
export class EthereumAnswers extends IncludedAnswers<
  EthereumBlockObject,
  EthereumTransactionObject,
  EthereumReceiptObject
> {
  readonly #sums = new BoundedMap<number, BlockSums>(
    BLOCK_SUMS_MAX,
    ({ cumulativeGas }) => cumulativeGas.length + 1,
  );
  /** By block, how many operations the payer of each had paid for before it. */
  readonly #counts = new BoundedMap<number, readonly number[]>(BLOCK_SUMS_MAX, ({ length }) => length + 1);

  /** By the oldest block, how many blocks, and how many rewards. */
  readonly feeHistories = new AnswerCache<string, FeeHistory>(FEE_HISTORIES_CHARACTERS_MAX);

  constructor(ledger: Pick<LedgerQueries, 'onForgotten'>) {
    super(ledger);
    ledger.onForgotten(() => {
      this.feeHistories.clear();
      this.#sums.clear();
      this.#counts.clear();
    });
  }

  /** The sums of a block that is there. */
  sumsOf(
    ledger: LedgerQueries,
    block: { readonly number: number; readonly operationCount: number },
  ): BlockSums {
    const known = this.#sums.get(block.number);
    if (known !== undefined) return known;
    const sums = sumReceipts(ledger, block);
    this.#sums.set(block.number, sums);
    return sums;
  }

  /** What `make` gives for a block, which is remembered. */
  countsOf(block: number, make: () => readonly number[]): readonly number[] {
    const known = this.#counts.get(block);
    if (known !== undefined) return known;
    const counts = make();
    this.#counts.set(block, counts);
    return counts;
  }
}

function sumReceipts(
  ledger: LedgerQueries,
  { number, operationCount }: { readonly number: number; readonly operationCount: number },
): BlockSums {
  const cumulativeGas: bigint[] = [];
  const bloom = new Uint8Array(logsBloom([]));
  let gasUsed = 0n;
  for (let index = 0; index < operationCount; index += 1) {
    const receipt = ledger.receiptOf(number, index);
    gasUsed += receipt?.gasUsed ?? 0n;
    cumulativeGas.push(gasUsed);
    if (receipt === undefined || receipt.logs.length === 0) continue;
    const own = logsBloom(receipt.logs);
    for (let byte = 0; byte < bloom.length; byte += 1) bloom[byte] = (bloom[byte] ?? 0) | (own[byte] ?? 0);
  }
  return { gasUsed, logsBloom: bloom, cumulativeGas };
}
