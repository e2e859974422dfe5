import { flagShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { quantitySchema } from '../../parameters/quantity.ts';
import { peerNames } from '../../peer-names.ts';
import { KEEP_PARAMETER, revertToSnapshot } from '../../snapshots.ts';

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
    KEEP_PARAMETER,
  ],
  result: flagShape,
  errors: [ERRORS.writesPaused],
  differences:
    'The clock is as far ahead as it was, mining is on or off as it was, what waited waits again, and the wallet has ' +
    'the accounts and locks that it had. Filters go on behind the block; what they answered is not taken back.',
  example: { parameters: ['0x1'], result: true },
  handler: (context, [id, options]) => revertToSnapshot(context, id, options),
});
