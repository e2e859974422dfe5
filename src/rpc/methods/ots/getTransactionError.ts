import { data, dataShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { includedBy } from '../../tracing/traceable.ts';

export const getTransactionError = defineMethod({
  name: 'ots_getTransactionError',
  summary: 'Answers the revert data of an included transaction; `0x` when there is none.',
  section: 'otterscan',
  work: 'worker',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: dataShape,
  errors: [ERRORS.transactionNotFound],
  handler: ({ ledger }, [hash]) => {
    const { block, index } = includedBy(ledger, hash);
    return data(ledger.receiptOutlineOf(block.number, index)?.output ?? new Uint8Array());
  },
});
