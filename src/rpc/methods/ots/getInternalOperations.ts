import { ERRORS } from '../../description/described-errors.ts';
import { REPLAY_ERRORS } from '../../description/error-groups.ts';
import { defineMethod } from '../../method.ts';
import { internalOperations, internalOperationsShape } from '../../otterscan/calls.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { includedBy, isShortOperation } from '../../tracing/traceable.ts';

export const getInternalOperations = defineMethod({
  name: 'ots_getInternalOperations',
  summary: 'Answers what the code of an included transaction moved, created and destroyed.',
  section: 'otterscan',
  work: 'trace',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: internalOperationsShape,
  errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
  differences: 'What a failure took back is left out.',
  isShort: ({ ledger }, [hash]) => isShortOperation(ledger, hash),
  handler: (context, [hash]) => internalOperations(context, includedBy(context.ledger, hash)),
});
