import { AMOUNT_MAX } from '../../../consensus.ts';
import { shape } from '../../../formatters/index.ts';
import { type BlockInterval, hasInterval, isAutomined } from '../../../ledger/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlAction, defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { boundedQuantity, controlQuantitySchema, flagSchema } from '../../parameters/plain.ts';
import { mapped, refusal, type Schema } from '../../parameters/schema.ts';
import { arrayOf } from '../../parameters/structures.ts';

/** Greatest seconds between two blocks at an interval: a day. */
export const BLOCK_TIME_SECONDS_MAX = 24 * 60 * 60;

const startMiner = defineControlAction({
  name: 'miner_start',
  summary: 'Starts generating blocks.',
  section: 'testMode',
  differences: 'Parameters are ignored.',
  example: { parameters: [], result: null },
  handler: ({ control }) => control.startMining(),
});

const stopMiner = defineControlAction({
  name: 'miner_stop',
  summary: 'Stops generating blocks: transactions stay pending.',
  section: 'testMode',
  example: { parameters: [], result: null },
  handler: ({ control }) => control.stopMining(),
});

const setAutomine = defineControlAction({
  ...peerNames('setAutomine', 'evm_setAutomine'),
  summary:
    'Produces a block for every transaction at once, or stops that: then the node produces blocks at the interval ' +
    'that was set before, or only on request.',
  parameters: [{ name: 'isOn', schema: flagSchema }],
  differences:
    'Suspends an interval, and restores it, where anvil loses it; with `--mixed-mining` both are on, as in Hardhat.',
  example: { parameters: [false], result: null },
  handler: ({ control }, [isOn]) => control.setAutomine(isOn),
});

const getAutomine = defineControlMethod({
  ...peerNames('getAutomine'),
  summary: 'Returns true if the node produces a block for every transaction at once.',
  scheduling: 'quick',
  result: shape.flag,
  example: { parameters: [], result: true },
  handler: ({ control }) => isAutomined(control.state.mode),
});

const secondsSchema: Schema<BlockInterval> = mapped(
  boundedQuantity(BLOCK_TIME_SECONDS_MAX, 'seconds'),
  (seconds) => ({ shortestMs: seconds * 1_000, longestMs: seconds * 1_000 }),
);

const boundsSchema: Schema<BlockInterval> = mapped(
  arrayOf(boundedQuantity(BLOCK_TIME_SECONDS_MAX * 1_000, 'milliseconds'), { most: 2, unit: 'numbers' }),
  ([shortestMs, longestMs], path) => {
    if (shortestMs === undefined || longestMs === undefined || shortestMs > longestMs) {
      throw refusal(path, 'expected the least and the greatest number of milliseconds');
    }
    return { shortestMs, longestMs };
  },
);

const intervalSchema: Schema<BlockInterval> = {
  describe: (components) => ({
    title: 'seconds, or [least, greatest] milliseconds',
    anyOf: [secondsSchema.describe(components), boundsSchema.describe(components)],
  }),
  read: (value, path) => (Array.isArray(value) ? boundsSchema : secondsSchema).read(value, path),
};

const setIntervalMining = defineControlAction({
  ...peerNames('setIntervalMining', 'evm_setIntervalMining'),
  summary: 'Produces blocks at an interval; 0 ends that.',
  parameters: [
    {
      name: 'interval',
      schema: intervalSchema,
      summary: 'Seconds; or the bounds of random intervals in milliseconds.',
    },
  ],
  differences:
    'A number means seconds under each name, even where Hardhat takes milliseconds. An interval ends automine, as in ' +
    'anvil, and with `--mixed-mining` leaves it on, as in Hardhat. 0 does not change automine.',
  example: { parameters: [5], result: null },
  handler: ({ control }, [interval]) => control.setInterval(interval.longestMs === 0 ? undefined : interval),
});

const getIntervalMining = defineControlMethod({
  ...peerNames('getIntervalMining'),
  summary:
    'Returns the interval of blocks in seconds, or its bounds in milliseconds if they differ; null without an ' +
    'interval.',
  scheduling: 'quick',
  result: shape.nullable(shape.either(shape.number, shape.array(shape.integer))),
  example: { parameters: [], result: null },
  handler: ({ control }) => {
    const { mode, interval } = control.state;
    if (!hasInterval(mode) || interval === undefined) return null;
    const { shortestMs, longestMs } = interval;
    return shortestMs === longestMs ? longestMs / 1_000 : [shortestMs, longestMs];
  },
});

const gasSchema = mapped(controlQuantitySchema, (gas, path) => {
  if (gas >= 1n && gas <= AMOUNT_MAX) return gas;
  throw refusal(path, `expected 1 to ${AMOUNT_MAX} gas, got ${gas}`);
});

const setBlockGasLimit = defineControlMethod({
  ...peerNames('setBlockGasLimit', 'evm_setBlockGasLimit'),
  summary:
    'Limits the gas of each block; on a chain with Ethereum also `gasLimit` at `/ethereum` and GASLIMIT.',
  parameters: [{ name: 'gas', schema: gasSchema, summary: `${AMOUNT_MAX}: no limit.` }],
  result: shape.constant(true),
  errors: [ERRORS.tooManyPatches, ERRORS.writesPaused],
  differences:
    'A native operation that offers more than a whole block stays pending until the limit is raised, and the node ' +
    'logs it; an Ethereum transaction is refused, as in anvil. 0 is refused, like in Hardhat.',
  example: { parameters: ['0x1c9c380'], result: true },
  handler: ({ control }, [gas]) => {
    control.setGasLimit(gas === AMOUNT_MAX ? undefined : gas);
    return true;
  },
});

/** The methods that say when blocks are made, and how much gas they take. */
export const MINING_MODE_METHODS: readonly MethodDefinition[] = [
  startMiner,
  stopMiner,
  setAutomine,
  getAutomine,
  setIntervalMining,
  getIntervalMining,
  setBlockGasLimit,
];
