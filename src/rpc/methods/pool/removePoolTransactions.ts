import { equalBytes, senderAddress } from '../../../protocol/index.ts';
import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { peerNames } from '../../test-control/peer-names.ts';
import { requireOwnAddress } from './waiting.ts';

export const removePoolTransactions = defineMethod({
  ...peerNames('removePoolTransactions'),
  summary: 'Drops the transactions that wait and for which an account pays.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: nullShape,
  errors: [ERRORS.writesPaused, ERRORS.senderNotAccount],
  example: { parameters: ['0x0000000000000000000000000000000000000400'], result: null },
  handler: ({ ledger }, [address]) => {
    requireOwnAddress(ledger, address);
    ledger.dropPending(({ operations }) =>
      operations.some((operation) => equalBytes(senderAddress(operation), address)),
    );
    return null;
  },
});
