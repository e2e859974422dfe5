import { nullShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { askedTimeSchema, checkedBlockTime } from '../../test-control/mining-order.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const setNextBlockTimestamp = defineMethod({
  ...peerNames('setNextBlockTimestamp', 'evm_setNextBlockTimestamp'),
  summary: 'Gives the next block, and no other, a time stamp, from which the time of day goes on.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    {
      name: 'timestamp',
      schema: askedTimeSchema,
      summary: 'Unix time in seconds, not before the latest block.',
    },
  ],
  result: nullShape,
  differences: 'It may equal the time of the latest block; Hardhat asks for a later one.',
  example: { parameters: ['0x6b49d200'], result: null },
  handler: ({ control, ledger }, [timestamp]) => {
    control.setBlockTimes({ nextTimestamp: checkedBlockTime(timestamp, ledger) });
    return null;
  },
});
