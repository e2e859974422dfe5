import { readHex, type Seed, toSeed, utf8ToBytes } from '../../protocol/index.ts';
import { isPrivateKey } from '../../wallet/index.ts';
import { describeValue } from '../json/describe.ts';
import { readData } from './bytes.ts';
import { explained, mapped, named, refusal, type Schema } from './schema.ts';

/** A boolean. */
export const flagSchema: Schema<boolean> = {
  describe: () => ({ type: 'boolean', title: 'boolean' }),
  read: (value, place) => {
    if (typeof value === 'boolean') return value;
    throw refusal(place, `expected true or false, got ${describeValue(value)}`);
  },
};

/** A number, fractions included. */
export const numberSchema: Schema<number> = {
  describe: () => ({ type: 'number' }),
  read: (value, place) => {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    const got = typeof value === 'number' ? 'one that is too large' : describeValue(value);
    throw refusal(place, `expected a number, got ${got}`);
  },
};

/** A text that the method itself reads. */
export const textSchema: Schema<string> = {
  describe: () => ({ type: 'string', title: 'string' }),
  read: (value, place) => {
    if (typeof value === 'string') return value;
    throw refusal(place, `expected a string, got ${describeValue(value)}`);
  },
};

/** A text that the method itself reads, or null. */
export const textOrNullSchema: Schema<string | null> = {
  describe: () => ({ type: ['string', 'null'], title: 'string or null' }),
  read: (value, place) => {
    if (typeof value === 'string' || value === null) return value;
    throw refusal(place, `expected a string or null, got ${describeValue(value)}`);
  },
};

/** A passphrase; it is never repeated in a message. */
export const passphraseSchema: Schema<string> = named(
  'Passphrase',
  { title: 'string', description: 'A passphrase; never repeated in a message.' },
  textSchema,
);

/** A private key, with or without 0x, as geth takes it and others do; never repeated in a message. */
export const privateKeySchema: Schema<Seed> = {
  describe: () => ({
    type: 'string',
    pattern: '^(0x)?[0-9a-fA-F]{64}$',
    title: 'DATA, 32 bytes',
    description: 'A private key of secp256k1, with or without 0x; never repeated in a message.',
  }),
  read: (value, place) => {
    const text = typeof value === 'string' ? value.replace(/^0x/, '') : '';
    const bytes = text.length === 64 ? readHex(text) : undefined;
    if (bytes === undefined) throw refusal(place, 'expected 32 bytes of hex, with or without 0x');
    const key = toSeed(bytes);
    if (!isPrivateKey(key)) throw refusal(place, 'it is no private key of secp256k1');
    return key;
  },
};

/** A message to sign: DATA, or a text whose UTF-8 it is. */
export const messageSchema: Schema<Uint8Array> = explained(
  mapped(textSchema, (text) => readData(text) ?? utf8ToBytes(text)),
  { title: 'DATA or text' },
);

/** A field that clients add and that has no effect here. */
export const ignoredSchema: Schema<undefined> = {
  isOptional: true,
  describe: () => ({ description: 'Accepted, without effect.' }),
  read: () => undefined,
};
