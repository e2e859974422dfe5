import { bytesToHex, invariant } from '../protocol/index.ts';

/** A hexadecimal string with its `0x`, as QUANTITY and DATA are written on the wire. */
export type Hexadecimal = `0x${string}`;

/** Bytes of a 32-byte DATA. */
const WORD_BYTES = 32;

/** Writes a QUANTITY. @throws InvariantError for a negative or fractional number */
export function quantity(value: number | bigint): Hexadecimal {
  invariant(
    typeof value === 'bigint' ? value >= 0n : Number.isSafeInteger(value) && value >= 0,
    'a quantity is a whole number of at least zero',
  );
  return `0x${value.toString(16)}`;
}

/** Writes DATA: two lower-case hexadecimal digits a byte, `0x` for no bytes. */
export function data(bytes: Uint8Array): Hexadecimal {
  return `0x${bytesToHex(bytes)}`;
}

/** Writes bytes as DATA of 32 bytes, zero bytes put in front. */
export function paddedData(bytes: Uint8Array): Hexadecimal {
  invariant(bytes.length <= WORD_BYTES, 'padded data has at most 32 bytes');
  return `0x${bytesToHex(bytes).padStart(2 * WORD_BYTES, '0')}`;
}

/** Writes DATA of `length` zero bytes: fields that have no native counterpart show as that. */
export function zeroData(length: number): Hexadecimal {
  return `0x${'00'.repeat(length)}`;
}

/** Writes an integer as a decimal number with its point moved to the left: `0.1` for 1 and one decimal. */
export function decimalText(value: bigint, decimals: number): string {
  const one = 10n ** BigInt(decimals);
  const fraction = String(value % one)
    .padStart(decimals, '0')
    .replace(/0+$/, '');
  return `${value / one}${fraction === '' ? '' : `.${fraction}`}`;
}
