import { BLOCK_TIME_SECONDS_MAX } from '../../../limits.ts';
import { nullShape } from '../../../view/index.ts';
import type { BlockInterval } from '../../context/chain-control.ts';
import { defineMethod } from '../../method.ts';
import { boundedQuantity } from '../../parameters/quantity.ts';
import { mapped, refusal, type Schema } from '../../parameters/schema.ts';
import { arrayOf } from '../../parameters/structures.ts';
import { peerNames } from '../../test-control/peer-names.ts';

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

export const setIntervalMining = defineMethod({
  ...peerNames('setIntervalMining', 'evm_setIntervalMining'),
  summary: 'Has a block made at an interval from now on; 0 ends that.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    {
      name: 'interval',
      schema: intervalSchema,
      summary: 'In seconds; or the bounds, in milliseconds, between which each interval is drawn.',
    },
  ],
  result: nullShape,
  differences:
    'A number is seconds by each name, also where Hardhat takes milliseconds. 0 leaves automine as it is.',
  example: { parameters: [5], result: null },
  handler: ({ control }, [interval]) => {
    control.setInterval(interval.longestMs === 0 ? undefined : interval);
    return null;
  },
});
