import { ETHEREUM_NONCE_MAX } from '../../consensus.ts';
import { bytesToNumber, concatBytes, numberToBytes, WORD_MAX } from '../bytes/bytes.ts';
import { signDigest } from '../curves/signing.ts';
import { keccak256 } from '../hashing/hashes.ts';
import { FormatError } from '../protocol-errors.ts';
import type { AuthorizationList } from './authorization.ts';
import {
  ACCESS_LIST_TYPE,
  BLOB_TYPE,
  DYNAMIC_FEE_TYPE,
  SET_CODE_TYPE,
  V_PROTECTED,
  V_UNPROTECTED,
} from './parse-transaction.ts';
import { encodeRlp, type RlpItem } from './rlp.ts';
import {
  type AccessList,
  type EthereumSignature,
  type EthereumTransactionFields,
  type LegacyFields,
  NO_AUTHORIZATION,
} from './transaction.ts';

const HIGHEST_COUNTER = 2n ** 64n - 1n;

type TypedFields = Exclude<EthereumTransactionFields, LegacyFields>;

/** First byte of each typed transaction (EIP-2718). */
const TYPE_BYTES = {
  accessList: ACCESS_LIST_TYPE,
  dynamicFee: DYNAMIC_FEE_TYPE,
  blob: BLOB_TYPE,
  setCode: SET_CODE_TYPE,
} as const satisfies Record<TypedFields['type'], number>;

/** Signs a transaction deterministically (RFC 6979). @throws {FormatError} for a number that does not fit its field */
export function signEthereumTransaction(
  fields: EthereumTransactionFields,
  privateKey: Uint8Array,
): Uint8Array {
  const { r, s, yParity } = signDigest(signingHashOf(fields), privateKey);
  return serializeEthereumTransaction(fields, { r: bytesToNumber(r), s: bytesToNumber(s), yParity });
}

function signingHashOf(fields: EthereumTransactionFields): Uint8Array {
  if (fields.type !== 'legacy') return keccak256(withType(fields, typedItems(fields)));
  const { chainId } = fields;
  const replayProtection =
    chainId === undefined ? [] : [integer('chainId', chainId, 1n), new Uint8Array(), new Uint8Array()];
  return keccak256(encodeRlp([...legacyItems(fields), ...replayProtection]));
}

/**
 * Serializes a transaction with its signature, which may be undefined: its numbers are 0 then, as in geth.
 * @throws {FormatError} for a number that does not fit its field
 */
export function serializeEthereumTransaction(
  fields: EthereumTransactionFields,
  signature: EthereumSignature | undefined,
): Uint8Array {
  const { r, s, yParity } = signature ?? { r: 0n, s: 0n, yParity: 0 };
  const numbers = [integer('r', r), integer('s', s)];
  if (fields.type !== 'legacy') {
    return withType(fields, [...typedItems(fields), integer('yParity', BigInt(yParity)), ...numbers]);
  }
  const base = fields.chainId === undefined ? V_UNPROTECTED : V_PROTECTED + 2n * fields.chainId;
  const v = signature === undefined ? 0n : base + BigInt(yParity);
  return encodeRlp([...legacyItems(fields), integer('v', v), ...numbers]);
}

function withType({ type }: TypedFields, items: readonly RlpItem[]): Uint8Array {
  return concatBytes(Uint8Array.of(TYPE_BYTES[type]), encodeRlp(items));
}

function typedItems(fields: TypedFields): readonly RlpItem[] {
  const begin = [
    integer('chainId', fields.chainId, 1n),
    integer('nonce', fields.nonce, 0n, ETHEREUM_NONCE_MAX),
  ];
  const prices =
    fields.type === 'accessList'
      ? [integer('gasPrice', fields.gasPrice)]
      : [
          integer('maxPriorityFeePerGas', fields.maxPriorityFeePerGas),
          integer('maxFeePerGas', fields.maxFeePerGas),
        ];
  const blobs =
    fields.type === 'blob'
      ? [integer('maxFeePerBlobGas', fields.maxFeePerBlobGas), fields.blobVersionedHashes]
      : [];
  const authorizations = fields.type === 'setCode' ? [authorizationItems(fields.authorizationList)] : [];
  const items = [...begin, ...prices, ...targetItems(fields), accessItems(fields.accessList)];
  return [...items, ...blobs, ...authorizations];
}

function legacyItems(fields: LegacyFields): readonly RlpItem[] {
  const nonce = integer('nonce', fields.nonce, 0n, ETHEREUM_NONCE_MAX);
  return [nonce, integer('gasPrice', fields.gasPrice), ...targetItems(fields)];
}

function targetItems({ gas, to, value, data }: EthereumTransactionFields): readonly RlpItem[] {
  return [integer('gas', gas, 0n, HIGHEST_COUNTER), to ?? new Uint8Array(), integer('value', value), data];
}

function accessItems(accessList: AccessList): readonly RlpItem[] {
  return accessList.map(({ address, storageKeys }) => [address, storageKeys]);
}

function authorizationItems(list: AuthorizationList): readonly RlpItem[] {
  if (list.length === 0) throw new FormatError('transaction.authorizationList', NO_AUTHORIZATION);
  return list.map(({ chainId, address, nonce, yParity, r, s }, index) => {
    const at = `authorizationList[${index}]`;
    return [
      integer(`${at}.chainId`, chainId),
      address,
      integer(`${at}.nonce`, nonce, 0n, HIGHEST_COUNTER),
      integer(`${at}.yParity`, BigInt(yParity), 0n, 255n),
      integer(`${at}.r`, r),
      integer(`${at}.s`, s),
    ];
  });
}

function integer(field: string, value: bigint, lowest = 0n, highest = WORD_MAX): Uint8Array {
  if (value >= lowest && value <= highest) return numberToBytes(value);
  throw new FormatError(`transaction.${field}`, `must be of ${lowest} to ${highest}, not ${value}`);
}
