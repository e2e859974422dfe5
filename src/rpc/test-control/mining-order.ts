import { CLOCK_TIME_MAX } from '../../consensus.ts';
import type { Ledger } from '../../ledger/index.ts';
import { MINED_BLOCKS_MAX } from '../../limits.ts';
import { LimitError } from '../errors.ts';
import type { TestChainContext } from '../method-context.ts';
import { controlQuantitySchema } from '../parameters/quantity.ts';
import {
  explained,
  mapped,
  named,
  optional,
  type Placed,
  placed,
  refusal,
  type Schema,
} from '../parameters/schema.ts';
import { objectOf } from '../parameters/structures.ts';

/** A time that a block is to have. */
export const askedTimeSchema: Schema<Placed<bigint>> = placed(controlQuantitySchema);

/** Which blocks are made. */
export interface MiningOrder {
  /** Of the first one; undefined: what the clock says. */
  readonly timestamp: Placed<bigint> | undefined;
  readonly blocks: bigint;
}

const DEFAULT_ORDER: MiningOrder = { timestamp: undefined, blocks: 1n };

const blocksSchema = mapped(controlQuantitySchema, (blocks, place) => {
  if (blocks > 0n) return blocks;
  throw refusal(place, 'expected at least 1 block');
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
      read: (value, place) =>
        (typeof value === 'object' ? optionsSchema : timestampSchema).read(value, place),
    },
    DEFAULT_ORDER,
  ),
  { title: 'time stamp, or MineOptions' },
);

/** The one parameter of what makes blocks from a time on. */
export const MINING_ORDER_PARAMETER = {
  name: 'timestamp',
  schema: orderSchema,
  summary: 'Unix time in seconds that the block gets; or an object that has it, and `blocks`.',
} as const;

/** A number of blocks that one call may have made. @throws LimitError */
export function boundedCount(blocks: bigint, most: number): number {
  if (blocks <= BigInt(most)) return Number(blocks);
  throw new LimitError(`${blocks} blocks are more than the limit of one call, ${most} blocks`);
}

/** A time that the next block can have, as a number. @throws InvalidParametersError */
export function checkedBlockTime({ value: timestamp, place }: Placed<bigint>, ledger: Ledger): number {
  const earliest = ledger.head().header.timestamp;
  const latest = Math.max(earliest, CLOCK_TIME_MAX);
  if (timestamp >= BigInt(earliest) && timestamp <= BigInt(latest)) return Number(timestamp);
  throw refusal(place, `expected ${earliest}, the time of the latest block, to ${latest}, got ${timestamp}`);
}

/** Makes the blocks of an order. @throws InvalidParametersError, LimitError */
export function minedInOrder(
  { control, ledger }: TestChainContext,
  { timestamp, blocks }: MiningOrder,
): void | Promise<void> {
  const count = boundedCount(blocks, MINED_BLOCKS_MAX);
  if (timestamp === undefined) return control.mine({ count });
  return control.mine({ count, timestamp: checkedBlockTime(timestamp, ledger) });
}

/** Null, when something is done. */
export function nullAfter(done: void | Promise<void>): null | Promise<null> {
  return done instanceof Promise ? done.then(() => null) : null;
}
