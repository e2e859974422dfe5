import {
  type Address,
  blobGasOf,
  bytesToHex,
  type ContractId,
  encode,
  invariant,
  isEthereumTransaction,
  isMetered,
  type MerkleRoot,
  merkleRoot,
  type OperationHash,
  operationHash,
  processedTransactionCodec,
  senderAddress,
  sha256,
  vector,
} from '../../protocol/index.ts';
import type { InvolvedAddress, StateChange, Store } from '../../store/index.ts';
import { formatFees, headersStateFees } from '../chain/block-fees.ts';
import type { BlockInputs } from '../chain/block-inputs.ts';
import { involvedIn } from '../chain/involvement.ts';
import { type OperationReceipt, receiptCodec } from '../chain/records.ts';
import { commitChanges } from '../state/native-state.ts';
import type { StateRules } from '../state/state-rules.ts';
import { commitStateTrie } from '../state/state-trie.ts';
import type { AppliedTransaction } from '../transactions/apply-transaction.ts';
import { envelopeIn, senderNonceHash, shortened } from '../transactions/ethereum-envelope.ts';

export interface IncludedTransaction extends AppliedTransaction {
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
  readonly involved: readonly InvolvedAddress[];
}

/** The state after the transactions of a block. */
export interface StateAfter {
  /** All differences from the state before it. */
  readonly changes: readonly StateChange[];
  /** The directory of contracts. */
  contractAddressOf(id: ContractId): Address | undefined;
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

/**
 * Derives roots, receipts and indexes from applied transactions and the changes that they made. It may stop between the
 * entries of the state trie.
 *
 * @param store the chain before the block
 */
export function* concludeBlock(
  applied: readonly IncludedTransaction[],
  { changes, contractAddressOf }: StateAfter,
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
    involved: involvedAddresses(applied, receipts, contractAddressOf),
  };
}

/** Lists the addresses that the operations of a block involve. */
function involvedAddresses(
  applied: readonly IncludedTransaction[],
  receipts: readonly OperationReceipt[],
  contractAddressOf: (id: ContractId) => Address | undefined,
): InvolvedAddress[] {
  const operations = applied.flatMap(({ transaction }) =>
    transaction.operations.map((operation, offset) => {
      return { operation, result: transaction.operationResults[offset] };
    }),
  );
  return operations.flatMap(({ operation, result }, index) => {
    const receipt = receipts[index];
    invariant(
      result !== undefined && receipt !== undefined,
      'an included operation has a result and a receipt',
    );
    return involvedIn({ index, operation, result, receipt }, contractAddressOf);
  });
}
