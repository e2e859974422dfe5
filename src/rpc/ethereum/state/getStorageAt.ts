import { hashShape, paddedData } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { slotSchema } from '../../parameters/quantity.ts';
import { meansHead, STATE_DIFFERENCES, STATE_PARAMETER, stateAt } from '../state-at.ts';

export const getStorageAt = defineMethod({
  name: 'eth_getStorageAt',
  summary: 'Answers the 32 bytes that a contract stores at a position.',
  section: 'state',
  work: 'worker',
  isQuick: meansHead(2),
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'position', schema: slotSchema },
    STATE_PARAMETER,
  ],
  result: hashShape,
  errors: [ERRORS.headerNotFound, ERRORS.stateNotKept],
  differences: STATE_DIFFERENCES,
  handler: ({ ledger }, [address, slot, block]) =>
    paddedData(stateAt(ledger, block).storageAt(address, slot)),
});
