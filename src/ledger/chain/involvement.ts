import type { Log } from '../../evm/index.ts';
import {
  type Address,
  accountAddress,
  addressCodec,
  bytesToHex,
  type ContractId,
  decode,
  invariant,
  type Operation,
  type OperationResult,
  processedTransactionCodec,
  receiverAddress,
  senderAddress,
} from '../../protocol/index.ts';
import {
  type InvolvedAddress,
  type OperationIndexing,
  type RecordedBlock,
  stateKey,
} from '../../store/index.ts';
import { patchRecordCodec } from './patch-record.ts';
import { type OperationReceipt, receiptCodec } from './records.ts';

/** An operation of a block with its result and receipt. */
export interface ConcludedOperation {
  /** Index of the operation within the block. */
  readonly index: number;
  readonly operation: Operation;
  readonly result: OperationResult;
  readonly receipt: Pick<OperationReceipt, 'contractAddress'> & {
    readonly logs: Iterable<Pick<Log, 'address'>>;
  };
}

/**
 * Lists the addresses that an operation involves, its sender first: its receiver, the accounts and addresses that its
 * fields name, a created contract, and the contracts that wrote its logs. Contracts that code called without a log are
 * not stored. A replay and a migration derive the same addresses.
 */
export function involvedIn(
  { index, operation, result, receipt }: ConcludedOperation,
  contractAddressOf: (id: ContractId) => Address | undefined,
): InvolvedAddress[] {
  const sender = senderAddress(operation);
  const created = result.type === 'object' ? result.id : undefined;
  const found = new Map<string, Address>();
  const add = (address: Address | undefined): void => {
    if (address !== undefined) found.set(bytesToHex(address), address);
  };
  add(receiverAddress(operation, { created, addressOf: contractAddressOf }));
  for (const address of namedBy(operation, contractAddressOf)) add(address);
  add(receipt.contractAddress);
  for (const log of receipt.logs) add(log.address);
  found.delete(bytesToHex(sender));
  return [
    { operation: index, address: sender, isSender: true },
    ...Array.from(found.values(), (address) => ({ operation: index, address, isSender: false })),
  ];
}

/** Yields further accounts, addresses and contracts that the fields of an operation name. */
function* namedBy(
  operation: Operation,
  contractAddressOf: (id: ContractId) => Address | undefined,
): Generator<Address | undefined> {
  switch (operation.type) {
    case 'accountCreate':
      yield operation.evmAddress;
      for (const [member] of operation.active.accountAuths) yield accountAddress(member);
      return;
    case 'accountUpdate':
      for (const [member] of operation.active?.accountAuths ?? []) yield accountAddress(member);
      return;
    case 'evmAddressRegister':
      yield operation.evmAddress;
      return;
    case 'contractInternalCreate':
      yield contractAddressOf(operation.newContract);
      return;
    case 'contractSelfdestruct':
      yield accountAddress(operation.recipient);
      return;
    case 'transfer':
    case 'contractCreate':
    case 'contractCall':
    case 'testCall':
    case 'ethereumTransaction':
    case 'transferToAddress':
    case 'testWeiCall':
      return;
    default:
      operation satisfies never;
  }
}

/** Builds the index of operations by address for a store without one. */
export const OPERATION_INDEXING: OperationIndexing = {
  involvedIn: (block) =>
    recordedOperations(block).flatMap((operation) => involvedIn(operation, directoryOf(block))),
  countsOf(patch) {
    const { patch: change } = decode(patchRecordCodec, patch);
    return change.type === 'operationCount' ? [{ payer: change.address, count: Number(change.count) }] : [];
  },
};

function recordedOperations({ transactions, receipts }: RecordedBlock): ConcludedOperation[] {
  return transactions.flatMap(({ firstOperation, bytes }) => {
    const { operations, operationResults } = decode(processedTransactionCodec, bytes);
    return operations.map((operation, offset) => {
      const index = firstOperation + offset;
      const [result, receipt] = [operationResults[offset], receipts[index]];
      invariant(
        result !== undefined && receipt !== undefined,
        'an included operation has a result and a receipt',
      );
      return { index, operation, result, receipt: decode(receiptCodec, receipt) };
    });
  });
}

/** Looks up contracts in the directory, which never removes one: the result is that at the time of the block. */
function directoryOf({ state }: RecordedBlock): (id: ContractId) => Address | undefined {
  return (id) => {
    const stored = state(stateKey.contractAddress(id));
    return stored && decode(addressCodec, stored);
  };
}
