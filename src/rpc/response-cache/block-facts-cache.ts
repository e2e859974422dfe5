import { BoundedMap } from '../../caching/bounded-map.ts';
import {
  type BlockFacts,
  type BloomedLog,
  logItem,
  logsBloom,
  receiptLeaf,
  rootOfLeaves,
  transactionLeaf,
} from '../../formatters/index.ts';
import { type BlockSummary, stateTrieRootOf } from '../../ledger/index.ts';
import { invariant, toPrefixedHex } from '../../protocol/index.ts';
import { completeJob } from '../../time/job.ts';
import { operationsIn, type RevertibleLedger, revertCheck } from '../blocks/block-operations.ts';

/** Blocks whose bloom filters are cached for `/ethereum`. */
const BLOCK_BLOOMS_MAX = 1_024;
/** Operations of the blocks whose sums of receipts are cached for `/ethereum`. */
const BLOCK_SUMS_MAX = 100_000;
/** Event logs of a receipt that is written in one step, and transactions of a block summed up in one step. */
export const LOGS_AT_ONCE_MAX = 100;
export const TRANSACTIONS_AT_ONCE_MAX = 20;

/** The parts of `BlockFacts` that need the logs of a block. */
type LogFacts = Pick<BlockFacts, 'logsBloom' | 'roots'>;

/** Sums over the receipts of blocks, for the objects of `/ethereum`. */
export class BlockFactsCache {
  /** By block number, the cumulative gas after each operation. */
  readonly #gas = new BoundedMap<number, readonly bigint[]>(BLOCK_SUMS_MAX, ({ length }) => length + 1);
  /** By block number, the bloom filter of all its logs, and the roots of its tries. */
  readonly #blooms = new BoundedMap<number, LogFacts>(BLOCK_BLOOMS_MAX);
  /** By block number, the number of earlier operations of the payer of each operation. */
  readonly #counts = new BoundedMap<number, readonly number[]>(BLOCK_SUMS_MAX, ({ length }) => length + 1);

  constructor(ledger: Pick<RevertibleLedger, 'history'>) {
    ledger.history.onReorg(() => {
      this.#gas.clear();
      this.#blooms.clear();
      this.#counts.clear();
    });
  }

  /** Returns the cumulative gas after each operation of a block; undefined if that takes several steps. */
  gasOf(ledger: RevertibleLedger, block: BlockSummary): readonly bigint[] | undefined {
    const known = this.#gas.get(block.number);
    if (known !== undefined || block.operationCount > TRANSACTIONS_AT_ONCE_MAX) return known;
    return completeJob(this.gasJob(ledger, block));
  }

  /** Returns the same in steps, for any number of operations. @throws BlockRevertedError */
  *gasJob(ledger: RevertibleLedger, block: BlockSummary): Generator<string, readonly bigint[]> {
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

  /** Sums up the receipts of a block. */
  factsOf(ledger: RevertibleLedger, block: BlockSummary): BlockFacts {
    return completeJob(this.factsJob(ledger, block));
  }

  /** Returns the same in steps. @throws BlockRevertedError */
  *factsJob(ledger: RevertibleLedger, block: BlockSummary): Generator<string, BlockFacts> {
    const gas = yield* this.gasJob(ledger, block);
    const known = this.#blooms.get(block.number);
    const make = () => (hasTries(block) ? computeRoots(ledger, block, gas) : computeBloom(ledger, block));
    const facts = known ?? (yield* make());
    if (known === undefined) this.#blooms.set(block.number, facts);
    return {
      gasUsed: gas.at(-1) ?? 0n,
      ...facts,
      ...ledger.prices.of(block),
      ...ledger.prices.settings(block),
    };
  }

  /** Returns the cached operation counts of a block, or makes them. */
  *countsJob(
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

/** Returns true if the objects of a block have roots of Ethereum's tries. */
export function hasTries({ header }: BlockSummary): boolean {
  return stateTrieRootOf(header) !== '';
}

/** Computes the bloom filter and the tries of a block. @param gas result of `gasJob` */
function* computeRoots(
  ledger: RevertibleLedger,
  block: BlockSummary,
  gas: readonly bigint[],
): Generator<string, LogFacts> {
  const whole = logsBloom([]);
  const transactions = [];
  const receipts = [];
  for (const operation of operationsIn(ledger, block)) {
    const { index } = operation;
    const outline = ledger.blocks.receiptOutlineOf(block.number, index);
    invariant(outline !== undefined, 'an included operation has a receipt');
    const bloom = logsBloom([]);
    const items: Uint8Array[] = [];
    for (const log of outline.logs()) {
      logsBloom([log], bloom);
      items.push(logItem(log));
      if (items.length % LOGS_AT_ONCE_MAX === 0) yield '';
    }
    for (const [at, byte] of bloom.entries()) whole[at] = (whole[at] ?? 0) | byte;
    transactions.push(transactionLeaf(operation));
    receipts.push(receiptLeaf(operation, outline, gas[index] ?? 0n, bloom, items));
    if (index % TRANSACTIONS_AT_ONCE_MAX === 0) yield '';
  }
  const roots = {
    state: `0x${stateTrieRootOf(block.header)}`,
    transactions: toPrefixedHex(rootOfLeaves(transactions)),
    receipts: toPrefixedHex(rootOfLeaves(receipts)),
  } as const;
  return { logsBloom: whole, roots };
}

function* computeBloom(ledger: RevertibleLedger, block: BlockSummary): Generator<string, LogFacts> {
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
  return { logsBloom: bloom };
}
