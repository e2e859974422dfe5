import { deepStrictEqual } from 'node:assert';
import { FIRST_ACCOUNT_INSTANCE, WEI_PER_UNIT } from '../../src/consensus.ts';
import {
  compareChains,
  type FeeRule,
  Ledger,
  movingFees,
  nativeTransactionOf,
  RefusedError,
  replayChain,
  signTransaction,
  submitEthereum,
  verifyState,
} from '../../src/ledger/index.ts';
import {
  type Address,
  accountId,
  blockCodec,
  bytesToHex,
  contractId,
  coreAmount,
  createAddress,
  decode,
  type EthereumTransactionFields,
  encode,
  hexToBytes,
  keccak256,
  type Operation,
  signEthereumTransaction,
  toAddress,
} from '../../src/protocol/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { Random } from '../fuzz/random.ts';
import {
  ACCOUNTS,
  ADDRESSES,
  BALANCE,
  deploying,
  genesis,
  KEYS,
  PRODUCER,
  RUNTIMES,
  SECRETS,
  SENDERS,
  TIME,
} from './genesis.ts';
import { blobFields, setCodeFields } from './typed-transactions.ts';

/** Options of a campaign. */
export interface WorldsOptions {
  readonly sequences: number;
  /** Determines all of it. */
  readonly seed: number;
  /** Gets a line of progress every now and then. */
  report?(line: string): void;
}

/** The summary of a campaign without findings. */
export interface WorldsSummary {
  readonly sequences: number;
  readonly blocks: number;
  readonly native: number;
  readonly ethereum: number;
  readonly refused: number;
  readonly replaced: number;
  /** Included transactions with blobs, and those that set code. */
  readonly blob: number;
  readonly setCode: number;
}

type Counts = { -readonly [K in keyof WorldsSummary]: WorldsSummary[K] };

const STEPS_MAX = 60;

/**
 * Lets native operations and Ethereum's transactions follow each other at random, on a chain that another ledger
 * follows block by block. After every block the balances together are the supply, to the Wei; at the end a replay gives
 * the same tables.
 *
 * @throws an error for the first thing that does not hold
 */
export async function runWorldsCampaign(options: WorldsOptions): Promise<WorldsSummary> {
  const counts: Counts = {
    sequences: 0,
    blocks: 0,
    native: 0,
    ethereum: 0,
    refused: 0,
    replaced: 0,
    blob: 0,
    setCode: 0,
  };
  for (; counts.sequences < options.sequences; counts.sequences += 1) {
    await oneSequence(options.seed + counts.sequences, counts);
    if (counts.sequences % 10 === 9) {
      options.report?.(
        Object.entries(counts)
          .map(([name, value]) => `${name} ${value}`)
          .join(', '),
      );
    }
  }
  return counts;
}

async function oneSequence(seed: number, counts: Counts): Promise<void> {
  const [store, copy, target] = [0, 1, 2].map(() => openStore({ durable: false, history: true }));
  if (store === undefined || copy === undefined || target === undefined) throw new RangeError('three stores');
  const world = await World.open(store, copy, new Random(seed), counts);
  try {
    await world.run();
    await replayChain({ source: store, target });
    deepStrictEqual(await compareChains(store, target), undefined);
    deepStrictEqual(await compareChains(store, copy), undefined);
  } catch (cause) {
    throw new Error(`seed ${seed}: ${(cause as Error).message}\n${world.journal.join('\n')}`, { cause });
  } finally {
    await Promise.all([store, copy, target].map((one) => one.close()));
  }
}

/** Two nodes of one chain: one makes the blocks, the other one follows. */
class World {
  readonly journal: string[] = [];
  readonly #ledger: Ledger;
  readonly #follower: Ledger;
  readonly #store: Store;
  readonly #random: Random;
  readonly #counts: Counts;
  readonly #clock: { time: number };
  /** Contracts that were created, by their addresses. */
  readonly #contracts: Address[] = [];

  private constructor(
    [ledger, follower]: readonly [Ledger, Ledger],
    store: Store,
    clock: { time: number },
    random: Random,
    counts: Counts,
  ) {
    this.#ledger = ledger;
    this.#follower = follower;
    this.#store = store;
    this.#clock = clock;
    this.#random = random;
    this.#counts = counts;
    ledger.pool.onDropped(({ error }) => {
      if (error.reason.code === 'replaced') counts.replaced += 1;
    });
  }

  static async open(store: Store, copy: Store, random: Random, counts: Counts): Promise<World> {
    const time = { time: TIME };
    const clock = { now: () => time.time };
    const mining = random.oneIn(2) ? 'instant' : 'manual';
    const fees = random.pick<FeeRule>([
      { type: 'fixed', price: random.pick([0n, 1n, 10n ** 9n]) },
      movingFees(random.pick([1n, 10n ** 9n, 3n * WEI_PER_UNIT])),
    ]);
    const common = { genesis: genesis(fees), clock };
    const ledger = await Ledger.open({ ...common, store, keys: [PRODUCER], mining });
    const follower = await Ledger.open({ ...common, store: copy, keys: [], mining: 'none' });
    return new World([ledger, follower], store, time, random, counts);
  }

  async run(): Promise<void> {
    const steps = 1 + this.#random.below(STEPS_MAX);
    for (let done = 0; done < steps; done += 1) {
      this.#step();
      await this.#follow();
    }
    this.#ledger.miner.mine();
    await this.#follow();
  }

  #step(): void {
    const random = this.#random;
    const step = random.pickWeighted<() => void>([
      [6, () => this.#native()],
      [10, () => this.#ethereum()],
      [3, () => void this.#ledger.miner.mine()],
      [
        1,
        () => {
          this.#clock.time += random.below(100);
        },
      ],
      [1, () => this.#goBack()],
    ]);
    step();
  }

  /** The follower takes the new blocks, and every balance is counted. */
  async #follow(): Promise<void> {
    const head = this.#ledger.blocks.head().number;
    for (let number = this.#follower.blocks.head().number + 1; number <= head; number += 1) {
      const block = this.#ledger.blocks.nativeBlock(number);
      if (block === undefined) throw new RangeError(`block ${number}`);
      this.#follower.chain.importBlock(decode(blockCodec, encode(blockCodec, block)));
      this.#counts.blocks += 1;
      for (const { index, operation } of this.#ledger.blocks.blockTransactions(number)) {
        const type = operation.type === 'ethereumTransaction' ? operation.innerTransaction.type : undefined;
        if (type === 'blob' || type === 'setCode') this.#counts[type] += 1;
        const created = this.#ledger.blocks.receiptOf(number, index)?.contractAddress;
        if (created !== undefined) this.#contracts.push(created);
      }
    }
    deepStrictEqual(bytesToHex(this.#follower.blocks.head().id), bytesToHex(this.#ledger.blocks.head().id));
    await verifyState(this.#store);
  }

  /** Reverts some blocks on both nodes. */
  #goBack(): void {
    const to = Math.max(0, this.#ledger.blocks.head().number - this.#random.below(4));
    if (to === this.#ledger.blocks.head().number) return;
    this.journal.push(`back to ${to}`);
    this.#follower.chain.revertTo(to);
    this.#ledger.chain.revertTo(to);
  }

  #native(): void {
    const random = this.#random;
    const from = random.below(ACCOUNTS);
    const operation = this.#nativeOperation(from);
    const key = KEYS[from];
    if (key === undefined) return;
    const head = this.#ledger.blocks.head();
    const expiration = head.header.timestamp + 1 + random.below(600);
    this.#submit(`${operation.type} of ${from}`, 'native', () => {
      this.#ledger.pool.submit(
        signTransaction(operation, key, this.#ledger.parameters.chainId, head, expiration),
      );
    });
  }

  #nativeOperation(from: number): Operation {
    const random = this.#random;
    const registrar = accountId(FIRST_ACCOUNT_INSTANCE + from);
    const gas = coreAmount(BigInt(100_000 + random.below(300_000)));
    const amount = coreAmount(
      random.pick([0n, 1n, BigInt(random.below(1_000_000)), BALANCE / (random.oneIn(4) ? 3n : 100n)]),
    );
    return random.pick<() => Operation>([
      () => ({
        type: 'transfer',
        fee: coreAmount(20n),
        from: registrar,
        to: accountId(FIRST_ACCOUNT_INSTANCE + random.below(ACCOUNTS)),
        amount,
      }),
      () => ({
        type: 'transferToAddress',
        fee: coreAmount(20n),
        from: registrar,
        to: this.#anybody(),
        amount,
      }),
      () => ({
        type: 'contractCreate',
        fee: gas,
        registrar,
        value: amount,
        code: deploying(random.pick(Object.values(RUNTIMES))),
        ethAccuracy: false,
      }),
      () => ({
        type: 'contractCall',
        fee: gas,
        registrar,
        value: amount,
        code: random.pick(['', '00', '0102']),
        callee: this.#someContract(),
      }),
    ])();
  }

  #someContract(): ReturnType<typeof contractId> {
    const [address] = this.#contracts.length === 0 ? [] : [this.#random.pick(this.#contracts)];
    const found = address === undefined ? undefined : this.#ledger.accounts.contractIdAt(address);
    return found ?? contractId(this.#random.below(5));
  }

  #ethereum(): void {
    const random = this.#random;
    const index = random.below(SENDERS);
    const sender = ADDRESSES[index];
    const secret = SECRETS[index];
    if (sender === undefined || secret === undefined) return;
    const fields = this.#ethereumFields(sender);
    const raw = signEthereumTransaction(fields, secret);
    if (random.oneIn(30)) raw[random.below(raw.length)] = random.below(256);
    const { type, nonce, to, value } = fields;
    const name = `${type} ${nonce} of ${index} to ${to === undefined ? 'nobody' : bytesToHex(to)} with ${value}`;
    this.#submit(name, 'ethereum', () => {
      // As from another node, which may send a blob transaction without its blobs.
      if (type === 'blob') this.#ledger.pool.submit(nativeTransactionOf(raw), 'peer');
      else submitEthereum(this.#ledger, raw, { allowUnprotected: random.oneIn(2) });
    });
  }

  #ethereumFields(sender: Address): EthereumTransactionFields {
    const random = this.#random;
    const creates = random.oneIn(5);
    const chainId = BigInt(this.#ledger.parameters.network.chainId);
    const nonce = this.#nonceOf(sender);
    const gas = BigInt(random.pick([21_000, 60_000, 200_000, 200_000, 400_000, 400_000]));
    const to = creates ? undefined : this.#anybody();
    const value = random.pick([
      0n,
      1n,
      WEI_PER_UNIT - 1n,
      BigInt(random.below(2 ** 31)),
      10n ** 18n,
      10n ** (random.oneIn(5) ? 23n : 19n),
    ]);
    const data = creates
      ? hexToBytes(deploying(random.pick(Object.values(RUNTIMES))))
      : random.pick([new Uint8Array(), random.bytes(random.below(70))]);
    const common = { nonce, gas, to, value, data };
    const price =
      (this.#ledger.prices.next().baseFee *
        BigInt(random.pick([100, 100, 100, 110, 111, 150, 200, 300, random.oneIn(3) ? 99 : 122]))) /
      100n;
    const accessList = random.oneIn(2)
      ? []
      : [{ address: this.#anybody(), storageKeys: [keccak256(random.bytes(4))] }];
    const fees = { maxFeePerGas: price, maxPriorityFeePerGas: random.pick([0n, 1n, price]) };
    const typed = { ...common, ...fees, chainId, accessList, to: to ?? this.#anybody() };
    const sources = {
      random,
      anybody: () => this.#anybody(),
      nonceOf: (account: number) => this.#nonceOf(ADDRESSES[account] ?? sender),
    };
    return random.pick<() => EthereumTransactionFields>([
      () => setCodeFields(typed, sources),
      () => blobFields(typed, sources),
      () => ({ type: 'legacy', chainId: random.oneIn(8) ? undefined : chainId, gasPrice: price, ...common }),
      () => ({ type: 'accessList', chainId, gasPrice: price, accessList, ...common }),
      () => ({
        type: 'dynamicFee',
        chainId: random.oneIn(20) ? chainId + 1n : chainId,
        ...fees,
        accessList,
        ...common,
      }),
    ])();
  }

  /** Chooses mostly the next nonce, or one that is used, pending, or behind a gap. */
  #nonceOf(sender: Address): bigint {
    const next = this.#ledger.pool.pending.nonceOf(sender);
    const nonce = next + BigInt(this.#random.pick([0, 0, 0, 0, 0, 0, 0, 1, 2, -1, -1]));
    return nonce < 0n ? 0n : nonce;
  }

  /** An address that something can be sent to: a key's, an account's, a contract's, one to come, or nobody's. */
  #anybody(): Address {
    const random = this.#random;
    const known = [
      ...ADDRESSES,
      ...this.#contracts.slice(-8),
      ...this.#contracts.slice(-8),
      ...ADDRESSES.map((address) => createAddress(address, this.#ledger.accounts.nonceOf(address))),
      ...[1_024, 1_025, 1_026, 1_023, 9_999].map(accountAt),
      toAddress(random.bytes(20)),
      toAddress(Buffer.from(`${'00'.repeat(19)}04`, 'hex')),
    ];
    return random.pick(known);
  }

  #submit(name: string, kind: 'native' | 'ethereum', submit: () => void): void {
    try {
      submit();
      this.#counts[kind] += 1;
      this.journal.push(name);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.#counts.refused += 1;
      this.journal.push(`${name}: ${error.message}`);
    }
  }
}

function accountAt(instance: number): Address {
  const bytes = new Uint8Array(20);
  new DataView(bytes.buffer).setUint32(16, instance);
  return toAddress(bytes);
}
