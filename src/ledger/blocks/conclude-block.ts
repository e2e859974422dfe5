import {
  type Address,
  blobGasOf,
  bytesToHex,
  type ContractId,
  invariant,
  isEthereumTransaction,
  isMetered,
  type MerkleRoot,
  merkleRootOf,
  type OperationHash,
  sha256Hex,
  vectorEncoder,
} from '../../protocol/index.ts';
import type { InvolvedAddress, StateChange, Store } from '../../store/index.ts';
import { formatFees, headersStateFees } from '../chain/block-fees.ts';
import type { BlockInputs } from '../chain/block-inputs.ts';
import { formatSettings, SETTINGS_INDEX } from '../chain/block-settings.ts';
import { addInvolved } from '../chain/involvement.ts';
import { type OperationReceipt, receiptCodec } from '../chain/records.ts';
import { commitChanges } from '../state/native-state.ts';
import type { StateRules } from '../state/state-rules.ts';
import { commitStateTrie } from '../state/state-trie.ts';
import type { AppliedTransaction } from '../transactions/apply-transaction.ts';
import { ethereumOperationIn, senderNonceHash, shortened } from '../transactions/native-transaction.ts';

const encodeReceipts = vectorEncoder(receiptCodec);

/** Everything that follows from a block's inputs and transactions. */
export interface AppliedBlock {
  /** Serialized processed transactions, in order. */
  readonly transactions: readonly { readonly firstOperation: number; readonly bytes: Uint8Array }[];
  readonly applied: readonly AppliedTransaction[];
  /** One for each operation, by its index in the block. */
  readonly receipts: readonly OperationReceipt[];
  /** The encoding of each receipt. */
  readonly receiptBytes: readonly Uint8Array[];
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
  let gas = 0n;
  for (const outcome of outcomes) gas += outcome.gasUsed;
  return gas;
}

/** Returns the gas that all operations of a block used together. */
export function gasOfBlock({ applied }: Pick<AppliedBlock, 'applied'>): bigint {
  let gas = 0n;
  for (const transaction of applied) gas += gasUsed(transaction);
  return gas;
}

/** Returns the gas of all blobs of a block (EIP-4844). */
function blobGasOfBlock({ applied }: Pick<AppliedBlock, 'applied'>): bigint {
  let gas = 0n;
  for (const { transaction } of applied) {
    const ethereumOperation = ethereumOperationIn(transaction);
    if (ethereumOperation !== undefined) gas += blobGasOf(ethereumOperation.innerTransaction);
  }
  return gas;
}

/**
 * Derives roots, receipts and indexes from applied transactions and the changes that they made. It may stop between the
 * entries of the state trie.
 *
 * @param store the chain before the block
 */
export function* concludeBlock(
  applied: readonly AppliedTransaction[],
  { changes, contractAddressOf }: StateAfter,
  store: Pick<Store, 'accumulator' | 'state'>,
  { prices, settings }: Pick<BlockInputs, 'prices' | 'settings'>,
  rules: StateRules,
): Generator<void, AppliedBlock> {
  const operations = concludeOperations(applied, contractAddressOf);
  const { accumulator, root } = commitChanges(store.accumulator(), changes);
  const trie = rules.hasStateTrie ? yield* commitStateTrie(store, changes, rules) : undefined;
  const { bytes: receipts, elements: receiptBytes } = encodeReceipts(operations.receipts);
  const vmRoot = [bytesToHex(root) + sha256Hex(receipts)];
  const hasFees = headersStateFees(rules);
  if (trie !== undefined || hasFees) vmRoot.push(trie === undefined ? '' : bytesToHex(trie.root));
  if (hasFees) {
    const fees = { gasUsed: gasOfBlock({ applied }), blobGasUsed: blobGasOfBlock({ applied }), ...prices };
    vmRoot.push(formatFees(fees));
  }
  if (settings !== undefined) {
    while (vmRoot.length < SETTINGS_INDEX) vmRoot.push('');
    vmRoot.push(formatSettings(settings));
  }
  return {
    applied,
    receiptBytes,
    transactionMerkleRoot: merkleRootOf(applied.map(({ digest }) => digest)),
    vmRoot,
    changes: trie === undefined ? changes : [...changes, ...trie.changes],
    accumulator,
    ...operations,
  };
}

/** The parts of a block that follow from its transactions alone. */
type ConcludedOperations = Pick<
  AppliedBlock,
  | 'transactions'
  | 'receipts'
  | 'operationHashes'
  | 'otherHashes'
  | 'payers'
  | 'involved'
  | 'feesCollected'
  | 'gas'
>;

/** Derives receipts and indexes from applied transactions. */
function concludeOperations(
  applied: readonly AppliedTransaction[],
  contractAddressOf: StateAfter['contractAddressOf'],
): ConcludedOperations {
  const transactions: AppliedBlock['transactions'][number][] = [];
  const receipts: OperationReceipt[] = [];
  const hashes: OperationHash[] = [];
  const otherHashes: AppliedBlock['otherHashes'][number][] = [];
  const payers: Address[] = [];
  const involved: InvolvedAddress[] = [];
  let feesCollected = 0n;
  let gas = 0n;
  let firstLogIndex = 0;
  for (const { transaction, outcomes, bytes, operationHashes } of applied) {
    transactions.push({ firstOperation: receipts.length, bytes });
    feesCollected += transaction.feesCollected;
    hashes.push(...operationHashes);
    for (const [offset, operation] of transaction.operations.entries()) {
      const outcome = outcomes[offset];
      invariant(outcome !== undefined, 'an applied operation has an outcome');
      const { status, gasUsed, contractAddress, logs, output, result } = outcome;
      const receipt = { status, gasUsed, contractAddress, logs, firstLogIndex, output };
      const index = receipts.length;
      receipts.push(receipt);
      firstLogIndex += logs.length;
      if (isMetered(operation)) gas += gasUsed;
      payers.push(addInvolved(involved, { index, operation, result, receipt }, contractAddressOf));
      if (!isEthereumTransaction(operation)) continue;
      const { hash, nonce } = operation.innerTransaction;
      otherHashes.push({ operation: index, hash: shortened(hash) });
      otherHashes.push({ operation: index, hash: senderNonceHash({ sender: operation.sender, nonce }) });
    }
  }
  return {
    transactions,
    receipts,
    operationHashes: hashes,
    otherHashes,
    payers,
    involved,
    feesCollected,
    gas,
  };
}
