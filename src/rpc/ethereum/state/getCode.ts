import { data, dataShape } from '../../../view/index.ts';
import { meansHead, pendingOr, STATE_DIFFERENCES, STATE_PARAMETER } from '../../answers/state-at.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';

export const getCode = defineMethod({
  name: 'eth_getCode',
  summary: 'Answers the code of an address.',
  section: 'state',
  work: 'worker',
  isQuick: meansHead(1),
  parameters: [{ name: 'address', schema: addressSchema }, STATE_PARAMETER],
  result: dataShape,
  errors: [ERRORS.headerNotFound, ERRORS.stateNotKept],
  differences: STATE_DIFFERENCES,
  handler: ({ ledger, pending }, [address, block]) => data(pendingOr(pending, ledger, block).codeAt(address)),
});
