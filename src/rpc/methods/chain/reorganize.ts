import { REORGANIZED_BLOCKS_MAX } from '../../../limits.ts';
import type { SignedTransaction } from '../../../protocol/index.ts';
import { nullShape } from '../../../view/index.ts';
import { requireDepth } from '../../depth.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { InvalidParametersError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import type { TestChainContext } from '../../method-context.ts';
import { dataSchema } from '../../parameters/bytes.ts';
import { type SendRequest, sendRequestSchema } from '../../parameters/call-object.ts';
import { boundedQuantity } from '../../parameters/quantity.ts';
import { named, optional, refusal, type Schema } from '../../parameters/schema.ts';
import { arrayOf, objectOf } from '../../parameters/structures.ts';
import { peerNames } from '../../peer-names.ts';
import { decodeTransaction } from '../../raw-transaction.ts';
import { sendMessage } from '../../requests.ts';

/** A transaction of a new block: signed, or to be signed by the wallet when the blocks before it are there. */
type Given = SignedTransaction | SendRequest;
type Pair = readonly [transaction: Given, offset: number];

/** What is to become of the chain. */
interface Reorganization {
  readonly depth: number;
  readonly pairs: readonly Pair[];
}

const offsetSchema = boundedQuantity(REORGANIZED_BLOCKS_MAX - 1, 'blocks');
const depthSchema = boundedQuantity(REORGANIZED_BLOCKS_MAX, 'blocks');

const pairSchema: Schema<Pair> = {
  describe: (components) => ({
    type: 'array',
    prefixItems: [
      { anyOf: [dataSchema.describe(components), sendRequestSchema.describe(components)] },
      offsetSchema.describe(components),
    ],
    minItems: 2,
    maxItems: 2,
  }),
  read: (value, place) => {
    if (!Array.isArray(value) || value.length !== 2) {
      throw refusal(place, 'expected a transaction and the place of its block: [transaction, offset]');
    }
    const [first, second] = [{ within: place, key: 0 } as const, { within: place, key: 1 } as const];
    const isRaw = typeof value[0] === 'string';
    const transaction = isRaw
      ? decodeTransaction(dataSchema.read(value[0], first), 'transaction of the pairs')
      : sendRequestSchema.read(value[0], first);
    return [transaction, offsetSchema.read(value[1], second)];
  },
};

const pairsSchema = arrayOf(pairSchema);

const optionsSchema = named(
  'ReorganizationOptions',
  { title: 'depth and transactions' },
  objectOf({ depth: depthSchema, tx_block_pairs: optional(pairsSchema, []) }),
);

const reorganizationSchema: Schema<Reorganization> = {
  describe: (components) => ({
    anyOf: [optionsSchema.describe(components), depthSchema.describe(components)],
    title: 'depth, or ReorganizationOptions',
  }),
  read: (value, place) => {
    if (typeof value !== 'object') return { depth: depthSchema.read(value, place), pairs: [] };
    const { depth, tx_block_pairs: pairs } = optionsSchema.read(value, place);
    return { depth, pairs };
  },
};

export const reorganize = defineMethod({
  ...peerNames('reorg'),
  summary: 'Takes the newest blocks back, and makes as many others, with the transactions that are given.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    {
      name: 'depth',
      schema: reorganizationSchema,
      summary: 'How many blocks; or an object with them and the pairs.',
    },
    {
      name: 'pairs',
      schema: optional(pairsSchema, []),
      summary:
        'Each a transaction, signed or for an account of the wallet, and the number of its block, from 0 on.',
    },
  ],
  result: nullShape,
  errors: [ERRORS.blockNotKept, ERRORS.transactionRefused, ERRORS.unknownAccount, ERRORS.accountLocked],
  differences:
    'Transactions of the former blocks do not come back, and what waits goes on waiting. Of a transaction that is ' +
    'refused the error tells; the blocks are there all the same.',
  example: { parameters: ['0x1', []], result: null },
  handler: (context, [{ depth, pairs: given }, further]) => {
    const { ledger, testChain } = context;
    requireDepth(depth, ledger);
    const pairs = [...given, ...further];
    for (const [, offset] of pairs) requireOffset(offset, depth);
    testChain.reorganize(depth, (offset) =>
      pairs
        .filter((pair) => pair[1] === offset)
        .map(
          ([transaction], index) =>
            () =>
              signedOf(transaction, index, context),
        ),
    );
    return null;
  },
});

/** Two that are equal differ in their expiration. */
function signedOf(given: Given, index: number, context: TestChainContext): SignedTransaction {
  return 'signatures' in given ? given : context.wallet.sign(sendMessage(given, context), undefined, index);
}

function requireOffset(offset: number, depth: number): void {
  if (offset < depth) return;
  throw new InvalidParametersError(
    `invalid parameter (pairs): the place of a block is below ${depth}, the number of new blocks, got ${offset}`,
  );
}
