import { BoundedMap } from '../../bounded-map.ts';
import type { BlockSummary, LedgerQueries } from '../../ledger/index.ts';
import {
  BLOCK_BLOOMS_MAX,
  BLOCK_SUMS_MAX,
  LOGS_AT_ONCE_MAX,
  TRANSACTIONS_AT_ONCE_MAX,
} from '../../limits.ts';
import { type BlockFacts, type BloomedLog, logsBloom } from '../../view/index.ts';
import { readingOf } from '../blocks/block-steps.ts';
import { stepped } from '../json/text-steps.ts';

/** The part of a ledger that receipts are summed up from. */
export type SummedLedger = Pick<LedgerQueries, 'history' | 'blocks'>;

/** Sums over the receipts of blocks, for the objects of `/ethereum`. */
export class BlockFactsCache {
  /** By block, gas that it used up to the end of each operation. */
  readonly #gas = new BoundedMap<number, readonly bigint[]>(BLOCK_SUMS_MAX, ({ length }) => length + 1);
  /** By block, the bloom filter of all of its logs. */
  readonly #blooms = new BoundedMap<number, Uint8Array>(BLOCK_BLOOMS_MAX);
  /** By block, the number of earlier operations of the payer of each. */
  readonly #counts = new BoundedMap<number, readonly number[]>(BLOCK_SUMS_MAX, ({ length }) => length + 1);

  constructor(ledger: Pick<LedgerQueries, 'history'>) {
    ledger.history.onReorg(() => {
      this.#gas.clear();
      this.#blooms.clear();
      this.#counts.clear();
    });
  }

  /** Returns the gas that a block used up to the end of each operation; undefined where that takes steps. */
  gasOf(ledger: SummedLedger, block: BlockSummary): readonly bigint[] | undefined {
    const known = this.#gas.get(block.number);
    if (known !== undefined || block.operationCount > TRANSACTIONS_AT_ONCE_MAX) return known;
    return stepped(this.gasSteps(ledger, block));
  }

  /** Returns the same in steps, however many operations there are. @throws BlockRevertedError */
  *gasSteps(ledger: SummedLedger, block: BlockSummary): Generator<string, readonly bigint[]> {
    const known = this.#gas.get(block.number);
    if (known !== undefined) return known;
    const check = readingOf(ledger, block);
    const gas: bigint[] = [];
    let sum = 0n;
    for (let index = 0; index < block.operationCount; index += 1) {
      sum += ledger.blocks.receiptOutlineOf(block.number, index)?.gasUsed ?? 0n;
      gas.push(sum);
      if (gas.length % TRANSACTIONS_AT_ONCE_MAX > 0) continue;
      yield '';
      check();
    }
    this.#gas.set(block.number, gas);
    return gas;
  }

  /** Sums the receipts of a block up, in steps. @throws BlockRevertedError */
  *factSteps(ledger: SummedLedger, block: BlockSummary): Generator<string, BlockFacts> {
    const gas = yield* this.gasSteps(ledger, block);
    const known = this.#blooms.get(block.number);
    const bloom = known ?? (yield* bloomSteps(ledger, block));
    if (known === undefined) this.#blooms.set(block.number, bloom);
    return { gasUsed: gas.at(-1) ?? 0n, logsBloom: bloom };
  }

  /** Returns what `make` does for a block, once made. */
  *countSteps(
    block: number,
    make: () => Generator<string, readonly number[]>,
  ): Generator<string, readonly number[]> {
    const known = this.#counts.get(block);
    if (known !== undefined) return known;
    const counts = yield* make();
    this.#counts.set(block, counts);
    return counts;
  }
}

function* bloomSteps(ledger: SummedLedger, block: BlockSummary): Generator<string, Uint8Array> {
  const check = readingOf(ledger, block);
  const bloom = logsBloom([]);
  for (let index = 0; index < block.operationCount; index += 1) {
    let some: BloomedLog[] = [];
    for (const log of ledger.blocks.receiptOutlineOf(block.number, index)?.logs() ?? []) {
      some.push(log);
      if (some.length < LOGS_AT_ONCE_MAX) continue;
      logsBloom(some, bloom);
      some = [];
      yield '';
      check();
    }
    logsBloom(some, bloom);
    if (index % TRANSACTIONS_AT_ONCE_MAX > 0) continue;
    yield '';
    check();
  }
  return bloom;
}
