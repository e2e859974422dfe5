import {
  bytesToNumber,
  type Codec,
  FormatError,
  mapped,
  numberToBytes,
  variableBytes,
} from '../../protocol/index.ts';

/** Makes the codec of a natural number: big-endian, without leading zeros. */
export function natural(bytesMax: number): Codec<bigint> {
  return mapped(
    variableBytes,
    (bytes) => {
      if (bytes[0] === 0 || bytes.length > bytesMax)
        throw new FormatError('', `is no number of at most ${bytesMax} bytes`);
      return bytesToNumber(bytes);
    },
    (value) => numberToBytes(value),
  );
}
