import { z } from 'zod';
import { utf8ToBytes } from '../../protocol/index.ts';
import { describeValue } from '../json/describe.ts';
import { readData } from './bytes.ts';
import { UNCOMMON, withQuickReader } from './quick-reader.ts';

/** A boolean. */
export const flagSchema: z.ZodType<boolean> = withQuickReader(
  z
    .boolean({ error: ({ input }) => `expected true or false, got ${describeValue(input)}` })
    .meta({ title: 'boolean' }),
  (value) => (typeof value === 'boolean' ? value : UNCOMMON),
);

/** A passphrase; it is never repeated in a message. */
export const passphraseSchema: z.ZodType<string> = z
  .string({ error: ({ input }) => `expected a string, got ${describeValue(input)}` })
  .meta({ id: 'Passphrase', title: 'string', description: 'A passphrase; never repeated in a message.' });

/** A message to sign: DATA, or a text whose UTF-8 it is. */
export const messageSchema: z.ZodType<Uint8Array> = z
  .string({ error: ({ input }) => `expected a string, got ${describeValue(input)}` })
  .transform((text) => {
    const bytes = readData(text);
    return bytes === UNCOMMON ? utf8ToBytes(text) : bytes;
  })
  .meta({ title: 'DATA or text' });

/** A text that the method itself reads. */
export const textSchema: z.ZodType<string> = z
  .string({ error: ({ input }) => `expected a string, got ${describeValue(input)}` })
  .meta({ title: 'string' });

/** A text that the method itself reads, or null. */
export const optionalTextSchema: z.ZodType<string | null> = z
  .string({ error: ({ input }) => `expected a string or null, got ${describeValue(input)}` })
  .nullable()
  .meta({ title: 'string or null' });
