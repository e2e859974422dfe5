import { arrayShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { REPLAY_ERRORS } from '../../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';
import { callsOfOperation } from '../../tracing/parity-operations.ts';
import { placedCallShape } from '../../tracing/shapes.ts';
import { includedBy, isShortOperation } from '../../tracing/traceable.ts';

export const traceCallsOfTransaction = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'trace_transaction',
    summary: 'Answers the calls of an included transaction as a flat list.',
    section: 'traces',
    work: 'trace',
    parameters: [{ name: 'transactionHash', schema: hashSchema }],
    result: arrayShape(placedCallShape),
    errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
    isShort: ({ ledger }, [hash]) => isShortOperation(ledger, hash),
    handler: (context, [hash]) => callsOfOperation(context, profile, includedBy(context.ledger, hash)),
  });
