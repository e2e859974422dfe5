import { CALL_DEPTH_MAX } from '../../../limits.ts';
import { nullableShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { REPLAY_ERRORS } from '../../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { uint64Schema } from '../../parameters/quantity.ts';
import { arrayOf } from '../../parameters/structures.ts';
import type { Profile } from '../../profiles/profile.ts';
import { callsOfOperation } from '../../tracing/parity-operations.ts';
import { placedCallShape } from '../../tracing/shapes.ts';
import { includedBy, isShortOperation } from '../../tracing/traceable.ts';

export const traceCallAt = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'trace_get',
    summary:
      'Answers one call of an included transaction, by its place in the tree; null when there is none.',
    section: 'traces',
    work: 'trace',
    parameters: [
      { name: 'transactionHash', schema: hashSchema },
      {
        name: 'traceAddress',
        schema: arrayOf(uint64Schema, { most: CALL_DEPTH_MAX, unit: 'indexes' }),
        summary: 'As the calls say it; an empty list for the outermost.',
      },
    ],
    result: nullableShape(placedCallShape),
    errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
    isShort: ({ ledger }, [hash]) => isShortOperation(ledger, hash),
    handler: (context, [hash, wanted]) => {
      const calls = callsOfOperation(context, profile, includedBy(context.ledger, hash));
      const isWanted = (address: readonly number[]): boolean =>
        address.length === wanted.length && address.every((index, depth) => BigInt(index) === wanted[depth]);
      return calls.find(({ traceAddress }) => isWanted(traceAddress)) ?? null;
    },
  });
