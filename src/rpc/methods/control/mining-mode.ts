import { AMOUNT_MAX } from '../../../consensus.ts';
import { BLOCK_TIME_SECONDS_MAX } from '../../../limits.ts';
import { shape } from '../../../view/index.ts';
import type { BlockInterval } from '../../context/chain-control.ts';
import { defineControlAction, defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { boundedQuantity, controlQuantitySchema, flagSchema } from '../../parameters/plain.ts';
import { mapped, refusal, type Schema } from '../../parameters/schema.ts';
import { arrayOf } from '../../parameters/structures.ts';

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
    'Has a block made for every transaction at once, or ends that: then blocks come at the interval that was set ' +
    'before, or only when they are asked for.',
  parameters: [{ name: 'isOn', schema: flagSchema }],
  differences:
    'Ends an interval, and brings it back; with anvil it is lost, with Hardhat both go on side by side.',
  example: { parameters: [false], result: null },
  handler: ({ control }, [isOn]) => control.setAutomine(isOn),
});

const getAutomine = defineControlMethod({
  ...peerNames('getAutomine'),
  summary: 'Answers whether every transaction gets its block at once.',
  work: 'quick',
  result: shape.flag,
  example: { parameters: [], result: true },
  handler: ({ control }) => control.state.mode === 'instant',
});

const secondsSchema: Schema<BlockInterval> = mapped(
  boundedQuantity(BLOCK_TIME_SECONDS_MAX, 'seconds'),
  (seconds) => ({ shortestMs: seconds * 1_000, longestMs: seconds * 1_000 }),
);

const boundsSchema: Schema<BlockInterval> = mapped(
  arrayOf(boundedQuantity(BLOCK_TIME_SECONDS_MAX * 1_000, 'milliseconds'), { most: 2, unit: 'numbers' }),
  ([shortestMs, longestMs], place) => {
    if (shortestMs === undefined || longestMs === undefined || shortestMs > longestMs) {
      throw refusal(place, 'expected the least and the greatest number of milliseconds');
    }
    return { shortestMs, longestMs };
  },
);

const intervalSchema: Schema<BlockInterval> = {
  describe: (components) => ({
    title: 'seconds, or [least, greatest] milliseconds',
    anyOf: [secondsSchema.describe(components), boundsSchema.describe(components)],
  }),
  read: (value, place) => (Array.isArray(value) ? boundsSchema : secondsSchema).read(value, place),
};

const setIntervalMining = defineControlAction({
  ...peerNames('setIntervalMining', 'evm_setIntervalMining'),
  summary: 'Has a block made at an interval from now on; 0 ends that.',
  parameters: [
    {
      name: 'interval',
      schema: intervalSchema,
      summary: 'In seconds; or the bounds, in milliseconds, between which each interval is drawn.',
    },
  ],
  differences:
    'A number is seconds by each name, also where Hardhat takes milliseconds. 0 leaves automine as it is.',
  example: { parameters: [5], result: null },
  handler: ({ control }, [interval]) => control.setInterval(interval.longestMs === 0 ? undefined : interval),
});

const getIntervalMining = defineControlMethod({
  ...peerNames('getIntervalMining'),
  summary:
    'Answers the interval of blocks in seconds, or its bounds in milliseconds where they differ; null where blocks ' +
    'do not come at an interval.',
  work: 'quick',
  result: shape.nullable(shape.either(shape.number, shape.array(shape.integer))),
  example: { parameters: [], result: null },
  handler: ({ control }) => {
    const { mode, interval } = control.state;
    if (mode !== 'interval' || interval === undefined) return null;
    const { shortestMs, longestMs } = interval;
    return shortestMs === longestMs ? longestMs / 1_000 : [shortestMs, longestMs];
  },
});

const gasSchema = mapped(controlQuantitySchema, (gas, place) => {
  if (gas >= 1n && gas <= AMOUNT_MAX) return gas;
  throw refusal(place, `expected 1 to ${AMOUNT_MAX} gas, got ${gas}`);
});

const setBlockGasLimit = defineControlMethod({
  ...peerNames('setBlockGasLimit', 'evm_setBlockGasLimit'),
  summary:
    'Bounds the gas of each block from now on: a transaction that offers more than what is left waits.',
  parameters: [{ name: 'gas', schema: gasSchema, summary: `${AMOUNT_MAX} is no bound.` }],
  result: shape.constant(true),
  differences:
    'Bounds which transactions a block takes. The `gasLimit` of blocks and the opcode GASLIMIT stay what they are. ' +
    "What offers more than a whole block has waits until it is raised, which the node's log tells; anvil refuses " +
    'it. 0 is refused, as by Hardhat.',
  example: { parameters: ['0x1c9c380'], result: true },
  handler: ({ control }, [gas]) => {
    control.setGasLimit(gas === AMOUNT_MAX ? undefined : gas);
    return true;
  },
});

/** The methods that say when blocks are made, and how much gas they take. */
export const MINING_MODE_METHODS: readonly MethodDefinition[] = [
  ...[startMiner, stopMiner, setAutomine, getAutomine, setIntervalMining, getIntervalMining],
  setBlockGasLimit,
];
