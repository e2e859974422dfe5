import { quantity, quantityShape } from '../../../view/index.ts';
import { meansHead, pendingOr, STATE_DIFFERENCES, STATE_PARAMETER } from '../../answers/state-at.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';

export const getBalance = defineMethod({
  name: 'eth_getBalance',
  summary: 'Answers the balance of an address in wei.',
  section: 'state',
  work: 'worker',
  isQuick: meansHead(1),
  parameters: [{ name: 'address', schema: addressSchema }, STATE_PARAMETER],
  result: quantityShape,
  errors: [ERRORS.headerNotFound, ERRORS.stateNotKept],
  differences: STATE_DIFFERENCES,
  handler: ({ ledger, pending }, [address, block]) =>
    quantity(pendingOr(pending, ledger, block).weiBalanceOf(address)),
});
