import { BLOCK_NUMBER_MAX } from '../../../consensus.ts';
import { shape } from '../../../formatters/index.ts';
import type { IncludedOperation, LedgerQueries } from '../../../ledger/index.ts';
import { type Address, equalBytes, senderAddress, toPrefixedHex } from '../../../protocol/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { ofEither, ofState } from '../../fork/history-rules.ts';
import { ofSearch } from '../../fork/search-rule.ts';
import {
  defineMethod,
  defineOtterscanQuery,
  defineTraceMethod,
  type MethodDefinition,
} from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import { boundedQuantity } from '../../parameters/plain.ts';
import { addressSchema } from '../../parameters/schema.ts';
import { STATE_ERRORS, stateAt } from '../../profiles/ethereum-profile.ts';
import type { Profile } from '../../profiles/profile.ts';
import { RequestFailedError } from '../../rpc-errors.ts';
import { budgetOf, withinLimits } from '../../tracing/traceable.ts';
import { LISTED_OPERATIONS_MAX } from '../ledger/operations.ts';
import { foundTransactionsShape, searchTransactions } from './search.ts';
import { creationWithin } from './transactions.ts';

/** Operations of a contract that are searched for its creation: others may precede it. */
const CREATION_SEARCH_MAX = 1_000;

/** The level of Otterscan's methods that the node has. */
const LEVEL = 8;

const getApiLevel = defineMethod({
  name: 'ots_getApiLevel',
  summary: 'Returns the level of the Otterscan API that the node implements.',
  section: 'otterscan',
  scheduling: 'quick',
  beforeFork: 'local',
  result: shape.integer,
  example: { parameters: [], result: LEVEL },
  handler: () => LEVEL,
});

const hasCode = ({ stateParameter }: Profile): MethodDefinition =>
  defineOtterscanQuery({
    name: 'ots_hasCode',
    summary: 'Returns true if an address has code.',
    parameters: [{ name: 'address', schema: addressSchema }, stateParameter],
    beforeFork: ofState(1, (_history, [address, block], otterscan) => otterscan.hasCode(address, block)),
    result: shape.flag,
    errors: STATE_ERRORS,
    differences: 'At `/` the block has no effect: the result reflects the latest state.',
    handler: ({ ledger }, [address, block]) => stateAt(ledger, block).accounts.codeAt(address).length > 0,
  });

const PARAMETERS = [
  { name: 'address', schema: addressSchema },
  {
    name: 'block',
    schema: boundedQuantity(BLOCK_NUMBER_MAX, 'as a block number'),
    summary: 'Not included itself; 0 for all blocks.',
  },
  {
    name: 'size',
    schema: boundedQuantity(LISTED_OPERATIONS_MAX, 'transactions'),
    summary: 'The least number of transactions; a page ends at the end of a block.',
  },
] as const;

const DIFFERENCES =
  'Finds transactions that an address sent, received or was created by, that name it, and that contain one of its ' +
  'logs. Calls and payments by code are not indexed: use `trace_filter`.';

const searchTransactionsFrom = (end: 'Before' | 'After'): MethodDefinition =>
  defineOtterscanQuery({
    name: `ots_searchTransactions${end}`,
    summary:
      end === 'Before'
        ? 'Returns the newest transactions of an address before a block, newest first.'
        : 'Returns the oldest transactions of an address after a block, newest first.',
    parameters: PARAMETERS,
    beforeFork: ofSearch(end),
    result: foundTransactionsShape,
    errors: [ERRORS.tooManyFound, ERRORS.tooManyListedLogs, ERRORS.answerTooLong, ERRORS.blockReverted],
    differences: DIFFERENCES,
    handler: (context, [address, block, size]) => {
      const order = end === 'Before' ? 'newestFirst' : 'oldestFirst';
      return searchTransactions(context, { address, block, size, order });
    },
  });

const getContractCreator = defineTraceMethod({
  name: 'ots_getContractCreator',
  summary: 'Returns the transaction that created a contract, and the creator; null if there is none.',
  section: 'otterscan',
  parameters: [{ name: 'address', schema: addressSchema }],
  beforeFork: ofEither((_history, [address], otterscan) => otterscan.contractCreator(address)),
  result: shape.nullable(shape.object({ hash: shape.hash, creator: shape.address })),
  errors: [ERRORS.creationNotKept, ERRORS.traceTimedOut, ERRORS.traceTooLarge],
  differences:
    'Finds contracts created by code by a replay of their block, as far back as the node stores the state.',
  handler: (context, [address]) => {
    const found = creationOf(context, address);
    return found === undefined
      ? null
      : { hash: context.objects.hash(found.operation), creator: toPrefixedHex(found.creator) };
  },
});

/** Returns the level of Otterscan's methods, and those about addresses. */
export function otterscanAddressMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    getApiLevel,
    hasCode(profile),
    searchTransactionsFrom('Before'),
    searchTransactionsFrom('After'),
    getContractCreator,
  ];
}

/** The creation of a contract. */
interface Creation {
  readonly operation: IncludedOperation;
  readonly creator: Address;
}

/**
 * Finds the creation of a contract. The index of addresses has an operation that created it; a contract that code
 * created is not indexed, so that the first block that has it is searched for, and runs again.
 *
 * @returns undefined where there is no contract, and for one of the genesis or of a test
 * @throws RequestFailedError where code created it before the kept window
 */
function creationOf(context: QueryContext, address: Address): Creation | undefined {
  const { ledger } = context;
  if (ledger.accounts.contractIdAt(address) === undefined) return undefined;
  const own = ownCreation(ledger, address);
  if (own !== undefined) return { operation: own, creator: senderAddress(own.operation) };
  const number = firstBlockWith(context, address);
  const block = number === 0 ? undefined : ledger.blocks.blockByNumber(number);
  const found = block && creationWithin(context, block, address);
  const operation = found && ledger.blocks.operationAt(number, found.index);
  return operation && { operation, creator: found.creator };
}

/** Finds the operation that created a contract: earlier ones may have sent something to its address. */
function ownCreation(ledger: LedgerQueries, address: Address): IncludedOperation | undefined {
  let from: { block: number; index: number } | undefined;
  for (let looked = 0; looked < CREATION_SEARCH_MAX; looked += LISTED_OPERATIONS_MAX) {
    const found = ledger.blocks.operationsOf({
      address,
      order: 'oldestFirst',
      from,
      limit: LISTED_OPERATIONS_MAX,
    });
    for (const { operation } of found) {
      const created = ledger.blocks.receiptOutlineOf(
        operation.block.number,
        operation.index,
      )?.contractAddress;
      if (created !== undefined && equalBytes(created, address)) return operation;
    }
    const last = found.at(-1)?.operation;
    if (last === undefined || found.length < LISTED_OPERATIONS_MAX) return undefined;
    from = { block: last.block.number, index: last.index };
  }
  return undefined;
}

/** Finds the first block that has a contract by bisection. @throws RequestFailedError if its state is not stored */
function firstBlockWith(context: QueryContext, address: Address): number {
  const { ledger } = context;
  const { oldestState } = ledger.history;
  const isThere = (block: number): boolean =>
    block === ledger.blocks.head().number ||
    ledger.history.stateBefore(block + 1).accounts.contractIdAt(address) !== undefined;
  if (isThere(oldestState)) {
    if (oldestState === 0) return 0;
    throw new RequestFailedError(
      `the contract was created by code before block ${oldestState}, whose state is not stored (--undo-blocks)`,
    );
  }
  const budget = budgetOf(context);
  let without = oldestState;
  let found = ledger.blocks.head().number;
  return withinLimits(() => {
    while (without + 1 < found) {
      budget.checkTime();
      const middle = Math.floor((without + found) / 2);
      if (isThere(middle)) found = middle;
      else without = middle;
    }
    return found;
  });
}
