import { TIMESTAMP_MAX } from '../../../consensus.ts';
import { nullShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { boundedQuantity, controlQuantitySchema } from '../../parameters/quantity.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const setBlockTimestampInterval = defineMethod({
  ...peerNames('setBlockTimestampInterval'),
  summary: 'Has each block come so many seconds after the one before it, whatever the time of day.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'seconds', schema: boundedQuantity(TIMESTAMP_MAX, 'seconds', controlQuantitySchema) }],
  result: nullShape,
  example: { parameters: [12], result: null },
  handler: ({ control }, [timestampInterval]) => {
    control.setBlockTimes({ timestampInterval });
    return null;
  },
});
