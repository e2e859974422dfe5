import {
  type Address,
  type BlockId,
  bytesToHex,
  compareBytes,
  type Hash,
  type MerkleRoot,
  type PublicKey,
  type Signature,
  toAddress,
} from '../bytes/bytes.ts';
import type { Codec } from '../codec/codec.ts';
import {
  amount,
  checkBytes,
  checkString,
  fixedBytes,
  parseFixedHex,
  uint16,
  uint32,
} from '../codec/scalars.ts';
import { emptyExtensions, map, struct } from '../codec/structures.ts';
import { formatPublicKey, parsePublicKey } from '../keys/keys.ts';
import { type AccountId, type AssetId, accountIdCodec, assetIdCodec, CORE_ASSET } from './identifiers.ts';

/** 20 bytes. */
export const blockIdCodec: Codec<BlockId> = fixedBytes<BlockId>(20, 'block_id');
/** 20 bytes. */
export const merkleRootCodec: Codec<MerkleRoot> = fixedBytes<MerkleRoot>(20, 'merkle_root');
/** 32 bytes. */
export const hashCodec: Codec<Hash> = fixedBytes<Hash>(32, 'hash');
/** 64 bytes. */
export const signatureCodec: Codec<Signature> = fixedBytes<Signature>(64, 'signature');
/** 20 bytes without a length, for records of this program; operations use `evmAddressCodec`. */
export const addressCodec: Codec<Address> = fixedBytes<Address>(20, 'address');

/** 32 bytes; JSON is the prefix and base58. */
export const publicKeyCodec: Codec<PublicKey> = {
  ...fixedBytes<PublicKey>(32, 'public_key'),
  toJson: formatPublicKey,
  fromJson: (json) => parsePublicKey(checkString(json), ''),
};

const ADDRESS_BYTES = 20;

/** A length, always 20, and as many bytes; JSON is 40 lower-case hex digits. */
export const evmAddressCodec: Codec<Address> = {
  name: 'evm_address',
  write(writer, address) {
    checkBytes(address, ADDRESS_BYTES);
    writer.writeVarint(ADDRESS_BYTES);
    writer.writeBytes(address);
  },
  read(reader) {
    const offset = reader.offset;
    const length = reader.readVarint(Number.MAX_SAFE_INTEGER);
    if (length !== ADDRESS_BYTES)
      throw reader.failure(`must have ${ADDRESS_BYTES} bytes, not ${length}`, offset);
    return toAddress(reader.readBytes(ADDRESS_BYTES));
  },
  toJson: bytesToHex,
  fromJson: (json) => toAddress(parseFixedHex(json, ADDRESS_BYTES)),
};

/** Native units of an asset, 0 to `AMOUNT_MAX`. */
export interface AssetAmount {
  readonly amount: bigint;
  readonly assetId: AssetId;
}

/** An int64 and the asset's instance. */
export const assetAmountCodec: Codec<AssetAmount> = struct<AssetAmount>('asset_amount', {
  amount,
  assetId: assetIdCodec,
});

export function coreAmount(units: bigint): AssetAmount {
  return { amount: units, assetId: CORE_ASSET };
}

/** The members that may act for an account: their weights (1 to 65,535) must sum up to the threshold. */
export interface Authority {
  readonly weightThreshold: number;
  /** Accounts and their weights, by instance: the active authority of an account must agree. */
  readonly accountAuths: readonly (readonly [AccountId, number])[];
  /** Keys and their weights, by their bytes. */
  readonly keyAuths: readonly (readonly [PublicKey, number])[];
}

/** The threshold, then accounts and keys with their weights. */
export const authorityCodec: Codec<Authority> = struct<Authority>('authority', {
  weightThreshold: uint32,
  accountAuths: map(accountIdCodec, uint16, (left, right) => left - right),
  keyAuths: map(publicKeyCodec, uint16, compareBytes),
});

/** The delegate that produces blocks for an account. */
export interface AccountOptions {
  readonly delegatingAccount: AccountId;
  /** The delegate's share of rewards in hundredths of a per cent. */
  readonly delegateShare: number;
}

/** The delegate, its share, and extensions, which are empty. */
export const accountOptionsCodec: Codec<AccountOptions> = struct<AccountOptions>('account_options', {
  delegatingAccount: accountIdCodec,
  delegateShare: uint16,
  extensions: emptyExtensions,
});
