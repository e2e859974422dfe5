import {
  addressShape,
  emptyObjectShape,
  objectShape,
  recordShape,
  toTransaction,
  transactionShape,
} from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { waitingByPayer } from './waiting.ts';

export const poolContent = defineMethod({
  name: 'txpool_content',
  summary: 'Lists what waits for a block by the address of who pays, and by nonce.',
  section: 'control',
  work: 'turn',
  chains: 'test',
  parameters: [],
  result: objectShape({
    pending: recordShape(recordShape(transactionShape), addressShape),
    queued: emptyObjectShape,
  }),
  differences:
    'The nonce is the count of operations that the address has paid for, from which those that wait go on.',
  example: { parameters: [], result: { pending: {}, queued: {} } },
  handler: ({ ledger }) => ({ pending: waitingByPayer(ledger, toTransaction), queued: {} }),
});
