import { ERRORS } from '../../description/described-errors.ts';
import { REPLAY_ERRORS } from '../../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';
import { traceShape } from '../../tracing/shapes.ts';
import { traceOperation } from '../../tracing/trace-operations.ts';
import { includedBy, isShortOperation } from '../../tracing/traceable.ts';
import { plainConfigSchema } from '../../tracing/tracer-request.ts';
import { buildOf } from '../../tracing/tracers.ts';

export const traceTransaction = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'debug_traceTransaction',
    summary: 'Runs an included transaction again and answers what its code did.',
    section: 'traces',
    work: 'trace',
    parameters: [
      { name: 'transactionHash', schema: hashSchema },
      { name: 'config', schema: plainConfigSchema },
    ],
    result: traceShape,
    errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
    differences: 'A native operation is one call without code; what is charged beyond gas is in `gasUsed`.',
    isShort: ({ ledger }, [hash, { tracer }]) =>
      buildOf(tracer) === 'evm-calls' && isShortOperation(ledger, hash),
    handler: (context, [hash, config]) =>
      traceOperation(context, profile, includedBy(context.ledger, hash), config),
  });
