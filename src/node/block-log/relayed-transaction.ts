import {
  bytesToHex,
  concatBytes,
  decode,
  encode,
  type SignedTransaction,
  signedTransactionCodec,
  utf8ToBytes,
} from '../../protocol/index.ts';

/** A transaction that a node relays, with the sidecar of its blobs. */
export interface RelayedTransaction {
  readonly transaction: SignedTransaction;
  /** Serialized for storage; undefined without blobs, and where the sender has none. */
  readonly sidecar: Uint8Array | undefined;
}

/** First bytes of a message with a sidecar. No transaction that a block may contain begins with them. */
const MARK = utf8ToBytes('blobs\0\0\0');
const LENGTH_BYTES = 4;

/** Encodes a transaction for other nodes: its bytes, or a mark, their length, the bytes and the sidecar. */
export function encodeRelayed({ transaction, sidecar }: RelayedTransaction): Uint8Array {
  const bytes = encode(signedTransactionCodec, transaction);
  if (sidecar === undefined) return bytes;
  const length = new Uint8Array(LENGTH_BYTES);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return concatBytes(MARK, length, bytes, sidecar);
}

/** Decodes a transaction of another node; its sidecar is not checked. @throws DecodeError, FormatError */
export function decodeRelayed(message: Uint8Array): RelayedTransaction {
  const start = MARK.length + LENGTH_BYTES;
  const isMarked =
    message.length > start && bytesToHex(message.subarray(0, MARK.length)) === bytesToHex(MARK);
  if (!isMarked) return { transaction: decode(signedTransactionCodec, message), sidecar: undefined };
  const length = new DataView(message.buffer, message.byteOffset).getUint32(MARK.length);
  const transaction = decode(signedTransactionCodec, message.subarray(start, start + length));
  return { transaction, sidecar: message.subarray(start + length) };
}
