import { BLOCK_TRANSACTIONS_MAX } from '../../consensus.ts';
import type { BlockContext } from '../../evm/index.ts';
import type {
  AccountId,
  Address,
  Hash,
  MerkleRoot,
  OperationHash,
  SignedTransaction,
} from '../../protocol/index.ts';
import {
  accountAddress,
  blobGasOf,
  bytesToHex,
  encode,
  invariant,
  isEthereumTransaction,
  isMetered,
  merkleRoot,
  operationHash,
  processedTransactionCodec,
  senderAddress,
  sha256,
  transactionId,
  vector,
} from '../../protocol/index.ts';
import type { StateChange, Store } from '../../store/index.ts';
import { type BlockPrices, blobBaseFeeOf, formatFees, headersStateFees } from '../chain/block-fees.ts';
import { type OperationReceipt, receiptCodec } from '../chain/records.ts';
import type { LedgerCore } from '../core.ts';
import { RefusedError } from '../errors/refusal.ts';
import type { ChainOrigin } from '../genesis/chain-parameters.ts';
import { commitChanges } from '../state/native-state.ts';
import type { StateRules } from '../state/state-rules.ts';
import { commitStateTrie } from '../state/state-trie.ts';
import type { WorkingState } from '../state/working-state.ts';
import { type AppliedTransaction, applyInSteps, applyRebuilding } from '../transactions/apply-transaction.ts';
import { blobsIn, envelopeIn, senderNonceHash, shortened } from '../transactions/ethereum-envelope.ts';
import { gasAtMost, gasOffered } from '../transactions/transaction-checks.ts';

/** The parts of a header that are known before execution: all that transactions can see of their block. */
export interface BlockInputs {
  readonly number: number;
  /** Number of skipped producers. */
  readonly attempt: number;
  readonly timestamp: number;
  readonly account: AccountId;
  readonly rand: Hash;
  readonly prices: BlockPrices;
}

interface IncludedTransaction extends AppliedTransaction {
  /** The transaction's id in hexadecimal. */
  readonly id: string;
}

/** Everything that follows from a block's inputs and transactions. */
export interface AppliedBlock {
  /** Serialized processed transactions, in order. */
  readonly transactions: readonly { readonly firstOperation: number; readonly bytes: Uint8Array }[];
  readonly applied: readonly IncludedTransaction[];
  /** One for each operation, by its index in the block. */
  readonly receipts: readonly OperationReceipt[];
  readonly operationHashes: readonly OperationHash[];
  /** Further hashes of operations: of inner Ethereum transactions, and of their sender and nonce. */
  readonly otherHashes: readonly { readonly operation: number; readonly hash: OperationHash }[];
  readonly payers: readonly Address[];
  readonly feesCollected: bigint;
  /** Gas that the operations on contracts used together. */
  readonly gas: bigint;
  readonly transactionMerkleRoot: MerkleRoot;
  readonly vmRoot: readonly string[];
  readonly changes: readonly StateChange[];
  readonly accumulator: Uint8Array;
}

/** Returns the block context of the EVM: the results of NUMBER, TIMESTAMP, COINBASE and similar opcodes. */
export function blockContextOf(inputs: BlockInputs, { genesis, rules }: ChainOrigin): BlockContext {
  return {
    number: BigInt(inputs.number),
    timestamp: BigInt(inputs.timestamp),
    coinbase: accountAddress(inputs.account),
    randomness: inputs.rand,
    gasLimit: rules.blockGasLimit,
    chainId: BigInt(genesis.network.chainId),
    baseFee: rules.weiPerUnit === 1n ? 0n : inputs.prices.baseFee,
    blobBaseFee: blobBaseFeeOf(inputs.prices.excessBlobGas, rules.blobs),
  };
}

/** Sets the block context of the engine's executions. */
export function setEngineBlock(state: WorkingState, inputs: BlockInputs, origin: ChainOrigin): void {
  state.setBlock(blockContextOf(inputs, origin));
}

/** Callbacks while a block is applied. */
export interface ApplyListener {
  /** Called for each rejected transaction; if it returns, the block continues without it. */
  refused(transaction: SignedTransaction, error: RefusedError): void;
  /**
   * Returns true if the block accepts no more transactions; called after each but the last. Absent: the block takes
   * all.
   */
  isFull?(): boolean;
  /**
   * Gas limit of all operations on contracts together: a transaction that offers more than the rest is skipped. Absent:
   * no limit.
   */
  readonly gasLimit?: bigint | undefined;
}

/**
 * Applies a block's transactions to the state of the head in memory; nothing is stored. Used for producing and for
 * replaying alike. It can stop after every operation; meanwhile nothing else may use the state.
 */
export function* applyBlock(
  { store, chain, origin }: LedgerCore,
  inputs: BlockInputs,
  transactions: Iterable<SignedTransaction>,
  listener: ApplyListener,
): Generator<void, AppliedBlock> {
  const { transactionRules } = origin;
  const state = origin.state.applying;
  const apply = (transaction: SignedTransaction) => applyInSteps(state, chain, transactionRules, transaction);
  setEngineBlock(state, inputs, origin);
  const applied: IncludedTransaction[] = [];
  const included = new Set<string>();
  const gasPool = new GasPool(listener.gasLimit, state.rules);
  let isFirst = true;
  for (const transaction of transactions) {
    if (applied.length === BLOCK_TRANSACTIONS_MAX) break;
    if (!gasPool.fits(transaction)) continue;
    if (!isFirst) {
      yield;
      if (listener.isFull?.() === true) break;
    }
    isFirst = false;
    try {
      const id = bytesToHex(transactionId(transaction));
      if (included.has(id)) throw new RefusedError({ code: 'alreadyIncluded', block: inputs.number });
      const outcome = yield* applyRebuilding(
        () => apply(transaction),
        () => applyAgain(state, apply, applied),
      );
      gasPool.subtract(outcome);
      applied.push({ ...outcome, id });
      included.add(id);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      listener.refused(transaction, error);
    }
  }
  payProducer(state, inputs.account, applied);
  return yield* concludeBlock(applied, state.changes(), store, inputs, origin.rules);
}

/** Returns the gas that the operations of a transaction used together. */
function gasUsed({ outcomes }: Pick<AppliedTransaction, 'outcomes'>): bigint {
  return outcomes.reduce((gas, outcome) => gas + outcome.gasUsed, 0n);
}

/** Returns the gas that all operations of a block used together. */
export function gasOfBlock({ applied }: Pick<AppliedBlock, 'applied'>): bigint {
  return applied.reduce((gas, transaction) => gas + gasUsed(transaction), 0n);
}

/** Returns the gas of all blobs of a block (EIP-4844). */
function blobGasOfBlock({ applied }: Pick<AppliedBlock, 'applied'>): bigint {
  const inner = applied.flatMap(({ transaction }) => envelopeIn(transaction)?.innerTransaction ?? []);
  return inner.reduce((gas, transaction) => gas + blobGasOf(transaction), 0n);
}

/** Restores the state after the applied transactions of the block. */
function* applyAgain(
  state: WorkingState,
  apply: (transaction: SignedTransaction) => Generator<void, AppliedTransaction>,
  applied: readonly AppliedTransaction[],
): Generator<void, void> {
  state.clear();
  for (const { transaction } of applied) {
    yield* apply(transaction);
    yield;
  }
}

/** Credits the producer with the fees and the value that self-destructs would burn: the supply never changes. */
function payProducer(state: WorkingState, account: AccountId, applied: readonly AppliedTransaction[]): void {
  let wei = 0n;
  for (const { outcomes } of applied) {
    for (const { charge, feeWei, burned } of outcomes) wei += burned + (feeWei ?? state.inWei(charge));
  }
  if (wei > 0n) state.engine.credit(accountAddress(account), wei);
}

/**
 * Derives roots, receipts and indexes from applied transactions and the changes that they made. It may stop between the
 * entries of the state trie.
 *
 * @param store the chain before the block
 */
export function* concludeBlock(
  applied: readonly IncludedTransaction[],
  changes: readonly StateChange[],
  store: Pick<Store, 'accumulator' | 'state'>,
  { prices }: Pick<BlockInputs, 'prices'>,
  rules: StateRules,
): Generator<void, AppliedBlock> {
  const transactions: { firstOperation: number; bytes: Uint8Array }[] = [];
  const receipts: OperationReceipt[] = [];
  const operationHashes: OperationHash[] = [];
  const otherHashes: AppliedBlock['otherHashes'][number][] = [];
  const payers: Address[] = [];
  let feesCollected = 0n;
  let gas = 0n;
  let firstLogIndex = 0;
  for (const { transaction, outcomes } of applied) {
    const bytes = encode(processedTransactionCodec, transaction);
    transactions.push({ firstOperation: receipts.length, bytes });
    feesCollected += transaction.feesCollected;
    const { refBlockNum, refBlockPrefix, expiration } = transaction;
    transaction.operations.forEach((operation, index) => {
      const outcome = outcomes[index];
      invariant(outcome !== undefined, 'an applied operation has an outcome');
      const { status, gasUsed, contractAddress, logs, output } = outcome;
      receipts.push({ status, gasUsed, contractAddress, logs, firstLogIndex, output });
      firstLogIndex += logs.length;
      if (isMetered(operation)) gas += gasUsed;
      operationHashes.push(operationHash(operation, refBlockNum, refBlockPrefix, expiration));
      payers.push(senderAddress(operation));
      if (isEthereumTransaction(operation)) {
        const { hash, nonce } = operation.innerTransaction;
        const last = operationHashes.length - 1;
        otherHashes.push({ operation: last, hash: shortened(hash) });
        otherHashes.push({ operation: last, hash: senderNonceHash({ sender: operation.sender, nonce }) });
      }
    });
  }
  const { accumulator, root } = commitChanges(store.accumulator(), changes);
  const trie = rules.hasStateTrie ? yield* commitStateTrie(store, changes, rules) : undefined;
  const receiptsDigest = sha256(encode(vector(receiptCodec), receipts));
  const vmRoot = [bytesToHex(root) + bytesToHex(receiptsDigest)];
  const hasFees = headersStateFees(rules);
  if (trie !== undefined || hasFees) vmRoot.push(trie === undefined ? '' : bytesToHex(trie.root));
  if (hasFees) {
    const fees = { ...prices, gasUsed: gasOfBlock({ applied }), blobGasUsed: blobGasOfBlock({ applied }) };
    vmRoot.push(formatFees(fees));
  }
  return {
    transactions,
    applied,
    receipts,
    operationHashes,
    otherHashes,
    payers,
    feesCollected,
    gas,
    transactionMerkleRoot: merkleRoot(transactions.map(({ bytes }) => bytes)),
    vmRoot,
    changes: trie === undefined ? changes : [...changes, ...trie.changes],
    accumulator,
  };
}

/** The remaining gas of a block under construction. */
class GasPool {
  /** Remaining gas of operations on contracts; undefined: no limit. */
  #metered: bigint | undefined;
  /** Remaining gas of all operations, by the rule of the chain; undefined: no limit. */
  #all: bigint | undefined;
  /** Gas of all operations in an empty block; undefined: no limit. */
  readonly #most: bigint | undefined;
  /** Remaining blobs; undefined on a chain without blobs. */
  #blobs: number | undefined;

  /**
   * @param metered gas that operations on contracts may take together; undefined: any
   * @param rules of the chain, which bound all operations where it knows Ethereum
   */
  constructor(metered: bigint | undefined, { blockGasLimit, hasStandardAddresses, blobs }: StateRules) {
    this.#metered = metered;
    this.#most = hasStandardAddresses ? blockGasLimit : undefined;
    this.#all = this.#most;
    this.#blobs = blobs?.max;
  }

  /**
   * Returns true if the offered gas and the blobs of a transaction fit. One that fits in no block of the chain counts
   * as fitting, so that applying it rejects it.
   */
  fits(transaction: SignedTransaction): boolean {
    if (this.#metered === undefined && this.#all === undefined) return true;
    if (this.#metered !== undefined && gasOffered(transaction) > this.#metered) return false;
    if (this.#all === undefined || this.#most === undefined) return true;
    if (this.#blobs !== undefined && blobsIn(transaction) > this.#blobs) return false;
    const gas = gasAtMost(transaction);
    return gas <= this.#all || gas > this.#most;
  }

  subtract({ transaction, outcomes }: AppliedTransaction): void {
    if (this.#blobs !== undefined) this.#blobs -= blobsIn(transaction);
    transaction.operations.forEach((operation, index) => {
      const { charge = 0n, gasUsed = 0n, feeWei } = outcomes[index] ?? {};
      // A charge is in gas except where the fee is in wei.
      const metered = feeWei === undefined && charge < gasUsed ? charge : gasUsed;
      if (this.#metered !== undefined && isMetered(operation)) this.#metered -= metered;
      if (this.#all !== undefined) this.#all -= gasUsed;
    });
  }
}
