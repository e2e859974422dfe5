import type { Log } from '../../evm/index.ts';
import {
  type Address,
  accountAddress,
  bytesToHex,
  type ContractId,
  equalBytes,
  type Operation,
  type OperationResult,
  receiverAddress,
  senderAddress,
} from '../../protocol/index.ts';
import type { InvolvedAddress } from '../../store/index.ts';
import type { OperationReceipt } from './records.ts';

/** Number of addresses of an operation from which on a set finds the known ones faster. */
const COMPARED_ADDRESSES = 8;

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
 * Adds the addresses that an operation involves to a list, its sender first: its receiver, the accounts and addresses
 * that its fields name, a created contract, and the contracts that wrote its logs. Contracts that code called without a
 * log are not stored.
 *
 * @returns the sender
 */
export function addInvolved(
  list: InvolvedAddress[],
  { index, operation, result, receipt }: ConcludedOperation,
  contractAddressOf: (id: ContractId) => Address | undefined,
): Address {
  const sender = senderAddress(operation);
  const first = list.push({ operation: index, address: sender, isSender: true }) - 1;
  let names: Set<string> | undefined;
  const isKnown = (address: Address): boolean => {
    // Only the logs of contracts that call many others name more than a few.
    if (list.length - first > COMPARED_ADDRESSES)
      names ??= new Set(list.slice(first).map((known) => bytesToHex(known.address)));
    if (names !== undefined) return names.has(bytesToHex(address));
    for (let at = first; at < list.length; at += 1) {
      const known = list[at];
      if (known !== undefined && equalBytes(known.address, address)) return true;
    }
    return false;
  };
  const add = (address: Address | undefined): void => {
    if (address === undefined || isKnown(address)) return;
    list.push({ operation: index, address, isSender: false });
    names?.add(bytesToHex(address));
  };
  const created = result.type === 'object' ? result.id : undefined;
  add(receiverAddress(operation, { created, addressOf: contractAddressOf }));
  addNamed(operation, contractAddressOf, add);
  add(receipt.contractAddress);
  for (const log of receipt.logs) add(log.address);
  return sender;
}

/** Adds further accounts, addresses and contracts that the fields of an operation name. */
function addNamed(
  operation: Operation,
  contractAddressOf: (id: ContractId) => Address | undefined,
  add: (address: Address | undefined) => void,
): void {
  switch (operation.type) {
    case 'accountCreate':
      add(operation.evmAddress);
      for (const [member] of operation.active.accountAuths) add(accountAddress(member));
      return;
    case 'accountUpdate':
      for (const [member] of operation.active?.accountAuths ?? []) add(accountAddress(member));
      return;
    case 'evmAddressRegister':
      add(operation.evmAddress);
      return;
    case 'contractInternalCreate':
      add(contractAddressOf(operation.newContract));
      return;
    case 'contractSelfdestruct':
      add(accountAddress(operation.recipient));
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
