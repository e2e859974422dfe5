import { shape } from '../../../formatters/index.ts';
import { quantity } from '../../../protocol/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { controlQuantitySchema, flagSchema } from '../../parameters/plain.ts';
import { explained, named, optional } from '../../parameters/schema.ts';
import { objectOf } from '../../parameters/structures.ts';

const optionsSchema = named(
  'RevertOptions',
  { title: 'options of a revert' },
  objectOf({
    keep: explained(optional(flagSchema, false), {
      description: 'True: keeps the snapshot for further reverts.',
    }),
  }),
);

const KEEP_PARAMETER = { name: 'options', schema: optional(optionsSchema) } as const;

const snapshot = defineControlMethod({
  ...peerNames('snapshot', 'evm_snapshot'),
  summary:
    'Takes a snapshot of the chain, the pending pool, the clock and the production of blocks; returns its id.',
  result: shape.quantity,
  errors: [ERRORS.tooManySnapshots, ERRORS.snapshotsTooLarge, ERRORS.writesPaused],
  differences: 'Ids are never reused. An id is one less than that of the same snapshot on `/`.',
  example: { parameters: [], result: '0x0' },
  handler: ({ testChain, profile }) => quantity(testChain.takeSnapshot() - profile.firstSnapshot),
});

const revert = defineControlMethod({
  ...peerNames('revert', 'evm_revert'),
  summary:
    'Reverts the chain to a snapshot, and deletes it and later ones. Returns false, and changes nothing, for an ' +
    'unknown id.',
  parameters: [
    { name: 'id', schema: controlQuantitySchema, summary: 'A result of `evm_snapshot`.' },
    KEEP_PARAMETER,
  ],
  result: shape.flag,
  errors: [ERRORS.writesPaused],
  differences:
    'Restores the offset of the clock, the mining mode, the pending transactions and the accounts and locks of the ' +
    'wallet. Filters continue after the block; items that they have reported are not retracted.',
  example: { parameters: ['0x0'], result: true },
  handler: ({ testChain, profile }, [id, options]) => {
    const number = id + BigInt(profile.firstSnapshot);
    const isKnown = number <= BigInt(Number.MAX_SAFE_INTEGER);
    return isKnown && testChain.revertToSnapshot(Number(number), options?.keep === true);
  },
});

export const SNAPSHOT_METHODS: readonly MethodDefinition[] = [snapshot, revert];
