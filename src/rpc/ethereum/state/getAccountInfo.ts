import { data, dataShape, namedShape, objectShape, quantity, quantityShape } from '../../../view/index.ts';
import { meansHead, STATE_DIFFERENCES, STATE_PARAMETER, stateAt } from '../../answers/state-at.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';

export const getAccountInfo = defineMethod({
  name: 'eth_getAccountInfo',
  summary: 'Answers balance, nonce and code of an address at once.',
  section: 'state',
  work: 'worker',
  isQuick: meansHead(1),
  parameters: [{ name: 'address', schema: addressSchema }, STATE_PARAMETER],
  result: namedShape(
    'AccountInfo',
    { title: 'account info' },
    objectShape({ balance: quantityShape, nonce: quantityShape, code: dataShape }),
  ),
  errors: [ERRORS.headerNotFound, ERRORS.stateNotKept],
  differences: STATE_DIFFERENCES,
  handler: ({ ledger }, [address, block]) => {
    const state = stateAt(ledger, block);
    return {
      balance: quantity(state.weiBalanceOf(address)),
      nonce: quantity(state.nonceOf(address)),
      code: data(state.codeAt(address)),
    };
  },
});
