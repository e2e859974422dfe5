/** Codecs: how values are written as bytes and as JSON. */

export { checkBytes, checkString, fixedBytes, parseFixedHex, string, variableBytes } from './bytes.ts';
export { type Codec, decode, encode, fromJson, toJson } from './codec.ts';
export { atEnd, map, optional, pair, set, vector } from './collections.ts';
export {
  amount,
  amountNumber,
  bool,
  formatTime,
  int64,
  parseTime,
  time,
  uint8,
  uint16,
  uint32,
  uint64,
  uint64Text,
  varint,
} from './numbers.ts';
export {
  type Alternatives,
  absentExtensions,
  discriminator,
  emptyExtensions,
  mapped,
  struct,
  variant,
} from './structures.ts';
