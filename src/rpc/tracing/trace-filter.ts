import { LOG_ALTERNATIVES_MAX } from '../../ledger/index.ts';
import { type Address, bytesToHex } from '../../protocol/index.ts';
import { numberOfSelector } from '../blocks/find-block.ts';
import type { QueryContext } from '../method-context.ts';
import { blockSelectorSchema } from '../parameters/block.ts';
import { boundedQuantity } from '../parameters/plain.ts';
import {
  addressSchema,
  explained,
  field,
  optional,
  type ReadBy,
  refusal,
  type Schema,
} from '../parameters/schema.ts';
import { objectOf, oneOrMore } from '../parameters/structures.ts';
import { LimitError } from '../rpc-errors.ts';
import { callsOfBlock, type PlacedCall } from './replay.ts';
import { budgetOf, withinLimits } from './traceable.ts';

/** Blocks that one `trace_filter` executes again. */
const TRACE_FILTER_BLOCKS_MAX = 1_000;

const addresses = optional(oneOrMore(addressSchema, { most: LOG_ALTERNATIVES_MAX, unit: 'addresses' }), []);
const calls = boundedQuantity(Number.MAX_SAFE_INTEGER, 'calls');

const modeSchema: Schema<'union' | 'intersection'> = {
  describe: () => ({ type: 'string', enum: ['union', 'intersection'] }),
  read: (value, position) => {
    if (value === 'union' || value === 'intersection') return value;
    throw refusal(position, 'expected union or intersection');
  },
};

export const traceFilterSchema = objectOf({
  fromBlock: explained(optional(blockSelectorSchema, 'earliest' as const), {
    description: 'The first block.',
  }),
  toBlock: explained(optional(blockSelectorSchema, 'latest' as const), { description: 'The last block.' }),
  fromAddress: explained(addresses, { description: 'Calls from any of these.' }),
  toAddress: explained(addresses, { description: 'Calls to any of these, and creations of them.' }),
  mode: explained(optional(modeSchema, 'union' as const), {
    description: '`union`: calls from or to the addresses. `intersection`: calls that match both lists.',
  }),
  after: explained(optional(calls, 0), { description: 'Matching calls to skip.' }),
  count: field(calls, 'Maximum number of calls in the result.'),
});

type TraceFilter = ReadBy<typeof traceFilterSchema>;

/**
 * Returns the calls from or to addresses in a range of blocks.
 *
 * @throws RequestFailedError for blocks that cannot be replayed, LimitError for too many blocks or too long a result
 */
export function filteredCalls(context: QueryContext, filter: TraceFilter): PlacedCall[] {
  const { ledger } = context;
  const head = ledger.blocks.head().number;
  // The genesis has no transactions.
  const first = Math.max(1, numberOfSelector(ledger, filter.fromBlock) ?? head + 1);
  const last = Math.min(head, numberOfSelector(ledger, filter.toBlock) ?? head);
  const budget = budgetOf(context);
  const isMatch = matcher(filter);
  const found: PlacedCall[] = [];
  const { after, count = Number.POSITIVE_INFINITY } = filter;
  let replayed = 0;
  let matched = 0;
  return withinLimits(() => {
    for (let number = first; number <= last && found.length < count; number += 1) {
      const block = ledger.blocks.blockByNumber(number);
      budget.step();
      if (block === undefined || block.operationCount === 0) continue;
      replayed += 1;
      if (replayed > TRACE_FILTER_BLOCKS_MAX) {
        throw new LimitError(
          `the range has more than ${TRACE_FILTER_BLOCKS_MAX} blocks with transactions, the limit of one response: ` +
            'request a shorter range',
        );
      }
      for (const call of callsOfBlock(context, block, budget)) {
        if (!isMatch(call)) continue;
        matched += 1;
        if (matched > after && found.length < count) found.push(call);
      }
    }
    return found;
  });
}

/** Returns the criteria of a filter that concern a call, as JSON. */
export function matchOf({ fromAddress, toAddress, mode }: TraceFilter): object {
  return {
    ...(fromAddress.length > 0 && { fromAddress: [...namesOf(fromAddress)] }),
    ...(toAddress.length > 0 && { toAddress: [...namesOf(toAddress)] }),
    ...(mode === 'intersection' && { mode }),
  };
}

function matcher({ fromAddress, toAddress, mode }: TraceFilter): (call: PlacedCall) => boolean {
  const from = namesOf(fromAddress);
  const to = namesOf(toAddress);
  return ({ action, result }) => {
    const isFrom = from.has(action.from ?? action.address ?? '');
    const isTo = to.has(action.to ?? action.refundAddress ?? result?.address ?? '');
    if (from.size === 0) return to.size === 0 || isTo;
    if (to.size === 0) return isFrom;
    return mode === 'union' ? isFrom || isTo : isFrom && isTo;
  };
}

function namesOf(list: readonly Address[]): ReadonlySet<string> {
  return new Set(list.map((address) => `0x${bytesToHex(address)}`));
}
