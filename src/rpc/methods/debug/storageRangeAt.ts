import { BLOCK_TRANSACTIONS_MAX } from '../../../consensus.ts';
import { STORAGE_RANGE_MAX } from '../../../limits.ts';
import { keccak256 } from '../../../protocol/index.ts';
import { data, hashShape, nullableShape, objectShape, recordShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema, hashSchema } from '../../parameters/bytes.ts';
import { boundedQuantity, slotSchema } from '../../parameters/quantity.ts';
import { blockOf, budgetOf, requireTraceable, withinLimits } from '../../tracing/traceable.ts';

export const storageRangeAt = defineMethod({
  name: 'debug_storageRangeAt',
  summary: 'Answers the slots of a contract within a block, before one of its transactions.',
  section: 'traces',
  work: 'trace',
  parameters: [
    { name: 'blockHash', schema: hashSchema },
    {
      name: 'transactionIndex',
      schema: boundedQuantity(BLOCK_TRANSACTIONS_MAX, 'transactions'),
      summary: 'Transactions of the block that have run.',
    },
    { name: 'address', schema: addressSchema },
    { name: 'start', schema: slotSchema, summary: 'The first slot.' },
    { name: 'limit', schema: boundedQuantity(STORAGE_RANGE_MAX, 'slots') },
  ],
  result: objectShape({
    storage: recordShape(objectShape({ key: hashShape, value: hashShape }), hashShape),
    nextKey: nullableShape(hashShape),
  }),
  errors: [ERRORS.blockNotFound, ERRORS.genesisNotTraceable, ERRORS.pastNotKept, ERRORS.traceTimedOut],
  differences: 'In the order of the slots and not of their hashes: `start` and `nextKey` are slots.',
  handler: (context, [hash, until, address, start, most]) => {
    const { ledger } = context;
    const block = blockOf(ledger, { hash });
    requireTraceable(ledger, block);
    if (until > block.operationCount) {
      throw new RequestFailedError(`transaction index ${until} out of range for block ${data(hash)}`);
    }
    const budget = budgetOf(context);
    const within = { block, until, checkTime: () => budget.checkTime() };
    const { slots, next } = withinLimits(() => ledger.storageRange(within, address, { start, most }));
    return {
      storage: Object.fromEntries(
        slots.map(({ slot, value }) => [data(keccak256(slot)), { key: data(slot), value: data(value) }]),
      ),
      nextKey: next === undefined ? null : data(next),
    };
  },
});
