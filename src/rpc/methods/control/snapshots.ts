import { quantity } from '../../../protocol/index.ts';
import { shape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { controlQuantitySchema, flagSchema } from '../../parameters/plain.ts';
import { explained, named, optional } from '../../parameters/schema.ts';
import { objectOf } from '../../parameters/structures.ts';
import type { Profile } from '../../profiles/profile.ts';

const optionsSchema = named(
  'RevertOptions',
  { title: 'what becomes of the snapshot' },
  objectOf({
    keep: explained(optional(flagSchema, false), {
      description: 'Whether the snapshot stays, so that it can be reverted to once more.',
    }),
  }),
);

const KEEP_PARAMETER = { name: 'options', schema: optional(optionsSchema) } as const;

function snapshotMethod({ id, control: { firstSnapshot: first } }: Profile): MethodDefinition {
  return defineControlMethod({
    ...peerNames('snapshot', 'evm_snapshot'),
    summary:
      'Takes a snapshot of the chain, what waits, the clock and the production of blocks; answers its id.',
    result: shape.quantity,
    errors: [ERRORS.tooManySnapshots, ERRORS.writesPaused],
    differences:
      id === 'ledger'
        ? 'No id comes again, not after a reset or a restart either. Snapshots of a kept chain are kept with it.'
        : 'No id comes again. An id here is one less than that of the same snapshot on `/`.',
    example: { parameters: [], result: quantity(1 - first) },
    handler: ({ testChain }) => quantity(testChain.takeSnapshot() - first),
  });
}

function revertMethod({ control: { firstSnapshot: first } }: Profile): MethodDefinition {
  return defineControlMethod({
    ...peerNames('revert', 'evm_revert'),
    summary:
      'Takes everything back to a snapshot; it and later ones are gone then. Answers false, and changes nothing, ' +
      'where there is none with the id.',
    parameters: [
      { name: 'id', schema: controlQuantitySchema, summary: 'What `evm_snapshot` answered.' },
      KEEP_PARAMETER,
    ],
    result: shape.flag,
    errors: [ERRORS.writesPaused],
    differences:
      'The clock is as far ahead as it was, mining is on or off as it was, what waited waits again, and the wallet ' +
      'has the accounts and locks that it had. Filters go on behind the block; what they answered is not taken back.',
    example: { parameters: [quantity(1 - first)], result: true },
    handler: ({ testChain }, [id, options]) => {
      const number = id + BigInt(first);
      const isKnown = number <= BigInt(Number.MAX_SAFE_INTEGER);
      return isKnown && testChain.revertToSnapshot(Number(number), options?.keep === true);
    },
  });
}

/** Returns the methods of snapshots. */
export function snapshotMethods(profile: Profile): readonly MethodDefinition[] {
  return [snapshotMethod(profile), revertMethod(profile)];
}
