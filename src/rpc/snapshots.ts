import type { TestChainContext } from './method-context.ts';
import { flagSchema } from './parameters/plain.ts';
import { explained, named, optional, type ReadBy } from './parameters/schema.ts';
import { objectOf } from './parameters/structures.ts';

const optionsSchema = named(
  'RevertOptions',
  { title: 'what becomes of the snapshot' },
  objectOf({
    keep: explained(optional(flagSchema, false), {
      description: 'Whether the snapshot stays, so that it can be reverted to once more.',
    }),
  }),
);

/** The parameter that says what becomes of a snapshot that is reverted to. */
export const KEEP_PARAMETER = { name: 'options', schema: optional(optionsSchema) } as const;

/** Takes everything back to a snapshot; false where there is none of the number. */
export function revertToSnapshot(
  { testChain }: TestChainContext,
  number: bigint,
  options: ReadBy<typeof optionsSchema> | undefined,
): boolean | Promise<boolean> {
  const isKnown = number <= BigInt(Number.MAX_SAFE_INTEGER);
  return isKnown && testChain.revertToSnapshot(Number(number), options?.keep === true);
}
