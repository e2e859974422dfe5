import { data, hashShape, nullableShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const dropTransaction = defineMethod({
  ...peerNames('dropTransaction'),
  summary: 'Drops a transaction that waits, and answers its hash; null where none of that hash waits.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'transactionHash', schema: hashSchema, summary: 'Of the pending form.' }],
  result: nullableShape(hashShape),
  errors: [ERRORS.writesPaused],
  differences: 'The native transaction goes as a whole, with all of its operations.',
  handler: ({ ledger }, [hash]) => {
    if (ledger.findOperation(hash)?.kind !== 'pending') return null;
    const chosen = ledger.findTransaction(hash);
    return ledger.dropPending((transaction) => transaction === chosen) === 0 ? null : data(hash);
  },
});
