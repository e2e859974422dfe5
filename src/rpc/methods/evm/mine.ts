import { z } from 'zod';
import type { Ledger } from '../../../ledger/index.ts';
import { CLOCK_TIME_MAX, MINED_BLOCKS_MAX } from '../../../limits.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { InvalidParametersError } from '../../errors.ts';
import { defineTestMethod } from '../../method.ts';
import { describeObjectIssue } from '../../schemas/choice.ts';
import { boundedQuantitySchema, quantitySchema } from '../../schemas/quantity.ts';

/** Which blocks are made. */
interface Mining {
  /** Of the first one; undefined: the time of day. */
  readonly timestamp: bigint | undefined;
  readonly blocks: number;
}

const optionsSchema = z
  .strictObject(
    {
      timestamp: quantitySchema.nullish(),
      blocks: boundedQuantitySchema(MINED_BLOCKS_MAX, 'blocks')
        .refine((blocks) => blocks > 0, 'expected at least 1 block')
        .nullish(),
    },
    { error: describeObjectIssue },
  )
  .transform(({ timestamp, blocks }): Mining => ({ timestamp: timestamp ?? undefined, blocks: blocks ?? 1 }))
  .meta({ id: 'MineOptions', title: 'time stamp and number of blocks' });

const miningSchema: z.ZodType<Mining> = z
  .union([optionsSchema, quantitySchema.transform((timestamp): Mining => ({ timestamp, blocks: 1 }))], {
    error: describeIssue,
  })
  .nullish()
  .transform((mining) => mining ?? { timestamp: undefined, blocks: 1 })
  .meta({ title: 'time stamp, or MineOptions' });

export const mine = defineTestMethod({
  name: 'evm_mine',
  summary: 'Forces one block or several, whether or not blocks are being generated.',
  section: 'testMode',
  parameters: [
    {
      name: 'timestamp',
      schema: miningSchema,
      summary: 'Unix time in seconds that the block gets; or an object that has it, and `blocks`.',
    },
  ],
  result: z.null(),
  errors: [ERRORS.noProducerKey],
  differences: 'Time goes on from a time stamp that lies ahead; one before the latest block is refused.',
  example: { parameters: [], result: null },
  handler: ({ ledger }, { timestamp, blocks }) => {
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

/** Says what is wrong in the words of what the value looks like. */
function describeIssue({ input }: { readonly input?: unknown }): string {
  const isObject = typeof input === 'object' && input !== null;
  const schema = isObject ? optionsSchema : quantitySchema;
  const [problem] = schema.safeParse(input).error?.issues ?? [];
  return [...(problem?.path ?? []).map(String), problem?.message ?? 'not acceptable'].join(': ');
}
