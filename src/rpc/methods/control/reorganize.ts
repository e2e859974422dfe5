import { REORGANIZED_BLOCKS_MAX } from '../../../limits.ts';
import type { SignedTransaction } from '../../../protocol/index.ts';
import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import type { TestChainContext } from '../../method-context.ts';
import { dataSchema } from '../../parameters/bytes.ts';
import { boundedQuantity } from '../../parameters/quantity.ts';
import {
  named,
  optional,
  type Place,
  type Placed,
  placed,
  refusal,
  type Schema,
} from '../../parameters/schema.ts';
import { arrayOf, objectOf } from '../../parameters/structures.ts';
import type { Profile } from '../../profiles/profile.ts';
import type { SendingStyle } from '../../profiles/sending.ts';
import { requireDepth } from '../../test-control/depth.ts';

type Signer = (context: TestChainContext, index: number) => SignedTransaction;
type Pair = readonly [transaction: Signer, offset: Placed<number>];

/** What is to become of the chain. */
interface Reorganization {
  readonly depth: Placed<number>;
  readonly pairs: readonly Pair[];
}

const offsetSchema = placed(boundedQuantity(REORGANIZED_BLOCKS_MAX - 1, 'blocks'));
const depthSchema = placed(boundedQuantity(REORGANIZED_BLOCKS_MAX, 'blocks'));

/** A transaction, signed or to be signed when the blocks before its block are there, and the offset of its block. */
function pairSchema({ transaction, decode }: SendingStyle): Schema<Pair> {
  const signerOf = (value: unknown, place: Place): Signer => {
    if (typeof value === 'string') {
      const signed = decode({ value: dataSchema.read(value, place), place });
      return () => signed;
    }
    const outgoing = transaction.read(value, place);
    return (context, index) => outgoing.signForBlock(context, index);
  };
  return {
    describe: (components) => ({
      type: 'array',
      prefixItems: [
        { anyOf: [dataSchema.describe(components), transaction.describe(components)] },
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
      const signer = signerOf(value[0], first);
      return [signer, offsetSchema.read(value[1], second)];
    },
  };
}

export function reorganize({ sending }: Profile): MethodDefinition {
  const pairsSchema = arrayOf(pairSchema(sending));
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
  return defineControlMethod({
    ...peerNames('reorg'),
    summary: 'Takes the newest blocks back, and makes as many others, with the transactions that are given.',
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
    handler: (context, [{ depth, pairs: own }, further]) => {
      const { ledger, testChain } = context;
      requireDepth(depth, ledger);
      const pairs = [...own, ...further];
      for (const [, offset] of pairs) requireOffset(offset, depth.value);
      testChain.reorganize(depth.value, (offset) =>
        pairs
          .filter((pair) => pair[1].value === offset)
          .map(
            ([signer], index) =>
              () =>
                signer(context, index),
          ),
      );
      return null;
    },
  });
}

function requireOffset({ value: offset, place }: Placed<number>, depth: number): void {
  if (offset < depth) return;
  throw refusal(place, `the place of a block is below ${depth}, the number of new blocks, got ${offset}`);
}
