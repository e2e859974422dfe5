import { INSTANCE_MAX } from '../../consensus.ts';
import { type Address, type Brand, toAddress } from '../bytes/bytes.ts';
import type { Codec } from '../codec/codec.ts';
import { checkString } from '../codec/scalars.ts';
import { FormatError } from '../protocol-errors.ts';

/** Instance of an account: N of `1.2.N`. */
export type AccountId = Brand<number, 'AccountId'>;
/** Instance of a contract: N of `1.11.N`. */
export type ContractId = Brand<number, 'ContractId'>;
/** Instance of an asset: N of `1.3.N`. */
export type AssetId = Brand<number, 'AssetId'>;

/** Identifier of any object, `space.type.instance`: two bytes and 48 bits. */
export interface ObjectId {
  readonly space: number;
  readonly type: number;
  readonly instance: number;
}

/** The object that an address encodes. */
export type AddressOwner =
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'contract'; readonly id: ContractId }
  | { readonly kind: 'other' };

const PROTOCOL_SPACE = 1;
const ACCOUNT_TYPE = 2;
const ASSET_TYPE = 3;
const CONTRACT_TYPE = 11;

/** Returns true for an object's instance: an integer of 0 to `INSTANCE_MAX`. */
function isInstance(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= INSTANCE_MAX;
}

/** The constructor, texts and codec of the identifiers of one type, such as `1.2.N`. */
interface IdentifierKind<Id> {
  /** Returns the identifier of an instance. @throws {FormatError} unless it is an integer of 0 to `INSTANCE_MAX` */
  of(instance: number): Id;
  format(id: Id): string;
  /** Parses the text of an identifier, N a decimal without leading zeros. @throws {FormatError} for anything else */
  parse(text: string, field?: string): Id;
  /** The instance as a varint; JSON as formatted. */
  readonly codec: Codec<Id>;
}

function identifierKind<Id extends number>(name: string, type: number): IdentifierKind<Id> {
  const prefix = `${PROTOCOL_SPACE}.${type}.`;
  const format = (id: Id) => `${prefix}${id}`;
  const parse = (text: string, field = name) => {
    const digits = text.startsWith(prefix) ? text.slice(prefix.length) : '';
    const instance = DECIMAL.test(digits) ? Number(digits) : Number.NaN;
    if (isInstance(instance)) return instance as Id;
    throw new FormatError(field, `expected ${prefix}N with a decimal N of 0 to ${INSTANCE_MAX}`);
  };
  return {
    of(instance) {
      if (isInstance(instance)) return instance as Id;
      throw new FormatError(name, `instance must be an integer of 0 to ${INSTANCE_MAX}`);
    },
    format,
    parse,
    codec: {
      name,
      write(writer, id) {
        if (!isInstance(id)) throw new FormatError('', `must be an instance of 0 to ${INSTANCE_MAX}`);
        writer.writeVarint(id);
      },
      read: (reader) => reader.readVarint(INSTANCE_MAX) as Id,
      toJson: format,
      fromJson: (json) => parse(checkString(json), ''),
    },
  };
}

/** A decimal without sign or leading zeros, of few enough digits to be an exact number. */
const DECIMAL = /^(?:0|[1-9][0-9]{0,14})$/;

const accounts = identifierKind<AccountId>('account', ACCOUNT_TYPE);
const contracts = identifierKind<ContractId>('contract', CONTRACT_TYPE);
const assets = identifierKind<AssetId>('asset', ASSET_TYPE);

export const {
  of: accountId,
  format: formatAccountId,
  parse: parseAccountId,
  codec: accountIdCodec,
} = accounts;
export const {
  of: contractId,
  format: formatContractId,
  parse: parseContractId,
  codec: contractIdCodec,
} = contracts;
export const { of: assetId, format: formatAssetId, parse: parseAssetId, codec: assetIdCodec } = assets;

/** The asset of balances in the interface and of fees: `1.3.0`. */
export const CORE_ASSET: AssetId = assetId(0);

/** Formats an identifier as `space.type.instance`. */
export function formatObjectId(id: ObjectId): string {
  return `${id.space}.${id.type}.${id.instance}`;
}

/** Returns true if space and type are bytes and the instance has at most 48 bits. */
function isObjectId(id: ObjectId): boolean {
  return isByte(id.space) && isByte(id.type) && isInstance(id.instance);
}

function isByte(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0xff;
}

/** Parses `space.type.instance` of canonical decimals. @throws {FormatError} for anything else */
export function parseObjectId(text: string, field = 'object'): ObjectId {
  const [space = '', type = '', instance = '', ...rest] = text.split('.', 4);
  const canonical = rest.length === 0 && DECIMAL.test(space) && DECIMAL.test(type) && DECIMAL.test(instance);
  const id = { space: Number(space), type: Number(type), instance: Number(instance) };
  if (!canonical || !isObjectId(id)) {
    throw new FormatError(field, 'expected space.type.instance, decimals of at most 255, 255 and 48 bits');
  }
  return id;
}

/** Returns `1.2.N` as an identifier of any object. */
export function accountObject(id: AccountId): ObjectId {
  return { space: PROTOCOL_SPACE, type: ACCOUNT_TYPE, instance: id };
}

/** Returns `1.11.N` as an identifier of any object. */
export function contractObject(id: ContractId): ObjectId {
  return { space: PROTOCOL_SPACE, type: CONTRACT_TYPE, instance: id };
}

/** First byte of a contract's address that follows from its instance; an account's is 0. */
const CONTRACT_MARK = 1;
const ADDRESS_BYTES = 20;
const INSTANCE_OFFSET = 12;
const HIGH_HALF = 2 ** 32;

function instanceAddress(mark: number, instance: number): Address {
  const bytes = new Uint8Array(ADDRESS_BYTES);
  bytes[0] = mark;
  // Without a view: this is called for each account of each operation.
  for (let at = ADDRESS_BYTES - 1, rest = instance; rest > 0; at -= 1, rest = Math.floor(rest / 256)) {
    bytes[at] = rest % 256;
  }
  return toAddress(bytes);
}

/** Returns the address of an account: its instance, big endian, after zeros. */
export function accountAddress(id: AccountId): Address {
  return instanceAddress(0, id);
}

/** Returns the address of a contract, unless CREATE2 made it: `01`, zeros, its instance, big endian. */
export function contractAddress(id: ContractId): Address {
  return instanceAddress(CONTRACT_MARK, id);
}

/**
 * Returns the account or contract that an address encodes, existing or not. Addresses of CREATE2 and registered EVM
 * addresses are `other`: the ledger's state resolves them.
 */
export function addressOwner(address: Address): AddressOwner {
  const mark = address[0];
  if (mark !== 0 && mark !== CONTRACT_MARK) return { kind: 'other' };
  for (let index = 1; index < INSTANCE_OFFSET; index++) if (address[index] !== 0) return { kind: 'other' };
  const view = new DataView(address.buffer, address.byteOffset, address.byteLength);
  const instance = view.getUint32(INSTANCE_OFFSET) * HIGH_HALF + view.getUint32(INSTANCE_OFFSET + 4);
  if (!isInstance(instance)) return { kind: 'other' };
  return mark === 0
    ? { kind: 'account', id: instance as AccountId }
    : { kind: 'contract', id: instance as ContractId };
}

/** Eight bytes: the instance in the low 48 bits, little endian, then type and space; JSON `space.type.instance`. */
export const objectIdCodec: Codec<ObjectId> = {
  name: 'object',
  write(writer, id) {
    if (!isObjectId(id))
      throw new FormatError('', 'must be space and type of a byte and an instance of 48 bits');
    writer.writeUint32(id.instance % HIGH_HALF);
    writer.writeUint16(Math.floor(id.instance / HIGH_HALF));
    writer.writeUint8(id.type);
    writer.writeUint8(id.space);
  },
  read(reader) {
    const low = reader.readUint32();
    const instance = reader.readUint16() * HIGH_HALF + low;
    const type = reader.readUint8();
    return { space: reader.readUint8(), type, instance };
  },
  toJson: formatObjectId,
  fromJson: (json) => parseObjectId(checkString(json), ''),
};
