import { arrayShape, eitherShape, integerShape, nullableShape, numberShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const getIntervalMining = defineMethod({
  ...peerNames('getIntervalMining'),
  summary:
    'Answers the interval of blocks in seconds, or its bounds in milliseconds where they differ; null where blocks ' +
    'do not come at an interval.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [],
  result: nullableShape(eitherShape(numberShape, arrayShape(integerShape))),
  example: { parameters: [], result: null },
  handler: ({ control }) => {
    const { mode, interval } = control.state;
    if (mode !== 'interval' || interval === undefined) return null;
    const { shortestMs, longestMs } = interval;
    return shortestMs === longestMs ? longestMs / 1_000 : [shortestMs, longestMs];
  },
});
