import { quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../parameters/block.ts';
import { addressSchema } from '../../parameters/bytes.ts';

export const getTransactionCount = defineMethod({
  name: 'eth_getTransactionCount',
  summary: 'Counts the included transactions whose fees an address paid; needs the history plugin.',
  section: 'state',
  work: 'quick',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: quantityShape,
  errors: [ERRORS.historyDisabled],
  differences:
    'A count of included operations that the address paid for, pending ones left out: it is no ' +
    'nonce, as there are none.',
  example: { parameters: ['0x0000000000000000000000000000000000000400', 'latest'], result: '0x2' },
  handler: ({ ledger }, [address]) => quantity(ledger.operationCount(address)),
});
