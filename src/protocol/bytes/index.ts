/** Bytes: hex, base58, comparison, readers and writers. */

export { base58ToBytes, bytesToBase58 } from './base58.ts';
export { ByteReader } from './byte-reader.ts';
export { ByteWriter } from './byte-writer.ts';
export {
  bytesToHex,
  compareBytes,
  concatBytes,
  equalBytes,
  hexToBytes,
  readHex,
  toPrefixedHex,
  utf8ToBytes,
} from './bytes.ts';
