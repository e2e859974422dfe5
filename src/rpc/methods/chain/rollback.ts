import { BLOCK_NUMBER_MAX } from '../../../consensus.ts';
import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { boundedQuantity, controlQuantitySchema } from '../../parameters/quantity.ts';
import { optional, placed } from '../../parameters/schema.ts';
import { requireDepth } from '../../test-control/depth.ts';
import { nullAfter } from '../../test-control/mining-order.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const rollback = defineMethod({
  ...peerNames('rollback'),
  summary: 'Takes the newest blocks back; snapshots of them are gone then.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    {
      name: 'depth',
      schema: placed(optional(boundedQuantity(BLOCK_NUMBER_MAX, 'blocks', controlQuantitySchema), 1)),
      summary: 'How many blocks; 1 when absent.',
    },
  ],
  result: nullShape,
  errors: [ERRORS.blockNotKept, ERRORS.writesPaused],
  differences: 'Their transactions do not wait again; what waits, and the clock, stay as they are.',
  example: { parameters: ['0x2'], result: null },
  handler: ({ testChain, ledger }, [depth]) => {
    requireDepth(depth, ledger);
    return nullAfter(testChain.rollBack(depth.value));
  },
});
