/** The operations of a transaction as a program writes them: part of the package's types, so it imports nothing. */

/** Native units of the core asset; a number must be a safe integer, a text decimal digits. */
export type Units = bigint | number | string;

/** An amount of an asset, or units of the core asset, `1.3.0`. */
export type Amount = Units | { readonly amount: Units; readonly assetId: string };

/** Hexadecimal digits, with or without `0x`. */
export type HexText = string;

/** The accounts (`1.2.N`) and public keys (`ECHO…`) that may act for an account, with their weights, in order. */
export interface Authority {
  readonly weightThreshold: number;
  readonly accountAuths: readonly (readonly [account: string, weight: number])[];
  readonly keyAuths: readonly (readonly [publicKey: string, weight: number])[];
}

/** The delegate that produces blocks for an account, and its share in hundredths of a per cent. */
export interface AccountOptions {
  readonly delegatingAccount: string;
  readonly delegateShare: number;
}

/** Moves an amount from one account to another. */
export interface Transfer {
  readonly type: 'transfer';
  readonly fee: Amount;
  readonly from: string;
  readonly to: string;
  readonly amount: Amount;
}

/** Registers an account. */
export interface AccountCreate {
  readonly type: 'accountCreate';
  readonly fee: Amount;
  readonly registrar: string;
  readonly name: string;
  readonly active: Authority;
  readonly echorandKey: string;
  readonly evmAddress?: HexText | undefined;
  readonly options: AccountOptions;
}

/** Replaces the given parts of an account. */
export interface AccountUpdate {
  readonly type: 'accountUpdate';
  readonly fee: Amount;
  readonly account: string;
  readonly active?: Authority | undefined;
  readonly echorandKey?: string | undefined;
  readonly newOptions?: AccountOptions | undefined;
}

/** Creates a contract; the fee is the most gas that it may use. */
export interface ContractCreate {
  readonly type: 'contractCreate';
  readonly fee: Amount;
  readonly registrar: string;
  /** 0 without it. */
  readonly value?: Amount | undefined;
  /** The creation code. */
  readonly code: HexText;
  readonly supportedAssetId?: string | undefined;
  /** False without it. */
  readonly ethAccuracy?: boolean | undefined;
}

/** Calls a contract (`1.11.N`); the fee is the most gas that it may use. */
export interface ContractCall {
  readonly type: 'contractCall';
  readonly fee: Amount;
  readonly registrar: string;
  /** 0 without it. */
  readonly value?: Amount | undefined;
  /** The call data. */
  readonly code: HexText;
  readonly callee: string;
}

/** Ties an EVM address to an account. */
export interface EvmAddressRegister {
  readonly type: 'evmAddressRegister';
  readonly fee: Amount;
  readonly owner: string;
  readonly evmAddress: HexText;
}

/** Moves an amount from an account to an address, also a key's, on chains with Ethereum. */
export interface TransferToAddress {
  readonly type: 'transferToAddress';
  readonly fee: Amount;
  readonly from: string;
  readonly to: HexText;
  readonly amount: Amount;
}

/** The JSON form of an operation: its number, and its fields as the native format names them. */
export type OperationJson = readonly [number: number, fields: object];

/** An operation: by its type, or in its JSON form. Accounts are `1.2.N`. */
export type Operation =
  | Transfer
  | AccountCreate
  | AccountUpdate
  | ContractCreate
  | ContractCall
  | EvmAddressRegister
  | TransferToAddress
  | OperationJson;
