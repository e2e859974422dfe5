import { CLOCK_TIME_MAX, TIMESTAMP_MAX } from '../../../consensus.ts';
import {
  blockShapeWith,
  DETAILED_BLOCK,
  outcomeFields,
  revertMessage,
  type Shape,
  shape,
  toEthereumBlock,
} from '../../../formatters/index.ts';
import type { BlockSummary, IncludedOperation, Ledger } from '../../../ledger/index.ts';
import { type Hexadecimal, invariant, toPrefixedHex } from '../../../protocol/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import {
  defineControlAction,
  defineControlMethod,
  defineTestMethod,
  type MethodDefinition,
  peerNames,
} from '../../method.ts';
import type { QueryContext, TestChainContext } from '../../method-context.ts';
import { boundedQuantity, controlQuantitySchema } from '../../parameters/plain.ts';
import {
  explained,
  mapped,
  named,
  optional,
  refusal,
  type Schema,
  type WithPath,
  withPath,
} from '../../parameters/schema.ts';
import { objectOf } from '../../parameters/structures.ts';
import { transactionObject } from '../../profiles/ethereum-objects.ts';
import { LimitError } from '../../rpc-errors.ts';

/** Blocks that one call may mine. */
export const MINED_BLOCKS_MAX = 1_000_000;
/** Blocks that one call may mine if it returns them. */
export const MINED_BLOCKS_RETURNED_MAX = 100;

export const askedTimeSchema: Schema<WithPath<bigint>> = withPath(controlQuantitySchema);

interface MiningOrder {
  /** Of the first one; undefined: the time of the clock. */
  readonly timestamp: WithPath<bigint> | undefined;
  readonly blocks: bigint;
}

const DEFAULT_ORDER: MiningOrder = { timestamp: undefined, blocks: 1n };

const blocksSchema = mapped(controlQuantitySchema, (blocks, path) => {
  if (blocks > 0n) return blocks;
  throw refusal(path, 'expected at least 1 block');
});

const optionsSchema: Schema<MiningOrder> = named(
  'MineOptions',
  { title: 'time stamp and number of blocks' },
  objectOf({ timestamp: optional(askedTimeSchema), blocks: optional(blocksSchema, 1n) }),
);

const timestampSchema = mapped(askedTimeSchema, (timestamp): MiningOrder => ({ timestamp, blocks: 1n }));

const orderSchema: Schema<MiningOrder> = explained(
  optional(
    {
      describe: (components) => ({
        anyOf: [optionsSchema.describe(components), timestampSchema.describe(components)],
      }),
      read: (value, path) => (typeof value === 'object' ? optionsSchema : timestampSchema).read(value, path),
    },
    DEFAULT_ORDER,
  ),
  { title: 'time stamp, or MineOptions' },
);

const MINING_ORDER_PARAMETER = {
  name: 'timestamp',
  schema: orderSchema,
  summary: 'Unix time of the block in seconds; or an object with `timestamp` and `blocks`.',
} as const;

/** Returns a number of blocks that one call may make. @throws LimitError */
function boundedCount(blocks: bigint, most: number): number {
  if (blocks <= BigInt(most)) return Number(blocks);
  throw new LimitError(`${blocks} blocks are more than the limit of one call, ${most} blocks`);
}

/** Returns a time that the next block can have, as a number. @throws InvalidParametersError */
export function checkedBlockTime({ value: timestamp, path }: WithPath<bigint>, ledger: Ledger): number {
  const head = ledger.blocks.head().header.timestamp;
  const earliest = ledger.clock.earliestAfter(head);
  const latest = Math.max(earliest, CLOCK_TIME_MAX);
  if (timestamp >= BigInt(earliest) && timestamp <= BigInt(latest)) return Number(timestamp);
  const after = earliest === head ? '' : `${earliest - head} s after `;
  throw refusal(
    path,
    `expected ${earliest}, ${after}the time of the latest block, to ${latest}, got ${timestamp}`,
  );
}

/** Makes the blocks of an order. @throws InvalidParametersError, LimitError */
function minedInOrder(
  { control, ledger }: TestChainContext,
  { timestamp, blocks }: MiningOrder,
): void | Promise<void> {
  const count = boundedCount(blocks, MINED_BLOCKS_MAX);
  if (timestamp === undefined) return control.mine({ count });
  return control.mine({ count, timestamp: checkedBlockTime(timestamp, ledger) });
}

/** Returns the method that makes blocks of given times. @param mineResult its result */
export const mineMethod = (mineResult: '0x0' | null): MethodDefinition =>
  defineTestMethod({
    name: 'evm_mine',
    summary: 'Produces one or more blocks, even if mining is off.',
    parameters: [MINING_ORDER_PARAMETER],
    result: mineResult === null ? shape.null : shape.constant(mineResult),
    errors: [ERRORS.noProducerKey, ERRORS.tooManyBlocks],
    differences: 'The clock continues from a future time stamp; a time before the latest block is refused.',
    example: { parameters: [], result: mineResult },
    handler: (context, [order]) => {
      const done = minedInOrder(context, order);
      return done instanceof Promise ? done.then(() => mineResult) : mineResult;
    },
  });

/** Returns a method that makes blocks. @param intervalPrecedesFirst true if the interval precedes the first one, too */
export const mineCountMethod = (
  name: string,
  aliases: readonly string[],
  intervalPrecedesFirst: boolean,
): MethodDefinition =>
  defineControlAction({
    name,
    aliases,
    summary: 'Produces a number of blocks, even if mining is off.',
    parameters: [
      {
        name: 'count',
        schema: optional(controlQuantitySchema, 1n),
        summary: 'Number of blocks; absent: 1.',
      },
      {
        name: 'interval',
        schema: optional(boundedQuantity(TIMESTAMP_MAX, 'seconds', controlQuantitySchema), 0),
        summary: 'Seconds between the blocks; 0 or absent: time stamps by the clock.',
      },
    ],
    errors: [ERRORS.noProducerKey, ERRORS.clockOutOfRange, ERRORS.tooManyBlocks],
    differences: intervalPrecedesFirst
      ? 'The interval precedes each block, even the first one.'
      : 'The interval does not precede the first block, like in Hardhat; anvil puts it before each block.',
    example: { parameters: ['0x3'], result: null },
    handler: ({ control }, [count, interval]) => {
      const lead = intervalPrecedesFirst ? interval : undefined;
      return control.mine({ count: boundedCount(count, MINED_BLOCKS_MAX), lead, step: interval });
    },
  });

/** Writes a block object with the outcomes of its transactions. */
export type DetailedBlockWriter = (
  context: QueryContext,
  block: BlockSummary,
  detailOf: (operation: IncludedOperation) => OutcomeDetail,
) => object;

const detailedTransactionShape: Shape<object> = {
  describe: (components) => ({
    type: 'object',
    required: ['hash', 'output', 'revertReason'],
    properties: {
      output: outcomeFields.output.describe(components),
      revertReason: outcomeFields.revertReason.describe(components),
    },
  }),
};

const detailedBlockShape = shape.named(
  'DetailedBlock',
  DETAILED_BLOCK,
  blockShapeWith(shape.array(detailedTransactionShape), {}),
);

const detailedBlock: DetailedBlockWriter = (context, block, detailOf) => {
  const { ledger, blockFacts } = context;
  const transactions = ledger.blocks
    .blockTransactions(block.number)
    .map((operation) => ({ ...transactionObject(context, operation), ...detailOf(operation) }));
  const facts = blockFacts.factsOf(ledger, block);
  return toEthereumBlock(block, facts, ledger.parameters.rules, transactions);
};

/** Returns the method that makes blocks and shows them. */
export const mineDetailedMethod = (write: DetailedBlockWriter): MethodDefinition =>
  defineControlMethod({
    ...peerNames('mine_detailed', 'evm_mine_detailed'),
    summary:
      'Produces one or more blocks, and returns them with their transactions and the results of these.',
    parameters: [MINING_ORDER_PARAMETER],
    result: shape.array<object>(detailedBlockShape),
    errors: [ERRORS.noProducerKey, ERRORS.tooManyBlocks],
    differences: 'The output of a transaction is its revert data; the ledger stores no other output.',
    handler: async (context, [{ timestamp, blocks }]) => {
      const { control, ledger } = context;
      const count = boundedCount(blocks, MINED_BLOCKS_RETURNED_MAX);
      let next = timestamp === undefined ? undefined : checkedBlockTime(timestamp, ledger);
      const detailed: object[] = [];
      while (detailed.length < count) {
        await control.mine({ count: 1, timestamp: next });
        next = undefined;
        const head = ledger.blocks.head();
        detailed.push(write(context, head, (operation) => detailOf(ledger, operation)));
      }
      return detailed;
    },
  });

/** The outcome of a transaction in a detailed block object. */
interface OutcomeDetail {
  /** Revert data; empty after a success. */
  readonly output: Hexadecimal;
  readonly revertReason: string | null;
}

function detailOf(ledger: Ledger, { block, index }: IncludedOperation): OutcomeDetail {
  const receipt = ledger.blocks.receiptOutlineOf(block.number, index);
  invariant(receipt !== undefined, 'an operation of a block has a receipt');
  const { status, output } = receipt;
  return { output: toPrefixedHex(output), revertReason: status === 'failure' ? revertMessage(output) : null };
}

const intervalMine = defineControlMethod({
  ...peerNames('intervalMine'),
  summary: 'Produces the next block of interval mining now.',
  result: shape.constant(true),
  errors: [ERRORS.noProducerKey],
  example: { parameters: [], result: true },
  handler: async ({ control }) => {
    await control.mine({ count: 1 });
    return true;
  },
});

/** The methods that make blocks. */
export const MINED_BLOCK_METHODS: readonly MethodDefinition[] = [
  mineMethod('0x0'),
  mineCountMethod('anvil_mine', ['ganache_mine'], true),
  mineCountMethod('hardhat_mine', [], false),
  mineDetailedMethod(detailedBlock),
  intervalMine,
];
