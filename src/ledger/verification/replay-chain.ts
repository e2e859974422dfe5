import { type Block, blockCodec, decode, equalBytes, LedgerdError } from '../../protocol/index.ts';
import { type Store, StoreError, type StoreReader } from '../../store/index.ts';
import { inSlices } from '../../time/job.ts';
import { storedGenesis } from '../blocks/genesis-block.ts';
import { systemClock } from '../chain/clock.ts';
import { serializedBlock } from '../chain/records.ts';
import { ChainDamagedError } from '../errors/chain-errors.ts';
import { genesisNumberOf } from '../genesis/genesis.ts';
import { Ledger } from '../ledger.ts';
import type { ForkBase } from '../state/fork-base.ts';

/** Source and target of a replay. */
export interface ReplayOptions {
  /** The chain to replay. */
  readonly source: StoreReader;
  /** An empty store, or one of an unfinished replay of the same chain. */
  readonly target: Store;
  /** Number of the last block to apply, with its patches for the head. Default: the current head of the source. */
  readonly lastBlock?: number | undefined;
  /** The state at the block of a fork; needed if the genesis names one. */
  readonly base?: ForkBase | undefined;
  /** Ends the replay after a block; the target has whole blocks then. */
  readonly stop?: AbortSignal | undefined;
  /** Called after each applied block. */
  onBlock?(number: number): void;
}

/**
 * Applies the blocks of a chain to another store, each with every check of an imported block: genesis, links,
 * signatures, results, roots; and the patches of a test chain. The stored state of the source is not read.
 * @throws ChainDamagedError if a block does not follow from the previous ones, as the stores, and the signal's reason
 *   once it is aborted
 */
export async function replayChain(options: ReplayOptions): Promise<void> {
  const { source, target } = options;
  const lastBlock = options.lastBlock ?? source.head();
  const genesis = storedGenesis(source);
  if (genesis === undefined || lastBlock === undefined) throw new ChainDamagedError('there is none');
  const clock = systemClock;
  const ledger = await Ledger.open({
    store: target,
    genesis,
    base: options.base,
    clock,
    keys: [],
    mining: 'none',
  });
  checkGenesisBlock(source, target, genesisNumberOf(genesis));
  await inSlices(replaying(ledger, lastBlock, options));
}

function* replaying(
  ledger: Ledger,
  lastBlock: number,
  { source, stop, onBlock }: ReplayOptions,
): Generator<void, void> {
  while (ledger.blocks.head().number < lastBlock) {
    stop?.throwIfAborted();
    yield* replayPatches(source, ledger);
    const number = ledger.blocks.head().number + 1;
    replay(`block ${number}`, () => ledger.chain.importBlock(readBlock(source, number)));
    onBlock?.(number);
    yield;
  }
  if (lastBlock === source.head()) yield* replayPatches(source, ledger);
}

/** Applies the missing patches after the head. */
function* replayPatches(source: StoreReader, ledger: Ledger): Generator<void, void> {
  const { number } = ledger.blocks.head();
  const known = ledger.chain.patchCount;
  let sequence = 0;
  for (const record of source.patchesAfter(number)) {
    sequence += 1;
    if (sequence <= known) continue;
    replay(`patch ${sequence} after block ${number}`, () => ledger.chain.importPatch(record));
    yield;
  }
}

function checkGenesisBlock(source: StoreReader, target: Store, number: number): void {
  const there = source.block(number);
  const here = target.block(number);
  if (there !== undefined && here !== undefined && equalBytes(there, here)) return;
  throw new ChainDamagedError(`block ${number} is not that of its genesis`);
}

function readBlock(source: StoreReader, number: number): Block {
  const bytes = serializedBlock(source, number);
  if (bytes === undefined) throw new ChainDamagedError(`block ${number} is missing`);
  return decode(blockCodec, bytes, '');
}

/** Converts any error in a block or a patch to damage of the source chain. */
function replay(what: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    const isOfBlock = cause instanceof LedgerdError && !(cause instanceof StoreError);
    if (!isOfBlock || cause instanceof ChainDamagedError) throw cause;
    throw new ChainDamagedError(`${what} cannot be applied: ${cause.message}`, { cause });
  }
}
