import {
  data,
  emptyObjectShape,
  objectShape,
  recordShape,
  toTransaction,
  transactionShape,
} from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { requireOwnAddress, waitingByPayer } from './waiting.ts';

export const poolContentFrom = defineMethod({
  name: 'txpool_contentFrom',
  summary: 'Lists what waits for a block and one account pays for, by nonce.',
  section: 'control',
  work: 'turn',
  chains: 'test',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: objectShape({ pending: recordShape(transactionShape), queued: emptyObjectShape }),
  errors: [ERRORS.senderNotAccount],
  example: {
    parameters: ['0x0000000000000000000000000000000000000400'],
    result: { pending: {}, queued: {} },
  },
  handler: ({ ledger }, [address]) => {
    requireOwnAddress(ledger, address);
    return { pending: waitingByPayer(ledger, toTransaction)[data(address)] ?? {}, queued: {} };
  },
});
