import {
  type Address,
  bytesToHex,
  concatBytes,
  hexToBytes,
  numberToBytes,
  toAddress,
} from '../../protocol/index.ts';

/** The preinstalled contract to which an account delegates to run several calls in one transaction. */
export const BATCH_ACCOUNT = toAddress(hexToBytes('e6cae83bde06e4c305530e199d7217f42808555b'));

/** One of several calls. */
export interface BatchedCall {
  readonly to: Address;
  readonly value: bigint;
  readonly data: Uint8Array;
}

/** Selector of `executeBatch((address,uint256,bytes)[])`. */
const EXECUTE_BATCH = hexToBytes('34fcd5be');
const WORD_BYTES = 32;
/** Bytes of a call before its data: target, value, and the offset and length of the data. */
const CALL_HEAD_BYTES = 4 * WORD_BYTES;

const word = (value: number | bigint): Uint8Array => numberToBytes(BigInt(value), WORD_BYTES);

/** Encodes the call of an account to itself that runs the calls in order, or reverts all of them. */
export function encodeBatch(calls: readonly BatchedCall[]): Uint8Array {
  const encoded = calls.map(({ to, value, data }) => {
    const padding = new Uint8Array(-data.length & (WORD_BYTES - 1));
    const target = word(BigInt(`0x${bytesToHex(to)}`));
    return concatBytes(
      target,
      word(value),
      word(CALL_HEAD_BYTES - WORD_BYTES),
      word(data.length),
      data,
      padding,
    );
  });
  let offset = calls.length * WORD_BYTES;
  const offsets = encoded.map(({ length }) => {
    offset += length;
    return word(offset - length);
  });
  return concatBytes(EXECUTE_BATCH, word(WORD_BYTES), word(calls.length), ...offsets, ...encoded);
}
