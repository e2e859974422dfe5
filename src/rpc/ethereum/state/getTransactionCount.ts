import { addressOwner } from '../../../protocol/index.ts';
import { quantity, quantityShape } from '../../../view/index.ts';
import { meansHead, STATE_PARAMETER, stateAt } from '../../answers/state-at.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';

export const getTransactionCount = defineMethod({
  name: 'eth_getTransactionCount',
  summary: 'Answers the nonce of an address: that of its next transaction.',
  section: 'state',
  work: 'worker',
  isQuick: meansHead(1),
  parameters: [{ name: 'address', schema: addressSchema }, STATE_PARAMETER],
  result: quantityShape,
  errors: [ERRORS.headerNotFound, ERRORS.stateNotKept],
  differences:
    'Native operations do not count; of a native account, which has no nonce, how many of its operations are in ' +
    'blocks.',
  handler: ({ ledger, pending }, [address, block]) => {
    // A key's address almost never begins with a zero.
    const isNative = address[0] === 0 && addressOwner(address).kind === 'account';
    if (isNative && ledger.hasHistory) {
      // What the objects of its operations show, also where it is asked for what waits.
      return quantity(stateAt(ledger, block).operationCount(address));
    }
    if (block === 'pending' && !isNative && pending !== undefined) return quantity(pending.nonceOf(address));
    return quantity(stateAt(ledger, block).nonceOf(address));
  },
});
