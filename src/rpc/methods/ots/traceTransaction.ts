import { ERRORS } from '../../description/described-errors.ts';
import { REPLAY_ERRORS } from '../../description/error-groups.ts';
import { defineMethod } from '../../method.ts';
import { enteredCalls, enteredCallsShape } from '../../otterscan/calls.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { includedBy, isShortOperation } from '../../tracing/traceable.ts';

export const traceEnteredCalls = defineMethod({
  name: 'ots_traceTransaction',
  summary: 'Answers the calls of an included transaction in the order in which they began.',
  section: 'otterscan',
  work: 'trace',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: enteredCallsShape,
  errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
  differences: 'Calls of precompiled contracts are left out, as Erigon does.',
  isShort: ({ ledger }, [hash]) => isShortOperation(ledger, hash),
  handler: (context, [hash]) => enteredCalls(context, includedBy(context.ledger, hash)),
});
