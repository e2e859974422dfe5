import {
  blockHashOf,
  pendingTransactionHash,
  splitTransactionHash,
  toPrefixedHex,
} from '../../src/protocol/index.ts';
import { type JsonText, objectOf } from './json-text.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** Number of newest filters and subscriptions that a world remembers. */
const REMEMBERED_FILTERS = 40;

/** Words for a default block parameter, which has no effect. */
const TAGS = ['latest', 'earliest', 'pending', 'safe', 'finalized'];

/** Values that requests may be about, taken from the state of a world. */
export class LiveValues {
  readonly #random: Random;
  readonly #world: World;
  /** Ids of filters that were installed, and of some that no longer are. */
  readonly #filters: string[] = [];
  /** The same of subscriptions. */
  readonly #subscriptions: string[] = [];

  constructor(random: Random, world: World) {
    this.#random = random;
    this.#world = world;
  }

  /** Remembers results that later requests may use. */
  learn(method: string, result: unknown): void {
    if (!/^eth_(new\w*Filter|subscribe)$/.test(method) || typeof result !== 'string') return;
    const ids = method === 'eth_subscribe' ? this.#subscriptions : this.#filters;
    ids.push(result);
    if (ids.length > REMEMBERED_FILTERS) ids.shift();
  }

  filterId(): string {
    return this.#filters.length === 0 || this.#random.oneIn(8) ? '0x1' : this.#random.pick(this.#filters);
  }

  subscriptionId(): string {
    const ids = this.#subscriptions;
    return ids.length === 0 || this.#random.oneIn(8) ? '0x1' : this.#random.pick(ids);
  }

  /** An account of the wallet, mostly one that is funded. */
  account(): string {
    const accounts = this.#world.wallet.list();
    const funded = accounts.slice(0, this.#world.signers.length);
    return toPrefixedHex(this.#random.pick(this.#random.oneIn(6) ? accounts : funded));
  }

  contract(): string {
    return this.#random.pick(this.#world.contracts).address;
  }

  /** Any address: of an account, a contract, a precompiled contract, an EVM address, or of nobody. */
  address(): string {
    return this.#random.pick([
      () => this.account(),
      () => this.contract(),
      () => `0x${(1 + this.#random.below(17)).toString(16).padStart(40, '0')}`,
      () => this.evmAddress(),
      () => this.#random.hex(20),
      () => `0x${'0'.repeat(40)}`,
      () => `0x01${this.#random.below(40).toString(16).padStart(38, '0')}`,
    ])();
  }

  /** An address that an account has registered, or one that none has. */
  evmAddress(): string {
    if (this.#random.oneIn(4)) return this.#random.hex(20);
    const account = this.#world.ledger.accounts.accountByAddress(
      this.#random.pick(this.#world.wallet.list()),
    );
    return account?.evmAddress === undefined ? this.#random.hex(20) : toPrefixedHex(account.evmAddress);
  }

  /** A block's number in either form, now and then one that no block has yet. */
  blockNumber(): string | number {
    const number = this.#random.below(this.#world.ledger.blocks.head().number + 2);
    return this.#random.oneIn(4) ? number : `0x${number.toString(16)}`;
  }

  blockSelector(): string | number {
    return this.#random.oneIn(3) ? this.#random.pick(TAGS) : this.blockNumber();
  }

  blockHash(): string {
    const number = this.#random.below(this.#world.ledger.blocks.head().number + 1);
    const block = this.#world.ledger.blocks.blockByNumber(number);
    return block === undefined || this.#random.oneIn(10)
      ? this.#random.hex(32)
      : toPrefixedHex(blockHashOf(block.id));
  }

  /** A block in any form that names one. */
  blockReference(): JsonText {
    return this.#random.pick<() => JsonText>([
      () => this.blockSelector(),
      () => this.blockHash(),
      () => objectOf({ blockHash: this.blockHash() }),
      () => objectOf({ blockNumber: this.blockNumber() }),
    ])();
  }

  /** The hash of a transaction in its processed form, in its pending form, or of none. */
  transactionHash(): string {
    const { ledger } = this.#world;
    if (this.#random.oneIn(10)) return this.#random.hex(32);
    const known = ledger.blocks.blockTransactions(
      1 + this.#random.below(Math.max(1, ledger.blocks.head().number)),
    );
    const waiting = this.#random.oneIn(3) ? ledger.pool.pendingOperations() : [];
    const operations = waiting.length > 0 ? waiting : known;
    if (operations.length === 0) return this.#random.hex(32);
    const { hash } = this.#random.pick<{ readonly hash: (typeof known)[number]['hash'] }>(operations);
    const parts = splitTransactionHash(hash);
    if (parts === undefined || this.#random.oneIn(2)) return toPrefixedHex(hash);
    return toPrefixedHex(pendingTransactionHash(parts.operationHash));
  }

  /** The default block parameter: present in any form, or absent. */
  ignoredBlock(): JsonText[] {
    return this.#random.pick<() => JsonText[]>([
      () => [],
      () => [this.blockSelector()],
      () => [null],
      () => ['whatever'],
      () => [this.blockReference()],
    ])();
  }

  quantity(bound: number): string | number {
    const number = this.#random.below(bound);
    return this.#random.oneIn(2) ? number : `0x0${number.toString(16)}`;
  }

  /** Options of a log filter, of every form. */
  logOptions(): JsonText {
    const topics = this.#random.oneIn(2) ? undefined : this.#topics();
    const from = this.#random.below(30);
    // Without a first block the range begins at the head, and must not end before it.
    const to = Math.max(from, this.#world.ledger.blocks.head().number) + this.#random.below(1_000_000);
    return objectOf({
      fromBlock: this.#random.pick([undefined, 'earliest', `0x${from.toString(16)}`]),
      toBlock: this.#random.pick([undefined, 'latest', 'pending', `0x${to.toString(16)}`]),
      address: this.#random.pick([undefined, this.contract(), [this.contract(), this.address()], null]),
      topics,
    });
  }

  #topics(): JsonText {
    const count = this.#random.below(5);
    return Array.from({ length: count }, () =>
      this.#random.pick<JsonText>([null, this.#topic(), [this.#topic(), this.#topic()]]),
    );
  }

  /** A topic of a log that there is, or of none. */
  #topic(): string {
    const { ledger } = this.#world;
    const logs = ledger.blocks.receiptOf(this.#random.below(ledger.blocks.head().number + 1), 0)?.logs ?? [];
    const topics = logs.flatMap((log) => log.topics);
    return topics.length === 0 ? this.#random.hex(32) : toPrefixedHex(this.#random.pick(topics));
  }
}
