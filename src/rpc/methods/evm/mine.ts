import type { Ledger } from '../../../ledger/index.ts';
import { CLOCK_TIME_MAX, MINED_BLOCKS_MAX } from '../../../limits.ts';
import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { InvalidParametersError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { boundedQuantity, quantitySchema } from '../../parameters/quantity.ts';
import { explained, mapped, named, optional, refusal, type Schema } from '../../parameters/schema.ts';
import { objectOf } from '../../parameters/structures.ts';

/** Which blocks are made. */
interface Mining {
  /** Of the first one; undefined: the time of day. */
  readonly timestamp: bigint | undefined;
  readonly blocks: number;
}

const blocksSchema = mapped(boundedQuantity(MINED_BLOCKS_MAX, 'blocks'), (blocks, place) => {
  if (blocks > 0) return blocks;
  throw refusal(place, 'expected at least 1 block');
});

const optionsSchema: Schema<Mining> = named(
  'MineOptions',
  { title: 'time stamp and number of blocks' },
  objectOf({ timestamp: optional(quantitySchema), blocks: optional(blocksSchema, 1) }),
);

const timestampSchema = mapped(quantitySchema, (timestamp): Mining => ({ timestamp, blocks: 1 }));

const miningSchema: Schema<Mining> = explained(
  optional(
    {
      describe: (components) => ({
        anyOf: [optionsSchema.describe(components), timestampSchema.describe(components)],
      }),
      read: (value, place) =>
        (typeof value === 'object' ? optionsSchema : timestampSchema).read(value, place),
    },
    { timestamp: undefined, blocks: 1 },
  ),
  { title: 'time stamp, or MineOptions' },
);

export const mine = defineMethod({
  name: 'evm_mine',
  summary: 'Forces one block or several, whether or not blocks are being generated.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [
    {
      name: 'timestamp',
      schema: miningSchema,
      summary: 'Unix time in seconds that the block gets; or an object that has it, and `blocks`.',
    },
  ],
  result: nullShape,
  errors: [ERRORS.noProducerKey],
  differences: 'Time goes on from a time stamp that lies ahead; one before the latest block is refused.',
  example: { parameters: [], result: null },
  handler: ({ ledger }, [{ timestamp, blocks }]) => {
    ledger.mine(timestamp === undefined ? undefined : checkedTime(timestamp, ledger));
    for (let made = 1; made < blocks; made += 1) ledger.mine();
    return null;
  },
});

/** @throws InvalidParametersError for a time that no next block can have */
function checkedTime(timestamp: bigint, ledger: Ledger): number {
  const earliest = ledger.head().header.timestamp;
  if (timestamp >= BigInt(earliest) && timestamp <= BigInt(CLOCK_TIME_MAX)) return Number(timestamp);
  throw new InvalidParametersError(
    `invalid parameter 1 (timestamp): expected ${earliest}, the time of the latest block, to ${CLOCK_TIME_MAX}, ` +
      `got ${timestamp}`,
  );
}
