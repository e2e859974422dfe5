import { addressShape, arrayShape } from '../../view/index.ts';
import { ERRORS } from '../description/described-errors.ts';
import { REPLAY_ERRORS } from '../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../method.ts';
import type { BlockReference } from '../parameters/block.ts';
import { optional, type Schema } from '../parameters/schema.ts';
import { modifiedBetween } from './modified-accounts.ts';
import { blockOf } from './traceable.ts';

/** How a method that compares two blocks is called, and told which. */
export interface ComparedBlocks {
  readonly name: string;
  /** What the blocks are given by, as its summary says it. */
  readonly given: string;
  /** Names of its parameters. */
  readonly start: string;
  readonly end: string;
  readonly schema: Schema<BlockReference>;
}

/** Makes a method that answers which accounts two blocks left different. */
export function modifiedAccountsMethod(blocks: ComparedBlocks): MethodDefinition {
  const { name, given, start, end, schema } = blocks;
  return defineMethod({
    name,
    summary:
      'Answers the addresses whose account or storage is not the same after two blocks, given by their ' +
      `${given}.`,
    section: 'traces',
    work: 'trace',
    parameters: [
      { name: start, schema },
      {
        name: end,
        schema: optional(schema),
        summary: 'The later one; absent: what the first one has changed itself.',
      },
    ],
    result: arrayShape(addressShape),
    errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
    differences: 'In the order of the addresses. Patches of a test after a block count as part of it.',
    handler: (context, [first, last]) =>
      modifiedBetween(
        context,
        blockOf(context.ledger, first),
        last === undefined ? undefined : blockOf(context.ledger, last),
      ),
  });
}
