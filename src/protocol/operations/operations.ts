import { WEI_PER_UNIT } from '../../consensus.ts';
import type { Address, PublicKey } from '../bytes/bytes.ts';
import { bool, string, variableBytes } from '../codec/scalars.ts';
import {
  absentExtensions,
  discriminator,
  emptyExtensions,
  mapped,
  optional,
  struct,
  vector,
} from '../codec/structures.ts';
import { parseEthereumTransaction } from '../ethereum/parse-transaction.ts';
import type { EthereumTransaction } from '../ethereum/transaction.ts';
import {
  type AccountId,
  type AssetId,
  accountAddress,
  accountId,
  accountIdCodec,
  assetIdCodec,
  type ContractId,
  contractIdCodec,
} from '../objects/identifiers.ts';
import {
  type AccountOptions,
  type AssetAmount,
  type Authority,
  accountOptionsCodec,
  assetAmountCodec,
  authorityCodec,
  evmAddressCodec,
  publicKeyCodec,
} from '../objects/value-codecs.ts';
import type {
  OperationDescription,
  VirtualOperationDescription,
  WrapperOperationDescription,
} from './operation-description.ts';
import { type TestCall, type TestWeiCall, testCall, testWeiCall } from './test-calls.ts';

/** Moves an amount from one account to another (operation 0). */
export interface Transfer {
  readonly type: 'transfer';
  readonly fee: AssetAmount;
  readonly from: AccountId;
  readonly to: AccountId;
  readonly amount: AssetAmount;
}

const transfer: OperationDescription<Transfer> = {
  number: 0,
  codec: struct<Transfer>('transfer', {
    type: discriminator('transfer'),
    fee: assetAmountCodec,
    from: accountIdCodec,
    to: accountIdCodec,
    amount: assetAmountCodec,
    extensions: emptyExtensions,
  }),
  payer: ({ from }) => from,
  receiver: ({ to }) => accountAddress(to),
  moves: 'amount',
};

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

const accountCreate: OperationDescription<AccountCreate> = {
  number: 3,
  codec: struct<AccountCreate>('account_create', {
    type: discriminator('accountCreate'),
    fee: assetAmountCodec,
    registrar: accountIdCodec,
    name: string,
    active: authorityCodec,
    echorandKey: publicKeyCodec,
    evmAddress: optional(evmAddressCodec),
    options: accountOptionsCodec,
    extensions: absentExtensions,
  }),
  payer: ({ registrar }) => registrar,
  receiver: (_, { created }) =>
    created === undefined ? undefined : accountAddress(accountId(created.instance)),
};

/** Replaces the given parts of an account (operation 4). */
export interface AccountUpdate {
  readonly type: 'accountUpdate';
  readonly fee: AssetAmount;
  readonly account: AccountId;
  readonly active?: Authority | undefined;
  readonly echorandKey?: PublicKey | undefined;
  readonly newOptions?: AccountOptions | undefined;
}

const accountUpdate: OperationDescription<AccountUpdate> = {
  number: 4,
  codec: struct<AccountUpdate>('account_update', {
    type: discriminator('accountUpdate'),
    fee: assetAmountCodec,
    account: accountIdCodec,
    active: optional(authorityCodec),
    echorandKey: optional(publicKeyCodec),
    newOptions: optional(accountOptionsCodec),
    extensions: absentExtensions,
  }),
  payer: ({ account }) => account,
  receiver: ({ account }) => accountAddress(account),
};

/** Creates a contract (operation 32). */
export interface ContractCreate {
  readonly type: 'contractCreate';
  readonly fee: AssetAmount;
  readonly registrar: AccountId;
  readonly value: AssetAmount;
  /** Hex digits of the creation code, without prefix; the ledger validates them. */
  readonly code: string;
  readonly supportedAssetId?: AssetId | undefined;
  readonly ethAccuracy: boolean;
}

const contractCreate: OperationDescription<ContractCreate> = {
  number: 32,
  codec: struct<ContractCreate>('contract_create', {
    type: discriminator('contractCreate'),
    fee: assetAmountCodec,
    registrar: accountIdCodec,
    value: assetAmountCodec,
    code: string,
    supportedAssetId: optional(assetIdCodec),
    ethAccuracy: bool,
    extensions: emptyExtensions,
  }),
  payer: ({ registrar }) => registrar,
  moves: 'value',
  code: 'code',
  isMetered: true,
};

/** Calls a contract (operation 33). */
export interface ContractCall {
  readonly type: 'contractCall';
  readonly fee: AssetAmount;
  readonly registrar: AccountId;
  readonly value: AssetAmount;
  /** Hex digits of the call data, without prefix; the ledger validates them. */
  readonly code: string;
  readonly callee: ContractId;
}

const contractCall: OperationDescription<ContractCall> = {
  number: 33,
  codec: struct<ContractCall>('contract_call', {
    type: discriminator('contractCall'),
    fee: assetAmountCodec,
    registrar: accountIdCodec,
    value: assetAmountCodec,
    code: string,
    callee: contractIdCodec,
    extensions: emptyExtensions,
  }),
  payer: ({ registrar }) => registrar,
  receiver: ({ callee }, { addressOf }) => addressOf(callee),
  moves: 'value',
  code: 'code',
  isMetered: true,
};

/** Reports a contract created by another one; virtual (operation 34). */
export interface ContractInternalCreate {
  readonly type: 'contractInternalCreate';
  readonly fee: AssetAmount;
  readonly caller: ContractId;
  readonly newContract: ContractId;
  readonly value: AssetAmount;
  readonly ethAccuracy: boolean;
  readonly supportedAssetId?: AssetId | undefined;
}

const contractInternalCreate: VirtualOperationDescription<ContractInternalCreate> = {
  number: 34,
  codec: struct<ContractInternalCreate>('contract_internal_create', {
    type: discriminator('contractInternalCreate'),
    fee: assetAmountCodec,
    caller: contractIdCodec,
    newContract: contractIdCodec,
    value: assetAmountCodec,
    ethAccuracy: bool,
    supportedAssetId: optional(assetIdCodec),
    extensions: emptyExtensions,
  }),
  cause: ({ caller }) => caller,
  moves: 'value',
};

/** Reports a contract that destroyed itself; virtual (operation 36). */
export interface ContractSelfdestruct {
  readonly type: 'contractSelfdestruct';
  readonly fee: AssetAmount;
  readonly contract: ContractId;
  readonly recipient: AccountId;
  readonly amounts: readonly AssetAmount[];
}

const contractSelfdestruct: VirtualOperationDescription<ContractSelfdestruct> = {
  number: 36,
  codec: struct<ContractSelfdestruct>('contract_selfdestruct', {
    type: discriminator('contractSelfdestruct'),
    fee: assetAmountCodec,
    contract: contractIdCodec,
    recipient: accountIdCodec,
    amounts: vector(assetAmountCodec),
    extensions: emptyExtensions,
  }),
  cause: ({ contract }) => contract,
};

/** Ties an EVM address to an account (operation 74). */
export interface EvmAddressRegister {
  readonly type: 'evmAddressRegister';
  readonly fee: AssetAmount;
  readonly owner: AccountId;
  readonly evmAddress: Address;
}

const evmAddressRegister: OperationDescription<EvmAddressRegister> = {
  number: 74,
  codec: struct<EvmAddressRegister>('evm_address_register', {
    type: discriminator('evmAddressRegister'),
    fee: assetAmountCodec,
    owner: accountIdCodec,
    evmAddress: evmAddressCodec,
    extensions: emptyExtensions,
  }),
  payer: ({ owner }) => owner,
  receiver: ({ owner }) => accountAddress(owner),
};

/** The fields of an {@link EthereumTransactionOperation} in the format. */
type EthereumTransactionFields = Pick<EthereumTransactionOperation, 'type' | 'fee' | 'sender' | 'raw'>;

/**
 * Contains a signed Ethereum transaction (operation 32514, an extension of the format): on chains with Ethereum.
 */
export class EthereumTransactionOperation {
  readonly type = 'ethereumTransaction';
  /** The gas that the transaction offers, which is the most that may be charged. */
  readonly fee: AssetAmount;
  /** The signer of `raw`, included so that readers of a block need not recover it. */
  readonly sender: Address;
  /** The signed transaction: EIP-2718, or RLP of a legacy one. */
  readonly raw: Uint8Array;
  /** The recovered address of the signing key, once known. */
  recoveredSigner: Address | undefined;
  #innerTransaction: EthereumTransaction | undefined;

  /** @param known results of parsing and recovering `raw`, if the caller has them */
  constructor(
    { fee, sender, raw }: Omit<EthereumTransactionFields, 'type'>,
    known: { readonly innerTransaction?: EthereumTransaction; readonly signer?: Address | undefined } = {},
  ) {
    this.fee = fee;
    this.sender = sender;
    this.raw = raw;
    this.#innerTransaction = known.innerTransaction;
    this.recoveredSigner = known.signer;
  }

  /**
   * The signed transaction, parsed at the first access, since operations of stored blocks are often decoded without it.
   *
   * @throws {DecodeError} and UnsupportedTransactionTypeError for bytes that are no transaction
   */
  get innerTransaction(): EthereumTransaction {
    this.#innerTransaction ??= parseEthereumTransaction(this.raw);
    return this.#innerTransaction;
  }
}

const ethereumTransaction: WrapperOperationDescription<EthereumTransactionOperation> = {
  number: 0x7f02,
  codec: mapped(
    struct<EthereumTransactionFields>('ethereum_transaction', {
      type: discriminator('ethereumTransaction'),
      fee: assetAmountCodec,
      sender: evmAddressCodec,
      raw: variableBytes,
      extensions: emptyExtensions,
    }),
    (fields) => new EthereumTransactionOperation(fields),
    (operation) => operation,
  ),
  sender: ({ sender }) => sender,
  message: ({ innerTransaction: { to, value, data } }) => ({ to, value: value / WEI_PER_UNIT, data }),
  isMetered: true,
};

/**
 * Moves an amount from an account to any address (operation 32515, an extension of the format): on chains with
 * Ethereum.
 */
export interface TransferToAddress {
  readonly type: 'transferToAddress';
  readonly fee: AssetAmount;
  readonly from: AccountId;
  readonly to: Address;
  readonly amount: AssetAmount;
}

const transferToAddress: OperationDescription<TransferToAddress> = {
  number: 0x7f03,
  codec: struct<TransferToAddress>('transfer_to_address', {
    type: discriminator('transferToAddress'),
    fee: assetAmountCodec,
    from: accountIdCodec,
    to: evmAddressCodec,
    amount: assetAmountCodec,
    extensions: emptyExtensions,
  }),
  payer: ({ from }) => from,
  receiver: ({ to }) => to,
  moves: 'amount',
};

/** Every operation by its type, for the native format, the checks of form and the interface. */
export const OPERATIONS = {
  transfer,
  accountCreate,
  accountUpdate,
  contractCreate,
  contractCall,
  contractInternalCreate,
  contractSelfdestruct,
  evmAddressRegister,
  testCall,
  ethereumTransaction,
  transferToAddress,
  testWeiCall,
};

/** The types of the operations that an account pays for and signs. */
export type PaidOperation = {
  [Type in keyof typeof OPERATIONS]: 'payer' extends keyof (typeof OPERATIONS)[Type] ? Type : never;
}[keyof typeof OPERATIONS];

/** The operations that may be submitted. The node itself submits test calls, clients all others. */
export type SubmittedOperation =
  | Transfer
  | AccountCreate
  | AccountUpdate
  | ContractCreate
  | ContractCall
  | EvmAddressRegister
  | TestCall
  | EthereumTransactionOperation
  | TransferToAddress
  | TestWeiCall;

/** Operations that only the ledger creates: never accepted in a submitted transaction. */
export type VirtualOperation = ContractInternalCreate | ContractSelfdestruct;

/** Any operation of a processed transaction. */
export type Operation = SubmittedOperation | VirtualOperation;
