import { flagShape, quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { quantitySchema } from '../../parameters/quantity.ts';
import { peerNames } from '../../peer-names.ts';
import { KEEP_PARAMETER, revertToSnapshot } from '../../snapshots.ts';

/** The first snapshot of a chain is number 0 for anvil, and 1 for the ledger. */
export const FIRST_SNAPSHOT = 1;

export const snapshot = defineMethod({
  ...peerNames('snapshot', 'evm_snapshot'),
  summary:
    'Takes a snapshot of the chain, what waits, the clock and the production of blocks; answers its id.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [],
  result: quantityShape,
  errors: [ERRORS.tooManySnapshots],
  differences: 'No id comes again. An id here is one less than that of the same snapshot on `/`.',
  example: { parameters: [], result: '0x0' },
  handler: ({ testChain }) => quantity(testChain.takeSnapshot() - FIRST_SNAPSHOT),
});

export const revert = defineMethod({
  ...peerNames('revert', 'evm_revert'),
  summary:
    'Takes the chain back to a snapshot, which is gone then, as later ones are; false where there is none.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'snapshot', schema: quantitySchema }, KEEP_PARAMETER],
  result: flagShape,
  errors: [ERRORS.blockNotKept],
  handler: (context, [id, options]) => revertToSnapshot(context, id + BigInt(FIRST_SNAPSHOT), options),
});
