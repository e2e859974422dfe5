import { CALL_DEPTH_MAX } from '../../../limits.ts';
import { arrayShape, nullableShape } from '../../../view/index.ts';
import { ERRORS, REPLAY_ERRORS } from '../../description/described-errors.ts';
import { defineTraceMethod, type MethodDefinition } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { uint64Schema } from '../../parameters/quantity.ts';
import { arrayOf } from '../../parameters/structures.ts';
import type { Profile } from '../../profiles/profile.ts';
import { parityKindsSchema } from '../../tracing/parity-kinds.ts';
import {
  callsOfBlock,
  callsOfOperation,
  resultsOfBlock,
  resultsOfOperation,
} from '../../tracing/parity-operations.ts';
import { placedCallShape, resultsShape } from '../../tracing/shapes.ts';
import { filteredCalls, traceFilterSchema } from '../../tracing/trace-filter.ts';
import { blockOf, budgetOf, includedBy, isShortOperation, withinLimits } from '../../tracing/traceable.ts';

const traceCallsOfTransaction = (profile: Profile): MethodDefinition =>
  defineTraceMethod({
    name: 'trace_transaction',
    summary: 'Answers the calls of an included transaction as a flat list.',
    parameters: [{ name: 'transactionHash', schema: hashSchema }],
    result: arrayShape(placedCallShape),
    errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
    isShort: ({ ledger }, [hash]) => isShortOperation(ledger, hash),
    handler: (context, [hash]) => callsOfOperation(context, profile, includedBy(context.ledger, hash)),
  });

const traceCallAt = (profile: Profile): MethodDefinition =>
  defineTraceMethod({
    name: 'trace_get',
    summary:
      'Answers one call of an included transaction, by its place in the tree; null when there is none.',
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

const replayTransaction = (profile: Profile): MethodDefinition =>
  defineTraceMethod({
    name: 'trace_replayTransaction',
    summary: 'Runs an included transaction again and answers the traces that are asked for.',
    parameters: [
      { name: 'transactionHash', schema: hashSchema },
      { name: 'kinds', schema: parityKindsSchema },
    ],
    result: resultsShape,
    errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
    handler: (context, [hash, kinds]) =>
      resultsOfOperation(context, profile, includedBy(context.ledger, hash), kinds),
  });

const traceCallsOfBlock = (profile: Profile): MethodDefinition =>
  defineTraceMethod({
    name: 'trace_block',
    summary: 'Answers the calls of all transactions of a block as a flat list.',
    parameters: [{ name: 'block', schema: blockReferenceSchema }],
    result: arrayShape(placedCallShape),
    errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
    handler: (context, [reference]) => {
      const block = blockOf(context.ledger, reference);
      const budget = budgetOf(context);
      return withinLimits(() => callsOfBlock(context, profile, block, budget));
    },
  });

const replayBlockTransactions = (profile: Profile): MethodDefinition =>
  defineTraceMethod({
    name: 'trace_replayBlockTransactions',
    summary: 'Runs the transactions of a block again and answers the traces that are asked for of each.',
    parameters: [
      { name: 'block', schema: blockReferenceSchema },
      { name: 'kinds', schema: parityKindsSchema },
    ],
    result: arrayShape(resultsShape),
    errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
    handler: (context, [reference, kinds]) =>
      resultsOfBlock(context, profile, blockOf(context.ledger, reference), kinds),
  });

const filterTraces = (profile: Profile): MethodDefinition =>
  defineTraceMethod({
    name: 'trace_filter',
    summary: 'Answers the calls of a range of blocks that are from or to some addresses.',
    parameters: [{ name: 'filter', schema: traceFilterSchema }],
    result: arrayShape(placedCallShape),
    errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
    handler: (context, [filter]) => filteredCalls(context, profile, filter),
  });

/** Returns the methods that trace what blocks include, as Parity has them. */
export function parityTraceMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...[traceCallsOfTransaction, traceCallsOfBlock, filterTraces, traceCallAt],
    ...[replayTransaction, replayBlockTransactions],
  ].map((method) => method(profile));
}
