import { INSTANCE_MAX } from '../../consensus.ts';
import { checkString } from '../codec/bytes.ts';
import type { Codec } from '../codec/codec.ts';
import { FormatError } from '../errors.ts';
import {
  type AccountId,
  type AssetId,
  type ContractId,
  formatAccountId,
  formatAssetId,
  formatContractId,
  formatObjectId,
  isInstance,
  isObjectId,
  type ObjectId,
  parseAccountId,
  parseAssetId,
  parseContractId,
  parseObjectId,
} from './identifiers.ts';

function instanceCodec<Id extends number>(
  name: string,
  format: (id: Id) => string,
  parse: (text: string, field: string) => Id,
): Codec<Id> {
  return {
    name,
    write(writer, id) {
      if (!isInstance(id)) throw new FormatError('', `must be an instance of 0 to ${INSTANCE_MAX}`);
      writer.writeVarint(id);
    },
    read: (reader) => reader.readVarint(INSTANCE_MAX) as Id,
    toJson: format,
    fromJson: (json) => parse(checkString(json), ''),
  };
}

/** The instance as a varint; JSON `1.2.N`. */
export const accountIdCodec: Codec<AccountId> = instanceCodec('account', formatAccountId, parseAccountId);
/** The instance as a varint; JSON `1.11.N`. */
export const contractIdCodec: Codec<ContractId> = instanceCodec(
  'contract',
  formatContractId,
  parseContractId,
);
/** The instance as a varint; JSON `1.3.N`. */
export const assetIdCodec: Codec<AssetId> = instanceCodec('asset', formatAssetId, parseAssetId);

const HIGH_HALF = 2 ** 32;

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
