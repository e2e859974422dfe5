import { z } from 'zod';
import { type Address, type Hash, hexToBytes, readHex, toAddress, toHash } from '../../protocol/index.ts';
import { describeValue } from '../json/describe.ts';
import { UNCOMMON, withQuickReader } from './quick-reader.ts';

const DIGITS = /^[0-9a-f]*$/i;

/** DATA of any size (docs/interface.md#value-types), as bytes. */
export const dataSchema = withQuickReader(
  hexadecimal('0x-prefixed hex').meta({
    id: 'DataParameter',
    title: 'DATA',
    description: 'Bytes as hex with 0x, two digits a byte.',
    pattern: '^0x([0-9a-fA-F]{2})*$',
  }),
  readData,
);

/** DATA of 20 bytes: an address. */
export const addressSchema: z.ZodType<Address> = withQuickReader(
  fixed(20)
    .transform((bytes) => toAddress(bytes))
    .meta({
      id: 'AddressParameter',
      title: 'DATA, 20 bytes',
      description: 'An address, in capital or small letters.',
      pattern: '^0x[0-9a-fA-F]{40}$',
    }),
  readAddress,
);

/** DATA of 32 bytes: a hash. */
export const hashSchema: z.ZodType<Hash> = withQuickReader(
  fixed(32)
    .transform((bytes) => toHash(bytes))
    .meta({
      id: 'HashParameter',
      title: 'DATA, 32 bytes',
      description: 'A hash.',
      pattern: '^0x[0-9a-fA-F]{64}$',
    }),
  (value) => {
    const bytes = readData(value, 32);
    return bytes === UNCOMMON ? UNCOMMON : toHash(bytes);
  },
);

/** Reads DATA; of exactly `size` bytes where that is given. */
export function readData(value: unknown, size?: number): Uint8Array | typeof UNCOMMON {
  if (typeof value !== 'string' || !value.startsWith('0x')) return UNCOMMON;
  if (size !== undefined && value.length !== 2 + 2 * size) return UNCOMMON;
  return readHex(value.slice(2)) ?? UNCOMMON;
}

/** Reads DATA of 20 bytes. */
export function readAddress(value: unknown): Address | typeof UNCOMMON {
  const bytes = readData(value, 20);
  return bytes === UNCOMMON ? UNCOMMON : toAddress(bytes);
}

function fixed(size: number): z.ZodType<Uint8Array> {
  return hexadecimal(`${size} bytes of 0x-prefixed hex`, size);
}

/** Accepts a string of `0x` and pairs of hexadecimal digits; of exactly `size` bytes where that is given. */
function hexadecimal(expected: string, size?: number): z.ZodType<Uint8Array> {
  return z
    .string({ error: ({ input }) => `expected ${expected}, got ${describeValue(input)}` })
    .transform((text, context) => {
      const problem = problemOf(text, size);
      if (problem === undefined) return hexToBytes(text.slice(2));
      context.issues.push({ code: 'custom', message: `expected ${expected}, got ${problem}`, input: text });
      return z.NEVER;
    });
}

function problemOf(text: string, size: number | undefined): string | undefined {
  if (!text.startsWith('0x')) return 'a string without 0x';
  const digits = text.length - 2;
  if (size !== undefined && digits > 2 * size) return amountOf(digits);
  if (!DIGITS.test(text.slice(2))) return 'a string that is not hex';
  if (digits % 2 === 1 || (size !== undefined && digits !== 2 * size)) return amountOf(digits);
  return undefined;
}

function amountOf(digits: number): string {
  if (digits % 2 === 1) return `${digits} digits, which is odd`;
  return digits === 2 ? '1 byte' : `${digits / 2} bytes`;
}
