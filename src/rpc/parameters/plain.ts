import { utf8ToBytes } from '../../protocol/index.ts';
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
