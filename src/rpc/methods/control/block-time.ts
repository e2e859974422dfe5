import { TIMESTAMP_MAX } from '../../../consensus.ts';
import { type Shape, shape } from '../../../formatters/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { describeValue } from '../../json/describe.ts';
import {
  defineControlAction,
  defineControlMethod,
  defineTestMethod,
  type MethodDefinition,
  peerNames,
} from '../../method.ts';
import { boundedQuantity, controlQuantitySchema } from '../../parameters/plain.ts';
import { refusal, type Schema, withPath } from '../../parameters/schema.ts';
import { askedTimeSchema, checkedBlockTime } from './mining.ts';

/** Greatest number that is read as a time in seconds: greater ones are milliseconds. */
const SECONDS_WRITTEN_MAX = 1_000_000_000_000;

const setNextBlockTimestamp = defineControlAction({
  ...peerNames('setNextBlockTimestamp', 'evm_setNextBlockTimestamp'),
  summary: 'Sets the time stamp of the next block; the clock continues from it.',
  parameters: [
    {
      name: 'timestamp',
      schema: askedTimeSchema,
      summary: 'Unix time in seconds, not before the latest block.',
    },
  ],
  differences:
    'The time may equal that of the latest block; Hardhat, and a node with `--time-step 1`, require a later one.',
  example: { parameters: ['0x6b49d200'], result: null },
  handler: ({ control, ledger }, [timestamp]) =>
    control.setBlockTimes({ nextTimestamp: checkedBlockTime(timestamp, ledger) }),
});

/** A time as `JSON.stringify` writes a date (ISO 8601). */
const DATE_TEXT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Unix time in seconds, in milliseconds or as a date. */
const timeSchema: Schema<bigint> = {
  describe: (components) => ({
    title: 'seconds, milliseconds or a date',
    anyOf: [controlQuantitySchema.describe(components), { type: 'string', format: 'date-time' }],
  }),
  read: (value, path) => {
    if (typeof value !== 'string' || /^(0x|\d+$)/.test(value)) {
      const time = controlQuantitySchema.read(value, path);
      return time > BigInt(SECONDS_WRITTEN_MAX) ? time / 1_000n : time;
    }
    const milliseconds = DATE_TEXT.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isFinite(milliseconds)) return BigInt(Math.floor(milliseconds / 1_000));
    throw refusal(
      path,
      `expected a QUANTITY or a date such as 2030-01-31T12:00:00Z, got ${describeValue(value)}`,
    );
  },
};

const setTime = defineControlMethod({
  ...peerNames('setTime', 'evm_setTime'),
  summary: 'Sets the clock for the next blocks, and returns by how many seconds it moved.',
  parameters: [
    {
      name: 'time',
      schema: withPath(timeSchema),
      summary: 'Unix time in seconds, above 10^12 in milliseconds, or a date; not before the latest block.',
    },
  ],
  result: shape.integer,
  differences: 'Returns a negative number if the clock moved back.',
  handler: ({ control, ledger }, [time]) => {
    const next = checkedBlockTime(time, ledger);
    const before = ledger.clock.now();
    control.setTime(next);
    return next - before;
  },
});

const setBlockTimestampInterval = defineControlAction({
  ...peerNames('setBlockTimestampInterval'),
  summary: 'Sets the seconds between the time stamps of blocks, independent of the clock.',
  parameters: [{ name: 'seconds', schema: boundedQuantity(TIMESTAMP_MAX, 'seconds', controlQuantitySchema) }],
  example: { parameters: [12], result: null },
  handler: ({ control }, [timestampInterval]) => control.setBlockTimes({ timestampInterval }),
});

const removeBlockTimestampInterval = defineControlMethod({
  ...peerNames('removeBlockTimestampInterval'),
  summary:
    'Returns to time stamps by the clock, which moves past the newest block if it is behind it; returns true if an ' +
    'interval was set.',
  result: shape.flag,
  example: { parameters: [], result: false },
  handler: ({ control }) => {
    return control.removeTimestampInterval();
  },
});

const getGenesisTime = defineControlMethod({
  ...peerNames('getGenesisTime'),
  summary: 'Returns the Unix time of block 0 in seconds.',
  scheduling: 'quick',
  result: shape.integer,
  example: { parameters: [], result: 1790000000 },
  handler: ({ ledger }) => ledger.parameters.genesis.timestamp,
});

const getLastBlockWallTime = defineControlMethod({
  ...peerNames('getLastBlockWallTime'),
  summary:
    "Returns the time of the production of the newest block by the machine's clock, in Unix milliseconds.",
  scheduling: 'quick',
  result: shape.integer,
  differences: 'After a start it is the time stamp of the head, until the next block is produced.',
  handler: ({ control }) => control.lastBlockWallTime,
});

/** Returns the method that moves the clock forward. @param shown shows seconds */
export const increaseTimeMethod = <R>(result: Shape<R>, shown: (seconds: number) => R): MethodDefinition => {
  const { name, aliases } = peerNames('increaseTime');
  return defineTestMethod({
    name: 'evm_increaseTime',
    aliases: [name, ...aliases],
    summary: 'Moves the clock for the next blocks forward and returns the total adjustment in seconds.',
    parameters: [
      {
        name: 'seconds',
        schema: boundedQuantity(TIMESTAMP_MAX, 'seconds', controlQuantitySchema),
        summary: 'Seconds to move forward.',
      },
    ],
    result,
    errors: [ERRORS.clockOutOfRange],
    differences: "The total adjustment is 0 while the clock is behind the machine's.",
    example: { parameters: [3600], result: shown(3600) },
    handler: ({ control }, [seconds]) => shown(Math.max(0, control.increaseTime(seconds))),
  });
};

/** The methods that set the times of blocks. */
export const BLOCK_TIME_METHODS: readonly MethodDefinition[] = [
  increaseTimeMethod(shape.integer, (seconds) => seconds),
  setNextBlockTimestamp,
  setTime,
  setBlockTimestampInterval,
  removeBlockTimestampInterval,
  getGenesisTime,
  getLastBlockWallTime,
];
