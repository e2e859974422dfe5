import { hashShape, paddedData } from '../../../view/index.ts';
import { meansHead, pendingOr, STATE_DIFFERENCES, STATE_PARAMETER } from '../../answers/state-at.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { slotSchema } from '../../parameters/quantity.ts';

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
  handler: ({ ledger, pending }, [address, slot, block]) =>
    paddedData(pendingOr(pending, ledger, block).storageAt(address, slot)),
});
