import { flagShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { quantitySchema } from '../../parameters/quantity.ts';
import { explained, named, optional } from '../../parameters/schema.ts';
import { objectOf } from '../../parameters/structures.ts';
import { peerNames } from '../../peer-names.ts';

const optionsSchema = named(
  'RevertOptions',
  { title: 'what becomes of the snapshot' },
  objectOf({
    keep: explained(optional(flagSchema, false), {
      description: 'Whether the snapshot stays, so that it can be reverted to once more.',
    }),
  }),
);

export const revert = defineMethod({
  ...peerNames('revert', 'evm_revert'),
  summary:
    'Takes everything back to a snapshot; it and later ones are gone then. Answers false, and changes nothing, ' +
    'where there is none with the id.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'id', schema: quantitySchema, summary: 'What `evm_snapshot` answered.' },
    { name: 'options', schema: optional(optionsSchema) },
  ],
  result: flagShape,
  errors: [ERRORS.writesPaused],
  differences:
    'The clock is as far ahead as it was, mining is on or off as it was, what waited waits again, and the wallet has ' +
    'the accounts and locks that it had. Filters go on behind the block; what they answered is not taken back.',
  example: { parameters: ['0x1'], result: true },
  handler: ({ testChain }, [id, options]) => {
    const isKnown = id <= BigInt(Number.MAX_SAFE_INTEGER);
    return isKnown && testChain.revertToSnapshot(Number(id), options?.keep === true);
  },
});
