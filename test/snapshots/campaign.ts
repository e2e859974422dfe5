import { deepStrictEqual } from 'node:assert';
import { compareChains, replayChain, verifyState } from '../../src/ledger/index.ts';
import { bytesToHex } from '../../src/protocol/index.ts';
import { META_KEYS, openStore } from '../../src/store/index.ts';
import { callData } from '../fuzz/call-data.ts';
import { Random } from '../fuzz/random.ts';
import { compileWorldContracts, openWorld, type World, type WorldContracts } from '../fuzz/world.ts';

/** Options of a campaign. */
export interface SnapshotCampaignOptions {
  readonly sequences: number;
  /** Determines all of it. */
  readonly seed: number;
  /** Gets a line of progress every now and then. */
  report?(line: string): void;
}

/** The summary of a campaign without findings. */
export interface SnapshotSummary {
  readonly sequences: number;
  readonly calls: number;
  readonly snapshots: number;
  readonly reverts: number;
  readonly patches: number;
  readonly replays: number;
}

/** Sequences on one chain, which is verified and replayed at their end. */
const SEQUENCES_OF_CHAIN = 100;
/** Calls of a sequence at most. */
const CALLS_MAX = 40;
/** Accounts that sequences send from and to. */
const ACCOUNTS = 4;

/** Addresses that have code from time to time. */
const PATCHED: readonly string[] = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}`);
/**
 * Codes that return slot 0, store the random number of the block in it, send the balance to the caller, and do nothing.
 */
const CODES: readonly string[] = ['0x60005460005260206000f3', '0x4460005500', '0x33ff', '0x'];

/** A snapshot, and what all was like when it was taken. */
interface Taken {
  readonly id: string;
  readonly copy: Copy;
}

/** All that a revert has to bring back. */
interface Copy {
  readonly entries: readonly string[];
  readonly settings: unknown;
  readonly control: unknown;
  readonly accounts: unknown;
}

/** Facts of the file that are to differ. */
const BESIDE = [META_KEYS.reorgCount, META_KEYS.snapshot, META_KEYS.restored].map((name) =>
  Buffer.from(name).toString('hex'),
);

/**
 * Interleaves random transfers, calls, control calls, snapshots and reverts.
 *
 * @throws an error for the first table that is not what it was, and for a chain that does not hold
 */
export async function runSnapshotCampaign(options: SnapshotCampaignOptions): Promise<SnapshotSummary> {
  const contracts = await compileWorldContracts();
  const counts = { sequences: 0, calls: 0, snapshots: 0, reverts: 0, patches: 0, replays: 0 };
  while (counts.sequences < options.sequences) {
    const first = counts.sequences;
    const count = Math.min(SEQUENCES_OF_CHAIN, options.sequences - first);
    await onOneChain(contracts, new Random(options.seed + first), count, counts);
    options.report?.(
      Object.entries(counts)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    );
  }
  return counts;
}

type Counts = { -readonly [K in keyof SnapshotSummary]: SnapshotSummary[K] };

async function onOneChain(
  contracts: WorldContracts,
  random: Random,
  sequences: number,
  counts: Counts,
): Promise<void> {
  const world = await openWorld(contracts);
  try {
    const run = new Run(world, random, counts);
    const base = await run.take();
    for (let done = 0; done < sequences; done += 1) {
      await run.sequence();
      await run.goBack(base, true);
      counts.sequences += 1;
    }
    await run.sequence();
    await verify(world);
    counts.replays += 1;
  } finally {
    await world.close();
  }
}

/** Checks the state against the head, and the tables against a replay of the blocks. */
async function verify({ store }: World): Promise<void> {
  await verifyState(store);
  const target = openStore({ durable: false, history: true });
  try {
    await replayChain({ source: store, target });
    deepStrictEqual(await compareChains(store, target), undefined);
  } finally {
    await target.close();
  }
}

/** Random sequences on the chain of a world. */
class Run {
  readonly #world: World;
  readonly #random: Random;
  readonly #counts: Counts;
  /** Those that can be reverted to, oldest first. */
  #taken: Taken[] = [];
  #journal: string[] = [];

  constructor(world: World, random: Random, counts: Counts) {
    this.#world = world;
    this.#random = random;
    this.#counts = counts;
  }

  async sequence(): Promise<void> {
    this.#journal = [];
    const length = 1 + this.#random.below(CALLS_MAX);
    for (let done = 0; done < length; done += 1) await this.#step();
  }

  async take(): Promise<Taken> {
    const copy = this.#copy();
    const taken = { id: String(await this.#call('evm_snapshot')), copy };
    this.#counts.snapshots += 1;
    this.#taken.push(taken);
    return taken;
  }

  /** Reverts to a snapshot and compares everything. */
  async goBack({ id, copy }: Taken, keep: boolean): Promise<void> {
    deepStrictEqual(await this.#call('evm_revert', id, { keep }), true);
    this.#counts.reverts += 1;
    const index = this.#taken.findIndex((taken) => taken.id === id);
    this.#taken.length = keep ? index + 1 : index;
    const now = this.#copy();
    try {
      deepStrictEqual(now, copy);
    } catch (cause) {
      throw new Error(`after ${this.#journal.join('\n')}: ${(cause as Error).message}`, { cause });
    }
  }

  #step(): Promise<unknown> {
    const random = this.#random;
    const step = random.pickWeighted<() => Promise<unknown>>([
      [8, () => this.#call('eth_sendTransaction', this.#transfer())],
      [8, () => this.#call('eth_sendTransaction', this.#contractCall())],
      [3, () => this.#call('evm_mine')],
      [1, () => this.#call('evm_mine', { blocks: random.below(4) + 1 })],
      [2, () => this.#call('evm_increaseTime', random.below(600))],
      [2, () => this.#call(random.pick(['miner_start', 'miner_stop']))],
      [1, () => this.#call('personal_newAccount', random.pick(['', 'secret']))],
      [1, () => this.#call('personal_lockAccount', this.#account())],
      [
        1,
        () =>
          this.#call('personal_unlockAccount', this.#account(), random.pick(['', 'secret']), random.below(3)),
      ],
      [4, () => this.#control()],
      [6, () => this.#patch()],
      [5, () => this.take()],
      [5, () => this.#goBackToAny()],
      [1, () => this.#lose(() => this.#call('anvil_rollback', this.#depth()))],
      [1, () => this.#lose(() => this.#reorganize())],
    ]);
    return step();
  }

  /** Sets something of when and how blocks come; an interval is so long that none comes by it. */
  #control(): Promise<unknown> {
    const random = this.#random;
    const { timestamp } = this.#world.ledger.blocks.head().header;
    const control = random.pick<() => Promise<unknown>>([
      () => this.#call('evm_setAutomine', random.oneIn(2)),
      () => this.#call('evm_setIntervalMining', random.oneIn(2) ? 0 : 100_000),
      () => this.#call('evm_setNextBlockTimestamp', timestamp + random.below(1_000)),
      () => this.#call('anvil_setBlockTimestampInterval', random.below(60)),
      () => this.#call('anvil_removeBlockTimestampInterval'),
      () => this.#call('evm_setBlockGasLimit', random.pick([100_000, 30_000_000, 100_000_000])),
      () => this.#call('anvil_dropAllTransactions'),
      () => this.#call('anvil_mine', random.below(20), random.below(20)),
    ]);
    return control();
  }

  /** Changes the state without a block. */
  #patch(): Promise<unknown> {
    this.#counts.patches += 1;
    const random = this.#random;
    const { contracts } = this.#world;
    const address = random.pick([
      this.#account(),
      ...PATCHED,
      ...contracts.map((contract) => contract.address),
    ]);
    const value = `0x${random.below(100_000_000).toString(16)}`;
    const [slot, code] = [random.below(4), random.pick(CODES)];
    const patch = random.pick<() => Promise<unknown>>([
      () => this.#call('anvil_setBalance', address, value),
      () => this.#call('anvil_setBalance', [address, ...PATCHED], value),
      () => this.#call('anvil_addBalance', address, value),
      () => this.#call('anvil_setCode', random.pick(PATCHED), code),
      () => this.#call('anvil_setStorageAt', address, slot, random.oneIn(3) ? 0 : value),
      () => this.#call('anvil_setNonce', address, value),
      () => this.#call('hardhat_setPrevRandao', value),
      () => this.#call('anvil_dealERC20', address, random.pick(PATCHED), value),
    ]);
    return patch();
  }

  async #goBackToAny(): Promise<void> {
    // The first one belongs to all sequences.
    const [, ...own] = this.#taken;
    if (own.length === 0) return;
    await this.goBack(this.#random.pick(own), this.#random.oneIn(3));
  }

  /** Reverts blocks without a snapshot, which removes the snapshots of these blocks. */
  async #lose(action: () => Promise<unknown>): Promise<void> {
    await action();
    const left = new Set(this.#world.testChain.snapshots.map(({ id }) => `0x${id.toString(16)}`));
    this.#taken = this.#taken.filter(({ id }) => left.has(id));
  }

  #reorganize(): Promise<unknown> {
    const depth = this.#depth();
    const pairs = depth === 0 ? [] : [[this.#transfer(), this.#random.below(depth)]];
    return this.#call('anvil_reorg', { depth, tx_block_pairs: pairs });
  }

  /** No more blocks than there are above the first snapshot. */
  #depth(): number {
    const [first] = this.#world.testChain.snapshots;
    const most = this.#world.ledger.blocks.head().number - (first?.block ?? 0);
    return this.#random.below(Math.min(most, 5) + 1);
  }

  #account(): string {
    return hexOf(this.#random.pick(this.#world.wallet.list()));
  }

  #transfer(): object {
    const accounts = this.#world.wallet.list();
    const from = hexOf(this.#random.pick(accounts.slice(0, ACCOUNTS)));
    return { from, to: this.#account(), value: `0x${this.#random.below(1_000).toString(16)}`, gas: '0x14' };
  }

  #contractCall(): object {
    const { wallet, contracts } = this.#world;
    const contract = this.#random.pick(contracts);
    const from = hexOf(this.#random.pick(wallet.list().slice(0, ACCOUNTS)));
    const data = callData(this.#random, contract, this.#world);
    return { from, to: contract.address, data, gas: '0x30d40' };
  }

  /** The result; undefined where it is refused. */
  async #call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    this.#counts.calls += 1;
    this.#journal.push(`${method} ${JSON.stringify(params)}`);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { result, error } = JSON.parse(String(await this.#world.dispatcher.handle(body)));
    const [failure] = this.#world.takeFailures();
    if (failure !== undefined) throw failure;
    if (error !== undefined) this.#journal.push(`  ${error.message}`);
    return result;
  }

  #copy(): Copy {
    const { store, ledger, wallet, control } = this.#world;
    const entries = [...store.tables()]
      .filter(
        ({ table, key }) => table !== 'snapshots' && !(table === 'meta' && BESIDE.includes(bytesToHex(key))),
      )
      .map(({ table, key, value }) => `${table} ${bytesToHex(key)} ${bytesToHex(value)}`);
    return {
      entries,
      settings: ledger.miner.settings,
      control: control.state,
      accounts: wallet.records(),
    };
  }
}

function hexOf(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes)}`;
}
