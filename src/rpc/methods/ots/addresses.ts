import { BLOCK_NUMBER_MAX } from '../../../consensus.ts';
import { LISTED_OPERATIONS_MAX } from '../../../limits.ts';
import {
  addressShape,
  data,
  flagShape,
  hashShape,
  integerShape,
  nullableShape,
  objectShape,
} from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, defineTraceMethod, type MethodDefinition } from '../../method.ts';
import { creationOf } from '../../otterscan/contract-creator.ts';
import { foundTransactionsShape, searchTransactions } from '../../otterscan/search.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { boundedQuantity } from '../../parameters/quantity.ts';
import type { Profile } from '../../profiles/profile.ts';

/** What of Otterscan's methods the node has. */
const LEVEL = 8;

const getApiLevel = defineMethod({
  name: 'ots_getApiLevel',
  summary: 'Answers the level of the methods of Otterscan that the node has.',
  section: 'otterscan',
  work: 'quick',
  result: integerShape,
  example: { parameters: [], result: LEVEL },
  handler: () => LEVEL,
});

const hasCode = ({ state }: Profile): MethodDefinition =>
  defineMethod({
    name: 'ots_hasCode',
    summary: 'Answers whether there is code at an address.',
    section: 'otterscan',
    work: 'worker',
    parameters: [{ name: 'address', schema: addressSchema }, state.parameter],
    result: flagShape,
    errors: state.errors,
    differences: 'At `/` the block has no effect: the latest state is asked.',
    handler: ({ ledger }, [address, block]) => state.at(ledger, block).codeAt(address).length > 0,
  });

const PARAMETERS = [
  { name: 'address', schema: addressSchema },
  {
    name: 'block',
    schema: boundedQuantity(BLOCK_NUMBER_MAX, 'as a block number'),
    summary: 'Itself left out; 0 for all.',
  },
  {
    name: 'size',
    schema: boundedQuantity(LISTED_OPERATIONS_MAX, 'transactions'),
    summary: 'How many at least: those of one block come together.',
  },
] as const;

/** What both searches say of the difference to Erigon. */
const DIFFERENCES =
  'An address has what it sent, received or was created by, what names it, and what has a log of it. Whom code only ' +
  'called or paid is not indexed: traces tell (`trace_filter`).';

const searchTransactionsFrom = (profile: Profile, end: 'Before' | 'After'): MethodDefinition =>
  defineMethod({
    name: `ots_searchTransactions${end}`,
    summary:
      end === 'Before'
        ? 'Answers the newest transactions of an address before a block, newest first.'
        : 'Answers the oldest transactions of an address after a block, newest first.',
    section: 'otterscan',
    work: 'worker',
    parameters: PARAMETERS,
    result: foundTransactionsShape,
    errors: [ERRORS.tooManyFound, ERRORS.tooManyListedLogs, ERRORS.answerTooLong, ERRORS.blockReverted],
    differences: DIFFERENCES,
    handler: (context, [address, block, size]) => {
      const order = end === 'Before' ? 'newestFirst' : 'oldestFirst';
      return searchTransactions(context, profile, { address, block, size, order });
    },
  });

const getContractCreator = ({ objects }: Profile): MethodDefinition =>
  defineTraceMethod({
    name: 'ots_getContractCreator',
    summary: 'Answers the transaction that created a contract, and who did; null when there is none.',
    section: 'otterscan',
    parameters: [{ name: 'address', schema: addressSchema }],
    result: nullableShape(objectShape({ hash: hashShape, creator: addressShape })),
    errors: [ERRORS.creationNotKept, ERRORS.traceTimedOut, ERRORS.traceTooLarge],
    differences: 'What code created is found by running its block again, as far back as the state is kept.',
    handler: (context, [address]) => {
      const found = creationOf(context, address);
      return found === undefined
        ? null
        : { hash: objects.hash(found.operation), creator: data(found.creator) };
    },
  });

/** Returns the level of Otterscan's methods, and those about addresses. */
export function otterscanAddressMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...[
      getApiLevel,
      hasCode(profile),
      searchTransactionsFrom(profile, 'Before'),
      searchTransactionsFrom(profile, 'After'),
    ],
    getContractCreator(profile),
  ];
}
