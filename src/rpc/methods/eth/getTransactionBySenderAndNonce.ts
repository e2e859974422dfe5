import { nullableShape, transactionShape } from '../../../view/index.ts';
import { sentWithNonce } from '../../accounts/sent-operations.ts';
import { includedTransaction } from '../../answers/ledger-objects.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { uint64Schema } from '../../parameters/quantity.ts';
import { LEDGER_PROFILE } from '../../profiles/ledger-profile.ts';

export const getTransactionBySenderAndNonce = defineMethod({
  name: 'eth_getTransactionBySenderAndNonce',
  summary:
    'Answers the included transaction before which an address had paid for so many; null when there is none; needs ' +
    'the history plugin.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'sender', schema: addressSchema },
    { name: 'nonce', schema: uint64Schema, summary: 'What `eth_getTransactionCount` answered before it.' },
  ],
  result: nullableShape(transactionShape),
  errors: [ERRORS.historyDisabled],
  differences: 'There are no nonces: the operations that an address paid for are counted, from 0 on.',
  handler: (context, [sender, nonce]) => {
    const found = sentWithNonce(context.ledger, sender, nonce, LEDGER_PROFILE);
    return found === undefined ? null : includedTransaction(context, found);
  },
});
