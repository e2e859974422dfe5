import { objectShape, pendingTransactionShape, recordShape } from '../../../view/index.ts';
import { waitingTransaction } from '../../answers/ethereum-objects.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { listedOf } from './waiting.ts';

const contentShape = recordShape(pendingTransactionShape);

export const poolContentFrom = defineMethod({
  name: 'txpool_contentFrom',
  summary: 'Lists what waits and one address pays for, by nonce.',
  section: 'blocks',
  work: 'turn',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: objectShape({ pending: contentShape, queued: contentShape }),
  example: {
    parameters: ['0x00000000000000000000000000000000000000aa'],
    result: { pending: {}, queued: {} },
  },
  handler: (context, [address]) => {
    const { ledger } = context;
    const write = waitingTransaction(context);
    return {
      pending: listedOf(context, ledger.pendingOperations(), address, write),
      queued: listedOf(context, ledger.queuedOperations(), address, write),
    };
  },
});
