import type { AssetAmount } from './assets.ts';
import type { AccountOptions, Authority } from './authorities.ts';
import type { AccountId, AssetId, ContractId } from './identifiers.ts';
import type { Address, PublicKey } from './values.ts';

/** Moves an amount from one account to another (operation 0). */
export interface Transfer {
  readonly type: 'transfer';
  readonly fee: AssetAmount;
  readonly from: AccountId;
  readonly to: AccountId;
  readonly amount: AssetAmount;
}

/** Registers an account, which gets the next free instance (operation 3). */
export interface AccountCreate {
  readonly type: 'accountCreate';
  readonly fee: AssetAmount;
  readonly registrar: AccountId;
  readonly name: string;
  readonly active: Authority;
  readonly echorandKey: PublicKey;
  readonly evmAddress?: Address | undefined;
  readonly options: AccountOptions;
}

/** Replaces those parts of an account that are given (operation 4). */
export interface AccountUpdate {
  readonly type: 'accountUpdate';
  readonly fee: AssetAmount;
  readonly account: AccountId;
  readonly active?: Authority | undefined;
  readonly echorandKey?: PublicKey | undefined;
  readonly newOptions?: AccountOptions | undefined;
}

/** Creates a contract (operation 32). */
export interface ContractCreate {
  readonly type: 'contractCreate';
  readonly fee: AssetAmount;
  readonly registrar: AccountId;
  readonly value: AssetAmount;
  /** Hex digits of the creation code, without prefix; whether they are is checked where they are used. */
  readonly code: string;
  readonly supportedAssetId?: AssetId | undefined;
  readonly ethAccuracy: boolean;
}

/** Calls a contract (operation 33). */
export interface ContractCall {
  readonly type: 'contractCall';
  readonly fee: AssetAmount;
  readonly registrar: AccountId;
  readonly value: AssetAmount;
  /** Hex digits of the call data, without prefix; whether they are is checked where they are used. */
  readonly code: string;
  readonly callee: ContractId;
}

/** Tells that a contract created another one; virtual (operation 34). */
export interface ContractInternalCreate {
  readonly type: 'contractInternalCreate';
  readonly fee: AssetAmount;
  readonly caller: ContractId;
  readonly newContract: ContractId;
  readonly value: AssetAmount;
  readonly ethAccuracy: boolean;
  readonly supportedAssetId?: AssetId | undefined;
}

/** Tells that a contract destroyed itself; virtual (operation 36). */
export interface ContractSelfdestruct {
  readonly type: 'contractSelfdestruct';
  readonly fee: AssetAmount;
  readonly contract: ContractId;
  readonly recipient: AccountId;
  readonly amounts: readonly AssetAmount[];
}

/** Ties an EVM address to an account (operation 74). */
export interface EvmAddressRegister {
  readonly type: 'evmAddressRegister';
  readonly fee: AssetAmount;
  readonly owner: AccountId;
  readonly evmAddress: Address;
}

/** What a transaction is made of. */
export type Operation =
  | Transfer
  | AccountCreate
  | AccountUpdate
  | ContractCreate
  | ContractCall
  | ContractInternalCreate
  | ContractSelfdestruct
  | EvmAddressRegister;

/** The account that pays an operation's fee; a virtual operation has none. */
export function feePayer(operation: Operation): AccountId | undefined {
  switch (operation.type) {
    case 'transfer':
      return operation.from;
    case 'accountCreate':
    case 'contractCreate':
    case 'contractCall':
      return operation.registrar;
    case 'accountUpdate':
      return operation.account;
    case 'evmAddressRegister':
      return operation.owner;
    case 'contractInternalCreate':
    case 'contractSelfdestruct':
      return undefined;
  }
}

/**
 * Whether only the ledger itself makes such operations: none of them is accepted in a submitted transaction.
 */
export function isVirtual(operation: Operation): operation is ContractInternalCreate | ContractSelfdestruct {
  return operation.type === 'contractInternalCreate' || operation.type === 'contractSelfdestruct';
}
