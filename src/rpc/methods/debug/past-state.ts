import { BLOCK_TRANSACTIONS_MAX } from '../../../consensus.ts';
import { shape } from '../../../formatters/index.ts';
import type { BlockSummary } from '../../../ledger/index.ts';
import { type Hexadecimal, keccak256, quantity, toPrefixedHex } from '../../../protocol/index.ts';
import { ERRORS, REPLAY_ERRORS } from '../../description/described-errors.ts';
import { comparedOnFork, ofBlock } from '../../fork/history-rules.ts';
import { defineMethod, defineTraceMethod, type MethodDefinition } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import {
  type BlockReference,
  blockHashSchema,
  blockReferenceSchema,
  blockSelectorSchema,
  ignoredBlockSchema,
} from '../../parameters/block.ts';
import { boundedQuantity, slotSchema } from '../../parameters/plain.ts';
import { addressSchema, hashSchema, optional, type Schema } from '../../parameters/schema.ts';
import { RequestFailedError } from '../../rpc-errors.ts';
import { blockOf, budgetOf, requireTraceable, stateAfter, withinLimits } from '../../tracing/traceable.ts';

/** Slots in the response of one `debug_storageRangeAt`. */
const STORAGE_RANGE_MAX = 1_024;

/** Defines a method that compares two blocks, given by their numbers or by their hashes. */
function modifiedAccountsMethod(by: 'Number' | 'Hash', schema: Schema<BlockReference>): MethodDefinition {
  const [start, end, given] =
    by === 'Number' ? ['startBlock', 'endBlock', 'numbers'] : ['startHash', 'endHash', 'hashes'];
  return defineTraceMethod({
    name: `debug_getModifiedAccountsBy${by}`,
    summary:
      'Returns the addresses whose account or storage differs between the states after two blocks, given by their ' +
      `${given}.`,
    parameters: [
      { name: start, schema },
      {
        name: end,
        schema: optional(schema),
        summary: 'The later block; absent: the changes by the first block itself.',
      },
    ],
    beforeFork: comparedOnFork,
    result: shape.array(shape.address),
    errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
    differences: 'Sorted by address. State changes by a test after a block count as part of the block.',
    handler: (context, [first, last]) =>
      modifiedBetween(
        context,
        blockOf(context.ledger, first),
        last === undefined ? undefined : blockOf(context.ledger, last),
      ),
  });
}

/** Size of an address in a response, in bytes. */
const ADDRESS_BYTES = 45;

/**
 * Returns the addresses whose account or storage is not the same after two blocks, in their order.
 *
 * @param last absent: those that the first block changed itself
 * @throws RequestFailedError, LimitError
 */
function modifiedBetween(
  context: QueryContext,
  first: BlockSummary,
  last: BlockSummary | undefined,
): Hexadecimal[] {
  const { ledger } = context;
  if (last === undefined) {
    requireTraceable(ledger, first);
    return modifiedBetween(context, blockOf(ledger, BigInt(first.number - 1)), first);
  }
  if (first.number >= last.number) {
    const heights = `start block height (${first.number}) must be less than end block height (${last.number})`;
    throw new RequestFailedError(heights);
  }
  stateAfter(ledger, first);
  const budget = budgetOf(context);
  const found: Hexadecimal[] = [];
  withinLimits(() =>
    ledger.calls.findModifiedAccounts(
      { first, last },
      (address) => {
        budget.take(ADDRESS_BYTES);
        found.push(toPrefixedHex(address));
      },
      () => budget.step(),
    ),
  );
  return found.sort();
}

/** Returns the position in a block after `until` operations. @throws RequestFailedError for a block without it */
function placeWithin(
  context: QueryContext,
  block: BlockSummary,
  until: number,
  index: number,
  name: string | number,
) {
  requireTraceable(context.ledger, block);
  if (until > block.operationCount) {
    throw new RequestFailedError(`transaction index ${index} out of range for block ${name}`);
  }
  const budget = budgetOf(context);
  return { block, until, checkTime: () => budget.checkTime() };
}

const storageRangeAt = defineTraceMethod({
  name: 'debug_storageRangeAt',
  summary: 'Returns the storage slots of a contract within a block, before one of its transactions.',
  parameters: [
    { name: 'blockHash', schema: hashSchema },
    {
      name: 'transactionIndex',
      schema: boundedQuantity(BLOCK_TRANSACTIONS_MAX, 'transactions'),
      summary: 'Transactions of the block that have run before.',
    },
    { name: 'address', schema: addressSchema },
    { name: 'start', schema: slotSchema, summary: 'The first slot.' },
    { name: 'limit', schema: boundedQuantity(STORAGE_RANGE_MAX, 'slots') },
  ],
  beforeFork: ofBlock(0, async (history, block, [hash, until, address, start, most]) => {
    if ((await history.block(block, false)) === null) return undefined;
    // geth reads the numbers as such.
    const place = [toPrefixedHex(hash), until, toPrefixedHex(address)];
    return history.forward('debug_storageRangeAt', [...place, toPrefixedHex(start), most], 'object');
  }),
  result: shape.object({
    storage: shape.record(shape.object({ key: shape.hash, value: shape.hash }), shape.hash),
    nextKey: shape.nullable(shape.hash),
  }),
  errors: [ERRORS.blockNotFound, ERRORS.genesisNotTraceable, ERRORS.pastNotKept, ERRORS.traceTimedOut],
  differences: 'Ordered by slots and not by their hashes: `start` and `nextKey` are slots.',
  handler: (context, [hash, until, address, start, most]) => {
    const within = placeWithin(context, blockOf(context.ledger, { hash }), until, until, toPrefixedHex(hash));
    const { slots, next } = withinLimits(() =>
      context.ledger.calls.storageRange(within, address, { start, most }),
    );
    return {
      storage: Object.fromEntries(
        slots.map(({ slot, value }) => [
          toPrefixedHex(keccak256(slot)),
          { key: toPrefixedHex(slot), value: toPrefixedHex(value) },
        ]),
      ),
      nextKey: next === undefined ? null : toPrefixedHex(next),
    };
  },
});

const accountInfoAt = defineTraceMethod({
  name: 'debug_accountInfoAt',
  summary: 'Returns the balance, nonce and code of an address within a block, after one of its transactions.',
  parameters: [
    { name: 'block', schema: blockReferenceSchema },
    {
      name: 'transactionIndex',
      schema: boundedQuantity(BLOCK_TRANSACTIONS_MAX, 'transactions'),
      summary: 'The last transaction of the block that has run.',
    },
    { name: 'address', schema: addressSchema },
  ],
  beforeFork: ofBlock(0),
  result: shape.object({ balance: shape.quantity, nonce: shape.quantity, code: shape.data }),
  errors: [ERRORS.blockNotFound, ERRORS.genesisNotTraceable, ERRORS.pastNotKept, ERRORS.traceTimedOut],
  differences: 'The account as contracts see it, with the balance in wei, as in traces.',
  handler: (context, [reference, index, address]) => {
    const block = blockOf(context.ledger, reference);
    const within = placeWithin(context, block, index + 1, index, block.number);
    const { balance, nonce, code } = withinLimits(() => context.ledger.calls.accountWithin(within, address));
    return { balance: quantity(balance), nonce: quantity(nonce), code: toPrefixedHex(code) };
  },
});

const codeByHash = defineMethod({
  name: 'debug_codeByHash',
  summary: 'Returns contract code by its Keccak-256 hash; null if no contract has it.',
  section: 'traces',
  scheduling: 'quick',
  parameters: [
    { name: 'codeHash', schema: hashSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  beforeFork: 'local',
  result: shape.nullable(shape.data),
  handler: ({ ledger }, [codeHash]) => {
    const code = ledger.accounts.codeByHash(codeHash);
    return code === undefined ? null : toPrefixedHex(code);
  },
});

/** The methods that show state within and between blocks. */
export const PAST_STATE_METHODS: readonly MethodDefinition[] = [
  storageRangeAt,
  accountInfoAt,
  codeByHash,
  modifiedAccountsMethod('Number', blockSelectorSchema),
  modifiedAccountsMethod('Hash', blockHashSchema),
];
