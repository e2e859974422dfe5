import { CallError } from './errors.ts';
import {
  fieldsOf,
  type Hex,
  hexOf,
  hexOrNone,
  listOf,
  numberOf,
  optional,
  quantityOf,
  textOf,
} from './reading.ts';
import { call } from './rpc.ts';

/** Kinds of addresses: `key` is an Ethereum key, `reference` the registered EVM address of an account. */
export type AddressKind = 'account' | 'contract' | 'key' | 'reference' | 'unused';

/** A signer with a weight. */
export interface Authority {
  /** A public key, or an account `1.2.N`. */
  readonly text: string;
  readonly weight: number;
  /** The address of the account. */
  readonly address: Hex | undefined;
}

/** The ledger's record of an account. */
export interface NativeAccount {
  readonly name: string;
  readonly evmAddress: Hex | undefined;
  /** Weights that have to sign for it together. */
  readonly threshold: number;
  readonly authorities: readonly Authority[];
  /** Key for signing blocks. */
  readonly consensusKey: string;
  /** The account that produces blocks for it. */
  readonly delegate: string;
}

/** The latest state of an address. */
export interface Account {
  readonly address: Hex;
  readonly kind: AddressKind;
  /** `1.2.N` or `1.11.N`. */
  readonly id: string | undefined;
  readonly balance: bigint;
  readonly nonce: bigint;
  /** Operations that it paid for, where the node counts them. */
  readonly paidOperations: bigint | undefined;
  /** Bytes. */
  readonly codeSize: number;
  /** The account for which the address is registered. */
  readonly referenceTo: Hex | undefined;
  readonly native: NativeAccount | undefined;
}

const KINDS: readonly AddressKind[] = ['account', 'contract', 'key', 'reference', 'unused'];
const INVALID_PARAMETERS = -32602;

/**
 * Looks up an address, an identifier or a name; undefined if it does not exist.
 *
 * @throws as `call`
 */
export async function accountOf(reference: string): Promise<Account | undefined> {
  return optional(await call('ledger_getAccount', reference), readAccount);
}

/** The identifier of the account with a name; undefined for none. @throws as `call` */
export async function accountNamed(name: string): Promise<string | undefined> {
  try {
    return (await accountOf(name))?.id;
  } catch (error) {
    // A text that can be no name at all.
    if (error instanceof CallError && error.code === INVALID_PARAMETERS) return undefined;
    throw error;
  }
}

function readAccount(value: unknown): Account {
  const fields = fieldsOf(value);
  return {
    address: hexOf(fields.address),
    kind: KINDS.find((kind) => kind === fields.kind) ?? 'unused',
    id: optional(fields.id, textOf),
    balance: quantityOf(fields.balance),
    nonce: quantityOf(fields.nonce),
    paidOperations: optional(fields.operationCount, quantityOf),
    codeSize: numberOf(fields.codeSize),
    referenceTo: hexOrNone(fields.referenceTo),
    native: optional(fields.account, readNative),
  };
}

function readNative(value: unknown): NativeAccount {
  const fields = fieldsOf(value);
  const accounts = listOf(fields.accounts).map(fieldsOf);
  const keys = listOf(fields.keys).map(fieldsOf);
  return {
    name: textOf(fields.name),
    evmAddress: hexOrNone(fields.evmAddress),
    threshold: numberOf(fields.threshold),
    authorities: [
      ...keys.map(({ key, weight }) => ({ text: textOf(key), weight: numberOf(weight), address: undefined })),
      ...accounts.map(({ account, address, weight }) => ({
        text: textOf(account),
        weight: numberOf(weight),
        address: hexOf(address),
      })),
    ],
    consensusKey: textOf(fields.consensusKey),
    delegate: textOf(fields.delegate),
  };
}
