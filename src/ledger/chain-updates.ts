import {
  type Block,
  decode,
  type Hash,
  invariant,
  type SignedBlockHeader,
  type SignedTransaction,
} from '../protocol/index.ts';
import type { RevertPlan, StoreReader } from '../store/index.ts';
import { WRITE_SLICE_MS } from '../time/job.ts';
import type { ChainWriter } from './blocks/chain-writer.ts';
import { checkHeader, importBlock } from './blocks/import-block.ts';
import type { LedgerSettings, Miner } from './blocks/miner.ts';
import type { NewBlock } from './blocks/new-block.ts';
import { type RevertedStore, revertChain } from './blocks/revert-chain.ts';
import { type Patch, patchRecordCodec } from './chain/patch-record.ts';
import type { BlockSummary } from './chain/records.ts';
import type { BlockWork, LedgerCore } from './core.ts';
import { HistoryDisabledError } from './errors/chain-errors.ts';
import { RefusedError, refuse } from './errors/refusal.ts';
import { originOf, producerOf } from './genesis/chain-parameters.ts';
import type { Genesis } from './genesis/genesis.ts';
import { checkGenesis } from './genesis/genesis-checks.ts';
import { isSameGenesis } from './genesis/genesis-codec.ts';
import { openOrigin } from './open-core.ts';
import { commitPatch } from './patches/commit-patch.ts';
import { type PoolCore, type RestoredTransaction, unlessMissing } from './pool/index.ts';
import type { ChainHistory } from './queries/ledger-queries.ts';
import type { ForkBase } from './state/fork-base.ts';
import { NativeState } from './state/native-state.ts';
import { blobTransactionHash } from './transactions/native-transaction.ts';

/** The state after a revert, in addition to the blocks. */
export interface PreviousChain extends Omit<RevertedStore, 'pending'> {
  /** Pending transactions afterwards; absent: unchanged. */
  readonly pending?: readonly RestoredTransaction[] | undefined;
  readonly settings?: LedgerSettings | undefined;
}

export interface UpdateDependencies {
  readonly writer: ChainWriter;
  readonly miner: Miner;
  readonly history: ChainHistory;
}

/** Reason for discarding a block under construction. */
const REORGANIZED = 'the chain was reorganised';

/** Changes of a chain: blocks from elsewhere, reverts, replacement, patches, pauses of writing; and their events. */
export class ChainUpdates {
  readonly #core: PoolCore;
  readonly #writer: ChainWriter;
  readonly #miner: Miner;
  readonly #history: ChainHistory;
  readonly #openedWith: Hash | undefined;

  /** @param openedWith chain id of the genesis that the ledger was opened with; undefined: that of the store */
  constructor(core: PoolCore, tools: UpdateDependencies, openedWith: Hash | undefined) {
    this.#core = core;
    ({ writer: this.#writer, miner: this.#miner, history: this.#history } = tools);
    this.#openedWith = openedWith;
  }

  // Blocks

  /**
   * Adds a block that was made elsewhere.
   * @throws BlockRejectedError, and RefusedError while writes are paused; nothing is changed then
   */
  importBlock(block: Block): BlockSummary {
    this.#writer.completeBlock();
    const added = this.#writer.add(importBlock(this.#core, block));
    this.#writer.announce(added);
    return added.summary;
  }

  /**
   * Adds empty blocks of another node, and stores them together: at least one, and no more once a moment of the
   * ledger's time has come. Returns their number. Throws as `importBlock`; none is added then.
   */
  importBatch(blocks: readonly Block[], until: number): number {
    this.#writer.completeBlock();
    const added = this.#writer.addTogether(blocks.length, until, (index) => {
      const block = blocks[index];
      invariant(block !== undefined, 'no more blocks are added than given');
      return importBlock(this.#core, block);
    });
    for (const block of added) this.#writer.announce(block, until);
    return added.length;
  }

  /**
   * Begins to add a block of another node, in several slices.
   * @param following returns the block after it, once that is known: other threads check its signatures early
   * @throws RefusedError while writes are paused
   */
  beginImport(block: Block, following?: () => Block | undefined): NewBlock {
    this.#writer.completeBlock();
    return this.#writer.begin(importBlock(this.#core, block, following));
  }

  /**
   * Checks that a header that was made elsewhere can be that of the next block: number, order, producer, signature.
   * @throws BlockRejectedError
   */
  checkNextHeader(header: SignedBlockHeader): void {
    checkHeader(this.#core, this.#core.origin.state.reading, header);
  }

  /** Returns true while a block is being added in several slices. */
  isAddingBlock(): boolean {
    return this.#writer.isAddingBlock;
  }

  // Pauses

  /** Pauses writes: any write is rejected with the reason; reads continue. */
  pauseWrites(reason: string): void {
    this.#writer.pause(reason);
  }

  /** Ends a pause; with instant production, pending transactions get their blocks at once. */
  resumeWrites(): void {
    this.#writer.resume();
    this.#miner.minePending();
  }

  // Reorganisations

  /**
   * Reverts the newest blocks; their transactions are not pending again. Pending transactions are checked again, as
   * after `handleReorg`; with instant production they get their blocks. Given ones whose sidecar is no longer stored
   * are dropped. The clock is unchanged, unless other settings are given.
   * @param block the new head: not before `oldestState`; the current head only with given pending transactions
   * @param plan its plan, if there is one
   * @throws ChainDamagedError if the resulting state is not that of the block, RefusedError while writes are paused,
   *   and as `Store.revertBlocks`; nothing is changed then
   */
  revertTo(block: number, { settings, pending, ...former }: PreviousChain = {}, plan?: RevertPlan): void {
    const { store, pool, listeners } = this.#core;
    this.#writer.requireWriting();
    const lost = pending?.filter((given) => lacksSidecar(given.pending.transaction, store)) ?? [];
    const waiting = lost.length === 0 ? pending : pending?.filter((given) => !lost.includes(given));
    listeners.reverting.notify(block);
    revertChain(store, block, { ...former, pending: waiting?.map(({ record }) => record) }, plan);
    if (waiting !== undefined) pool.replaceAll(waiting.map((given) => given.pending));
    if (settings !== undefined) this.#miner.restore(settings);
    this.handleReorg();
    for (const { pending: dropped } of lost) {
      const { transaction } = dropped;
      listeners.dropped.notify({ transaction, error: new RefusedError({ code: 'sidecarMissing' }) });
    }
    this.#writer.reportDropped();
    this.#miner.minePending();
  }

  /**
   * Replaces the chain by that of a store. Nothing is pending afterwards; the clock follows the settings, or the new
   * head if that is later.
   * @param source a checked chain and nothing else
   * @param genesis may differ from that of this chain
   * @param restored value of `Store.restored` from then on
   * @param base the state at the block of a fork; needed if another genesis names one
   * @throws RefusedError without the key of its producer and while writes are paused, InvalidGenesisError, and as
   *   `Store.replaceChain`; nothing is changed then
   */
  replaceChain(
    source: StoreReader,
    genesis: Genesis,
    settings: LedgerSettings,
    restored?: Uint8Array,
    base?: ForkBase,
  ): void {
    const { store, chain, clock, origin, pool, listeners } = this.#core;
    this.#writer.requireWriting();
    this.#requireProducerKey(source, genesis);
    const isKept = base === undefined && isSameGenesis(genesis, origin.genesis);
    const next = isKept ? origin : this.#originOf(genesis, base);
    listeners.reverting.notify(0);
    store.replaceChain(source, this.#openedWith, restored);
    pool.replaceAll([]);
    this.#writer.discard(REORGANIZED);
    this.#core.origin = next;
    this.#miner.restore(settings);
    this.handleReorg();
    clock.keepUp(chain.head().header.timestamp);
    this.#writer.reportDropped();
  }

  /** Throws `RefusedError` if this node lacks the key of the next producer of a chain. */
  #requireProducerKey(source: StoreReader, genesis: Genesis): void {
    const producer = new NativeState(source).account(producerOf(genesis, (source.head() ?? 0) + 1));
    const isHeld = producer !== undefined && this.#miner.keys.signerOf(producer.echorandKey) !== undefined;
    if (!isHeld) refuse({ code: 'otherProducer' });
  }

  /** Derives the origin of another genesis for the same store. Throws InvalidGenesisError, NoForkBaseError. */
  #originOf(genesis: Genesis, base: ForkBase | undefined): LedgerCore['origin'] {
    checkGenesis(genesis);
    const { store, chain, origin } = this.#core;
    const next = originOf(genesis, base);
    return openOrigin(this.#core, next, origin.state.applying.over(store, chain, next.rules));
  }

  /**
   * Handles a reorganisation of the store: clears everything in memory about the chain, discards a block under
   * construction, checks pending transactions again, and notifies all listeners.
   */
  handleReorg(): void {
    const { store, origin, pool } = this.#core;
    this.#writer.discard(REORGANIZED);
    origin.state.reload();
    pool.reload();
    this.#history.clearBlocks(Math.max(this.#history.reorgCount + 1, store.reorgCount()));
  }

  // Patches

  /**
   * Changes the state after the head at once, without a block; the next block starts from it.
   * @param make returns the change, or none, for the current state; its exceptions are thrown
   * @throws RefusedError for an invalid change, on a chain that is not in test mode, and while writes are paused;
   *   HistoryDisabledError; as the store; nothing is changed then
   */
  patch(make: () => Patch | undefined): void {
    this.#writer.completeBlock();
    const patch = make();
    if (patch === undefined) return;
    if (patch.type === 'operationCount' && !this.#core.store.history) throw new HistoryDisabledError();
    this.#patch(patch);
  }

  /**
   * Applies a patch of another store of the same chain.
   * @param record from `StoreReader.patchesAfter`
   * @throws as `patch`, also for another resulting supply, and DecodeError for a record that cannot be
   *   read
   */
  importPatch(record: Uint8Array): void {
    this.#writer.completeBlock();
    const { patch, supply } = decode(patchRecordCodec, record);
    this.#patch(patch, supply);
  }

  /** Commits a patch, and makes it visible in memory. */
  #patch(patch: Patch, supply?: bigint): void {
    const { chain, origin, pool, time, listeners } = this.#core;
    const inputs = chain.nextPatched();
    commitPatch(this.#core, patch, supply);
    origin.state.reload();
    this.#history.clearState();
    chain.notePatch(inputs, patch);
    pool.reload();
    unlessMissing(() => pool.catchUp(time.now() + WRITE_SLICE_MS));
    listeners.patched.notify();
    this.#writer.reportDropped();
  }

  /** Patches after the head. */
  get patchCount(): number {
    const { store, chain } = this.#core;
    return store.patchCount(chain.head().number);
  }

  // Events

  /** Subscribes to stored blocks, with the cost of adding each. Returns the function that unsubscribes. */
  onBlock(listener: (block: BlockSummary, work: BlockWork) => void): () => void {
    return this.#core.listeners.block.add(listener);
  }

  /** Subscribes to patches: another state after the head, same blocks. Returns the function that unsubscribes. */
  onPatched(listener: () => void): () => void {
    return this.#core.listeners.patched.add(listener);
  }

  /**
   * Subscribes to reverts before they begin, with the number of the last block that stays. A revert may still fail.
   * Returns the function that unsubscribes.
   */
  onReverting(listener: (last: number) => void): () => void {
    return this.#core.listeners.reverting.add(listener);
  }
}

/** Returns true for a blob transaction whose sidecar is not stored. */
function lacksSidecar(transaction: SignedTransaction, store: Pick<StoreReader, 'sidecar'>): boolean {
  const hash = blobTransactionHash(transaction);
  return hash !== undefined && store.sidecar(hash) === undefined;
}
