import { BlobSidecars } from './blob-sidecars.ts';
import type { BlockSigner } from './blocks/block-assembly.ts';
import { BlockBuilder } from './blocks/block-builder.ts';
import { ChainWriter } from './blocks/chain-writer.ts';
import { Miner } from './blocks/miner.ts';
import type { FirstMining } from './blocks/mining.ts';
import { ProducerKeys, type SignedBlocks } from './blocks/producer-keys.ts';
import type { MovableClock } from './chain/clock.ts';
import { ChainUpdates } from './chain-updates.ts';
import type { ChainParameters } from './genesis/chain-parameters.ts';
import { chainIdOf } from './genesis/genesis-codec.ts';
import { type CoreOptions, openCore } from './open-core.ts';
import { Pool, type PoolCore } from './pool/index.ts';
import type { AccountQueries } from './queries/account-queries.ts';
import type { BlockQueries } from './queries/block-queries.ts';
import type { CallQueries } from './queries/call-queries.ts';
import { type History, type LedgerQueries, queriesOf } from './queries/ledger-queries.ts';
import type { PriceQueries } from './queries/price-queries.ts';

/** Default blocks after its block for which the sidecar of a transaction is kept. */
export const BLOB_RETENTION_BLOCKS_DEFAULT = 4_096;

/** Options of opening a ledger, which becomes the only writer of the store. */
export interface LedgerOptions extends CoreOptions {
  readonly mining: FirstMining;
  /** The consensus keys that this node holds. */
  readonly keys: readonly BlockSigner[];
  /** Record of the blocks signed with these keys. Default: none; only the chain is consulted. */
  readonly signed?: SignedBlocks | undefined;
  /**
   * Milliseconds for checking and executing pending transactions before the ledger is open; the rest stays pending
   * unchecked. Default: `PENDING_RESTORE_MS_MAX`.
   */
  readonly restoreMs?: number | undefined;
  /** Blocks for which the sidecar of an included transaction is kept. Default: `BLOB_RETENTION_BLOCKS_DEFAULT`. */
  readonly blobRetention?: number | undefined;
}

/**
 * The native ledger, and the only way to change it. Synchronous once it is open. Its parts share
 * a core: the queries, and those that change the chain.
 */
export class Ledger implements LedgerQueries {
  readonly parameters: ChainParameters;
  readonly blocks: BlockQueries;
  readonly accounts: AccountQueries;
  readonly origins: LedgerQueries['origins'];
  readonly calls: CallQueries;
  readonly history: History;
  readonly prices: PriceQueries;
  readonly clock: MovableClock;
  readonly miner: Miner;
  readonly pool: Pool;
  readonly chain: ChainUpdates;
  readonly blobs: BlobSidecars;

  private constructor(core: PoolCore, options: LedgerOptions) {
    const queries = queriesOf(core);
    const writer = new ChainWriter(core);
    const keys = new ProducerKeys(core, options.keys, options.signed);
    const builder = new BlockBuilder(core, keys);
    const miner = new Miner(core, { writer, keys, builder }, options.mining);
    const { history } = queries;
    const openedWith = options.genesis && chainIdOf(options.genesis);
    ({ parameters: this.parameters, blocks: this.blocks, accounts: this.accounts } = queries);
    ({ calls: this.calls, history: this.history, prices: this.prices, origins: this.origins } = queries);
    this.clock = core.clock;
    this.miner = miner;
    this.blobs = new BlobSidecars(
      core,
      queries.blocks,
      options.blobRetention ?? BLOB_RETENTION_BLOCKS_DEFAULT,
    );
    this.chain = new ChainUpdates(core, { writer, miner, history }, openedWith);
    this.pool = new Pool(core, { writer, miner, queries, sidecars: this.blobs, chain: this.chain });
  }

  /**
   * Opens the ledger of a store; an empty store gets the genesis block. Transactions that were pending when the store
   * was closed are pending again, and get their blocks at once with instant production.
   * @throws InvalidGenesisError, GenesisMismatchError, NoGenesisError for an empty store without a genesis,
   *   ChainDamagedError, and as the store
   */
  static async open(options: LedgerOptions): Promise<Ledger> {
    const ledger = new Ledger(await openCore(options), options);
    ledger.pool.restore(options.restoreMs);
    ledger.blobs.reload();
    ledger.history.onReorg(() => ledger.blobs.reload());
    return ledger;
  }
}
