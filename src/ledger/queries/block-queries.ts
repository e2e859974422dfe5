import {
  type Address,
  type Block,
  type BlockId,
  blockCodec,
  decode,
  type Hash,
  type SignedTransaction,
} from '../../protocol/index.ts';
import type { AddressOperationQuery, InvolvedAddress } from '../../store/index.ts';
import { operationOf } from '../chain/chain.ts';
import { addInvolved } from '../chain/involvement.ts';
import type { ReceiptOutline } from '../chain/receipt-outline.ts';
import { type BlockSummary, type OperationReceipt, serializedBlock } from '../chain/records.ts';
import { HistoryDisabledError } from '../errors/chain-errors.ts';
import type { LedgerSource } from './ledger-source.ts';
import { type LogMatches, type LogQuery, searchLogs } from './log-lookup.ts';
import {
  type ContractAddressLookup,
  findEthereumOperation,
  findOperation,
  type IncludedOperation,
  includedOperation,
  operationAt,
  operationOfSender,
} from './operation-lookup.ts';

/** An operation that involves an address. */
export interface FoundOperation {
  readonly operation: IncludedOperation;
  /** True if the address is the operation's sender. */
  readonly isSender: boolean;
}

/** The position of an operation in the chain. */
export interface IncludedPosition {
  readonly block: number;
  readonly index: number;
}

/** An empty pool, for look-ups of included operations only. */
const EMPTY_POOL = { find: () => undefined };

/** The blocks of the chain, their operations, receipts and logs. */
export class BlockQueries {
  readonly #source: LedgerSource;
  readonly #contractAddressOf: ContractAddressLookup;

  /** @param contractAddressOf the directory of contracts of the same state */
  constructor(source: LedgerSource, contractAddressOf: ContractAddressLookup) {
    this.#source = source;
    this.#contractAddressOf = contractAddressOf;
  }

  head(): BlockSummary {
    return this.#source.chain.head();
  }

  blockByNumber(number: number): BlockSummary | undefined {
    return this.#source.chain.blockByNumber(number);
  }

  blockById(id: BlockId): BlockSummary | undefined {
    return this.#source.chain.blockById(id);
  }

  /** Returns a block in its native form, transactions included. */
  nativeBlock(number: number): Block | undefined {
    const bytes = this.serializedBlock(number);
    return bytes && decode(blockCodec, bytes);
  }

  serializedBlock(number: number): Uint8Array | undefined {
    return serializedBlock(this.#source.store, number);
  }

  /** Lists the operations of a block in order; none for an unknown block. */
  blockTransactions(number: number): IncludedOperation[] {
    const block = this.#source.chain.blockByNumber(number);
    if (block === undefined) return [];
    return Array.from(this.#source.chain.operations(number), (placed) =>
      includedOperation(block, placed, this.#contractAddressOf),
    );
  }

  /**
   * Lists the operations of a transaction from the one with an index in the block on; none for an
   * unknown operation.
   */
  operationsFrom(block: number, index: number): IncludedOperation[] {
    const summary = this.#source.chain.blockByNumber(block);
    const placed = summary && this.#source.chain.transactionAt(block, index);
    if (summary === undefined || placed === undefined) return [];
    const found: IncludedOperation[] = [];
    const end = placed.firstOperation + placed.transaction.operations.length;
    for (let position = index; position < end; position += 1) {
      const operation = operationOf(placed, position);
      if (operation !== undefined) found.push(includedOperation(summary, operation, this.#contractAddressOf));
    }
    return found;
  }

  operationAt(block: number, index: number): IncludedOperation | undefined {
    return operationAt(block, index, this.#source.chain, this.#contractAddressOf);
  }

  /** Finds an included operation by any form of its hash. */
  findIncluded(hash: Hash): IncludedOperation | undefined {
    const { chain } = this.#source;
    const found =
      findOperation(hash, chain, EMPTY_POOL, this.#contractAddressOf) ??
      findEthereumOperation(hash, chain, EMPTY_POOL, this.#contractAddressOf);
    return found?.kind === 'included' ? found : undefined;
  }

  /** Finds the included operation with the Ethereum transaction of a sender and nonce. */
  operationOfSender(sender: Address, nonce: bigint): IncludedOperation | undefined {
    return operationOfSender({ sender, nonce }, this.#source.chain, this.#contractAddressOf);
  }

  /**
   * Lists the operations that involve an address, in the requested order: it sent or received them, was created or is
   * named by them, or wrote one of their logs.
   */
  operationsOf(query: AddressOperationQuery): FoundOperation[] {
    const found: FoundOperation[] = [];
    for (const { block, index, isSender } of this.#source.store.addressOperations(query)) {
      const operation = this.operationAt(block, index);
      if (operation !== undefined) found.push({ operation, isSender });
    }
    return found;
  }

  /** Lists the positions of these operations, in the same order. */
  operationPositions(query: AddressOperationQuery): readonly IncludedPosition[] {
    return this.#source.store.addressOperations(query);
  }

  /** Lists the addresses that an operation involves, its sender first. */
  addressesOf({ block, index, operation, result }: IncludedOperation): Address[] {
    const outline = this.receiptOutlineOf(block.number, index);
    const receipt = { contractAddress: outline?.contractAddress, logs: outline?.logs() ?? [] };
    const involved: InvolvedAddress[] = [];
    addInvolved(involved, { index, operation, result, receipt }, this.#contractAddressOf);
    return involved.map(({ address }) => address);
  }

  /** Finds the operation before which an address had paid for `count`. Throws `HistoryDisabledError`. */
  paidOperation(address: Address, count: bigint): IncludedOperation | undefined {
    if (!this.#source.store.history) throw new HistoryDisabledError();
    // No count of what is stored is greater than a safe integer.
    const found = this.#source.store.operationOfSender(address, Number(count));
    return found && this.operationAt(found.block, found.index);
  }

  /** Returns the transaction that contains the operation with an index in the block, with its results. */
  transactionAt(block: number, index: number): SignedTransaction | undefined {
    return this.#source.chain.transactionAt(block, index)?.transaction;
  }

  receiptOf(block: number, index: number): OperationReceipt | undefined {
    return this.#source.chain.receiptAt(block, index);
  }

  /** Returns the receipt of an operation, without decoding its logs. */
  receiptOutlineOf(block: number, index: number): ReceiptOutline | undefined {
    return this.#source.chain.receiptOutlineAt(block, index);
  }

  /** Returns the gas that the first operations of a block used. */
  gasUsedByFirst(count: number, block: number): bigint {
    let gas = 0n;
    for (let index = 0; index < count; index += 1) gas += this.receiptOutlineOf(block, index)?.gasUsed ?? 0n;
    return gas;
  }

  storedReceipt(block: number, index: number): Uint8Array | undefined {
    return this.#source.store.receipt(block, index);
  }

  /** Returns the first `limit` logs of a query, in chain order. */
  logs(query: LogQuery, limit: number): LogMatches {
    return searchLogs(query, limit, this.#source.store, this.#source.chain);
  }
}
