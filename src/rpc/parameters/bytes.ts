import { type Address, type Hash, readHex, toAddress, toHash } from '../../protocol/index.ts';
import { describeValue } from '../json/describe.ts';
import { named, refusal, type Schema } from './schema.ts';

const DIGITS = /^[0-9a-f]*$/i;

/** DATA of any size (docs/interface.md#value-types), as bytes. */
export const dataSchema = named(
  'DataParameter',
  { title: 'DATA', description: 'Bytes as hex with 0x, two digits a byte.' },
  hexadecimal('0x-prefixed hex', '([0-9a-fA-F]{2})*', (bytes) => bytes),
);

/** DATA of 20 bytes: an address. */
export const addressSchema: Schema<Address> = named(
  'AddressParameter',
  { title: 'DATA, 20 bytes', description: 'An address, in capital or small letters.' },
  fixed(20, toAddress),
);

/** DATA of 32 bytes: a hash. */
export const hashSchema: Schema<Hash> = named(
  'HashParameter',
  { title: 'DATA, 32 bytes', description: 'A hash.' },
  fixed(32, toHash),
);

/** Reads DATA, of exactly `size` bytes if given; returns undefined for anything else. */
export function readData(value: unknown, size?: number): Uint8Array | undefined {
  if (typeof value !== 'string' || !value.startsWith('0x')) return undefined;
  if (size !== undefined && value.length !== 2 + 2 * size) return undefined;
  return readHex(value.slice(2));
}

function fixed<T extends Uint8Array>(size: number, make: (bytes: Uint8Array) => T): Schema<T> {
  return hexadecimal(`${size} bytes of 0x-prefixed hex`, `[0-9a-fA-F]{${2 * size}}`, make, size);
}

/** Makes the schema of `0x` and pairs of hexadecimal digits, of exactly `size` bytes if given. */
function hexadecimal<T extends Uint8Array>(
  expected: string,
  digits: string,
  make: (bytes: Uint8Array) => T,
  size?: number,
): Schema<T> {
  return {
    describe: () => ({ type: 'string', pattern: `^0x${digits}$` }),
    read: (value, place) => {
      const bytes = readData(value, size);
      if (bytes !== undefined) return make(bytes);
      throw refusal(place, `expected ${expected}, got ${problemOf(value, size)}`);
    },
  };
}

/** Describes a value that is no DATA. */
function problemOf(value: unknown, size: number | undefined): string {
  if (typeof value !== 'string') return describeValue(value);
  if (!value.startsWith('0x')) return 'a string without 0x';
  const digits = value.length - 2;
  if (size !== undefined && digits > 2 * size) return amountOf(digits);
  return DIGITS.test(value.slice(2)) ? amountOf(digits) : 'a string that is not hex';
}

function amountOf(digits: number): string {
  if (digits % 2 === 1) return `${digits} digit${digits === 1 ? '' : 's'}, which is odd`;
  return digits === 2 ? '1 byte' : `${digits / 2} bytes`;
}
