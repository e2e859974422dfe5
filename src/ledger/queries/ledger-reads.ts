import { type Hardfork, type NamedPrecompile, precompilesOf } from '../../evm/index.ts';
import type {
  AccountId,
  Address,
  Block,
  BlockId,
  ContractId,
  Hash,
  SignedTransaction,
} from '../../protocol/index.ts';
import { accountAddress, addressOwner, blockCodec, decode } from '../../protocol/index.ts';
import { type AddressOperationQuery, type ChainReader, stateKey } from '../../store/index.ts';
import type { ExecutionWatch } from '../calls/index.ts';
import {
  type Account,
  type BlockSummary,
  type Chain,
  involvedIn,
  type MovableClock,
  type OperationReceipt,
  operationOf,
  type ReceiptOutline,
  serializedBlock,
} from '../chain/index.ts';
import { HistoryDisabledError } from '../errors/index.ts';
import { type Genesis, type Network, producerOf, stateRulesOf } from '../genesis/index.ts';
import { type Receiver, receiverAt, requireNoReference } from '../operations/index.ts';
import type { NativeState, PastReads, StateRules, WorkingState } from '../state/index.ts';
import type { TracedStates } from '../traces/index.ts';
import { findLogs, type LogMatches, type LogQuery } from './log-lookup.ts';
import {
  findCarrier,
  findOperation,
  type IncludedOperation,
  includedOperation,
  operationAt,
  operationOfSender,
} from './operation-lookup.ts';

/** What the answers about a chain are read from: the head's state, or that of before a block. */
export interface LedgerParts {
  readonly genesis: Genesis;
  readonly chainId: Hash;
  readonly store: ChainReader;
  readonly chain: Chain;
  readonly state: WorkingState;
  /** Look-ups in that state without its engine, where it is a past one. */
  readonly past?: PastReads;
  /** Where traced code runs; absent: states of its own. */
  readonly traced?: TracedStates;
  /** Who listens to executions; absent: the engine tells nobody. */
  readonly watch?: ExecutionWatch | undefined;
  /** The time of the next block. */
  readonly clock: MovableClock;
}

/** An operation that an address has to do with. */
export interface FoundOperation {
  readonly operation: IncludedOperation;
  /** Whether it is the operation's sender. */
  readonly isSender: boolean;
}

/** The place of an operation in the chain. */
export interface OperationPlace {
  readonly block: number;
  readonly index: number;
}

/** For look-ups among what is included alone. */
const NOTHING_WAITS = { find: () => undefined };

/** What can be read of a ledger: the blocks of the chain, and the state at its head. */
export abstract class LedgerReads {
  protected readonly parts: LedgerParts;
  #rules: { readonly genesis: Genesis; readonly rules: StateRules } | undefined;

  constructor(parts: LedgerParts) {
    this.parts = parts;
  }

  /** What the chain began with: another one once a test chain was replaced by one of another genesis. */
  get genesis(): Genesis {
    return this.parts.genesis;
  }

  /** The native chain id, which signatures cover. */
  get chainId(): Hash {
    return this.parts.chainId;
  }

  get network(): Network {
    return this.genesis.network;
  }

  get hardfork(): Hardfork {
    return this.genesis.hardfork;
  }

  /** The first account of the consensus configuration. */
  get coinbase(): Address {
    return accountAddress(producerOf(this.genesis, 0));
  }

  /** The account that pays for registrations. */
  get registrar(): AccountId {
    return this.genesis.registrar;
  }

  /** How the state is kept and executed on. */
  get rules(): StateRules {
    const { genesis } = this;
    if (this.#rules?.genesis !== genesis) this.#rules = { genesis, rules: stateRulesOf(genesis) };
    return this.#rules.rules;
  }

  // Blocks and operations

  head(): BlockSummary {
    return this.parts.chain.head();
  }

  blockByNumber(number: number): BlockSummary | undefined {
    return this.parts.chain.blockByNumber(number);
  }

  blockById(id: BlockId): BlockSummary | undefined {
    return this.parts.chain.blockById(id);
  }

  /** The operations of a block in order; none where there is no such block. */
  blockTransactions(number: number): IncludedOperation[] {
    const block = this.parts.chain.blockByNumber(number);
    if (block === undefined) return [];
    return Array.from(this.parts.chain.operations(number), (placed) =>
      includedOperation(block, placed, this.contractAddressOf),
    );
  }

  /** How many contracts there have been: the next one has this instance. */
  get contractCount(): number {
    return this.parts.state.native.properties.nextContract;
  }

  /** A block in its native form, transactions included. */
  nativeBlock(number: number): Block | undefined {
    const bytes = this.serializedBlock(number);
    return bytes && decode(blockCodec, bytes);
  }

  /** The same, serialized. */
  serializedBlock(number: number): Uint8Array | undefined {
    return serializedBlock(this.parts.store, number);
  }

  /**
   * The operations of the transaction of a block that holds the one at an index, from that one on; none where there is
   * no such operation.
   */
  operationsFrom(block: number, index: number): IncludedOperation[] {
    const summary = this.parts.chain.blockByNumber(block);
    const placed = summary && this.parts.chain.transactionAt(block, index);
    if (summary === undefined || placed === undefined) return [];
    const found: IncludedOperation[] = [];
    const end = placed.firstOperation + placed.transaction.operations.length;
    for (let place = index; place < end; place += 1) {
      const operation = operationOf(placed, place);
      if (operation !== undefined) found.push(includedOperation(summary, operation, this.contractAddressOf));
    }
    return found;
  }

  operationAt(block: number, index: number): IncludedOperation | undefined {
    return operationAt(block, index, this.parts.chain, this.contractAddressOf);
  }

  /** The included operation of a hash, in whatever form; undefined where there is none. */
  findIncluded(hash: Hash): IncludedOperation | undefined {
    const { chain } = this.parts;
    const found =
      findOperation(hash, chain, NOTHING_WAITS, this.contractAddressOf) ??
      findCarrier(hash, chain, NOTHING_WAITS, this.contractAddressOf);
    return found?.kind === 'included' ? found : undefined;
  }

  /** The included operation that carries the transaction of Ethereum's with a nonce of a sender. */
  operationOfSender(sender: Address, nonce: bigint): IncludedOperation | undefined {
    return operationOfSender({ sender, nonce }, this.parts.chain, this.contractAddressOf);
  }

  /**
   * The operations that an address has to do with, in the order that is asked for: it sent or received them, was
   * created or is named by them, or wrote one of their logs.
   */
  operationsOf(query: AddressOperationQuery): FoundOperation[] {
    const found: FoundOperation[] = [];
    for (const { block, index, isSender } of this.parts.store.addressOperations(query)) {
      const operation = this.operationAt(block, index);
      if (operation !== undefined) found.push({ operation, isSender });
    }
    return found;
  }

  /** Lists the places of these operations, in the same order. */
  operationPlaces(query: AddressOperationQuery): readonly OperationPlace[] {
    return this.parts.store.addressOperations(query);
  }

  /** The addresses that an operation has to do with, its sender first. */
  addressesOf({ block, index, operation, result }: IncludedOperation): Address[] {
    const outline = this.receiptOutlineOf(block.number, index);
    const receipt = { contractAddress: outline?.contractAddress, logs: outline?.logs() ?? [] };
    const involved = involvedIn({ index, operation, result, receipt }, this.contractAddressOf);
    return involved.map(({ address }) => address);
  }

  /** The operation before which an address had paid for so many. Throws `HistoryDisabledError`. */
  paidOperation(address: Address, count: number): IncludedOperation | undefined {
    if (!this.hasHistory) throw new HistoryDisabledError();
    const found = this.parts.store.operationOfSender(address, count);
    return found && this.operationAt(found.block, found.index);
  }

  /** The transaction of a block that holds the operation at an index, with its results. */
  transactionAt(block: number, index: number): SignedTransaction | undefined {
    return this.parts.chain.transactionAt(block, index)?.transaction;
  }

  receiptOf(block: number, index: number): OperationReceipt | undefined {
    return this.parts.chain.receiptAt(block, index);
  }

  /** The receipt of an operation, its logs unread. */
  receiptOutlineOf(block: number, index: number): ReceiptOutline | undefined {
    return this.parts.chain.receiptOutlineAt(block, index);
  }

  /** The same receipt as it is stored (`receiptCodec`). */
  storedReceipt(block: number, index: number): Uint8Array | undefined {
    return this.parts.store.receipt(block, index);
  }

  /** The first `limit` logs that a query asks for, in chain order. */
  logs(query: LogQuery, limit: number): LogMatches {
    return findLogs(query, limit, this.parts.store, this.parts.chain);
  }

  // State at the head

  get #reads(): Pick<PastReads, 'balanceOf' | 'codeAt' | 'storageAt'> {
    const { past, state } = this.parts;
    return past ?? state;
  }

  get #native(): NativeState {
    return (this.parts.past ?? this.parts.state).native;
  }

  /** Whether the chain takes Ethereum's transactions. */
  get knowsEthereum(): boolean {
    return this.genesis.ethereum !== undefined;
  }

  /** Whole units of the core asset. */
  balanceOf(address: Address): bigint {
    return this.#reads.balanceOf(address);
  }

  /** What the EVM knows as the balance: on chains that do not know Ethereum one Wei is a native unit. */
  weiBalanceOf(address: Address): bigint {
    const { past, state } = this.parts;
    return past === undefined ? state.engine.balanceOf(address) : past.weiBalanceOf(address);
  }

  /** Units of the core asset as the EVM counts them, in Wei. */
  inWei(units: bigint): bigint {
    return units * this.rules.weiPerUnit;
  }

  /** Of a key's account, how many of its Ethereum transactions were included; of a contract, EIP-161's count. */
  nonceOf(address: Address): bigint {
    const { past, state } = this.parts;
    return past === undefined ? (state.engine.accountState(address)?.nonce ?? 0n) : past.nonceOf(address);
  }

  /** Contract code; empty where there is none. */
  codeAt(address: Address): Uint8Array {
    return this.#reads.codeAt(address);
  }

  /** Contract code by its hash; undefined where no contract has such. */
  codeByHash(codeHash: Hash): Uint8Array | undefined {
    return this.parts.store.state(stateKey.code(codeHash));
  }

  /** A 32-byte word of a contract's storage; zero where nothing is stored. */
  storageAt(address: Address, slot: Hash): Uint8Array {
    return this.#reads.storageAt(address, slot);
  }

  /** Whether anything is stored at an address; undefined where too many slots have changed since a past state. */
  hasStorage(address: Address): boolean | undefined {
    return this.parts.store.hasState(stateKey.storagePrefix(address));
  }

  /** Whether the store counts the operations that addresses paid for. */
  get hasHistory(): boolean {
    return this.parts.store.history;
  }

  /** Included operations that the address paid for. Throws `HistoryDisabledError`. */
  operationCount(address: Address): number {
    if (!this.parts.store.history) throw new HistoryDisabledError();
    return this.parts.store.operationCount(address);
  }

  account(id: AccountId): Account | undefined {
    return this.#native.account(id);
  }

  accountByAddress(address: Address): Account | undefined {
    const owner = addressOwner(address);
    return owner.kind === 'account' ? this.account(owner.id) : undefined;
  }

  accountByName(name: string): AccountId | undefined {
    return this.#native.accountByName(name);
  }

  accountByEvmAddress(address: Address): AccountId | undefined {
    return this.#native.accountByEvmAddress(address);
  }

  contractIdAt(address: Address): ContractId | undefined {
    return this.#native.contractId(address);
  }

  readonly contractAddressOf = (id: ContractId): Address | undefined => this.#native.contractAddress(id);

  /** The account or contract at an address. Throws `RefusedError` where there is neither. */
  receiverAt(address: Address): Receiver {
    return receiverAt(this.parts.state, address);
  }

  /** Throws `RefusedError` for an address that is nothing but the EVM address which is registered for an account. */
  requireNoReference(address: Address): void {
    requireNoReference(this.#native, address);
  }

  /** The precompiled contracts of the chain's fork. */
  precompiles(): readonly NamedPrecompile[] {
    return precompilesOf(this.hardfork);
  }
}
