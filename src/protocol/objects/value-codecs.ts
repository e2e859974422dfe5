import { bytesToHex } from '../bytes/bytes.ts';
import { checkBytes, checkString, fixedBytes, parseFixedHex } from '../codec/bytes.ts';
import type { Codec } from '../codec/codec.ts';
import { formatPublicKey, parsePublicKey } from '../keys/keys.ts';
import {
  type Address,
  type BlockId,
  type Hash,
  type MerkleRoot,
  type PublicKey,
  type Signature,
  toAddress,
} from '../values.ts';

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
