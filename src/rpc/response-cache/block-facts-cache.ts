import { BoundedMap } from '../../bounded-map.ts';
import type { BlockSummary } from '../../ledger/index.ts';
import {
  BLOCK_BLOOMS_MAX,
  BLOCK_SUMS_MAX,
  LOGS_AT_ONCE_MAX,
  TRANSACTIONS_AT_ONCE_MAX,
} from '../../limits.ts';
import { type BlockFacts, type BloomedLog, logsBloom } from '../../view/index.ts';
import { revertCheck, type SteppedLedger } from '../blocks/block-steps.ts';
import { runSteps } from '../json/text-steps.ts';

/** Sums over the receipts of blocks, for the objects of `/ethereum`. */
export class BlockFactsCache {
  /** By block number, the cumulative gas after each operation. */
  readonly #gas = new BoundedMap<number, readonly bigint[]>(BLOCK_SUMS_MAX, ({ length }) => length + 1);
  /** By block number, the bloom filter of all its logs. */
  readonly #blooms = new BoundedMap<number, Uint8Array>(BLOCK_BLOOMS_MAX);
  /** By block number, the number of earlier operations of the payer of each operation. */
  readonly #counts = new BoundedMap<number, readonly number[]>(BLOCK_SUMS_MAX, ({ length }) => length + 1);

  constructor(ledger: Pick<SteppedLedger, 'history'>) {
    ledger.history.onReorg(() => {
      this.#gas.clear();
      this.#blooms.clear();
      this.#counts.clear();
    });
  }

  /** Returns the cumulative gas after each operation of a block; undefined if that takes several steps. */
  gasOf(ledger: SteppedLedger, block: BlockSummary): readonly bigint[] | undefined {
    const known = this.#gas.get(block.number);
    if (known !== undefined || block.operationCount > TRANSACTIONS_AT_ONCE_MAX) return known;
    return runSteps(this.gasSteps(ledger, block));
  }

  /** Returns the same in steps, for any number of operations. @throws BlockRevertedError */
  *gasSteps(ledger: SteppedLedger, block: BlockSummary): Generator<string, readonly bigint[]> {
    const known = this.#gas.get(block.number);
    if (known !== undefined) return known;
    const check = revertCheck(ledger, block);
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

  /** Sums up the receipts of a block, in steps. @throws BlockRevertedError */
  *factSteps(ledger: SteppedLedger, block: BlockSummary): Generator<string, BlockFacts> {
    const gas = yield* this.gasSteps(ledger, block);
    const known = this.#blooms.get(block.number);
    const bloom = known ?? (yield* bloomSteps(ledger, block));
    if (known === undefined) this.#blooms.set(block.number, bloom);
    return { gasUsed: gas.at(-1) ?? 0n, logsBloom: bloom, ...ledger.prices.of(block) };
  }

  /** Returns the cached operation counts of a block, or makes them. */
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

function* bloomSteps(ledger: SteppedLedger, block: BlockSummary): Generator<string, Uint8Array> {
  const check = revertCheck(ledger, block);
  const bloom = logsBloom([]);
  for (let index = 0; index < block.operationCount; index += 1) {
    let logs: BloomedLog[] = [];
    for (const log of ledger.blocks.receiptOutlineOf(block.number, index)?.logs() ?? []) {
      logs.push(log);
      if (logs.length < LOGS_AT_ONCE_MAX) continue;
      logsBloom(logs, bloom);
      logs = [];
      yield '';
      check();
    }
    logsBloom(logs, bloom);
    if (index % TRANSACTIONS_AT_ONCE_MAX > 0) continue;
    yield '';
    check();
  }
  return bloom;
}
