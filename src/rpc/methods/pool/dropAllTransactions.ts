import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const dropAllTransactions = defineMethod({
  ...peerNames('dropAllTransactions', 'debug_clearTxpool'),
  summary: 'Drops all transactions that wait.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [],
  result: nullShape,
  errors: [ERRORS.writesPaused],
  example: { parameters: [], result: null },
  handler: ({ ledger }) => {
    ledger.dropPending(() => true);
    return null;
  },
});
