import { expect, test } from 'vitest';
import { testEnvironment } from '../environment.testing.ts';
import type { LogLevel } from '../settings/service-settings.ts';
import { textLog } from './text-log.ts';

/** Returns the output of a log for a failed call, two notices and an internal failure. */
function written(level: LogLevel, withTime: boolean) {
  const { environment, output, errors } = testEnvironment();
  const { events, stopping } = textLog(level, environment, withTime);
  events.onFailedCall?.('eth_call', 'no gas');
  events.onNotice?.({ kind: 'productionResumed' });
  events.onNotice?.({ kind: 'productionPaused', reason: 'no room' });
  events.onInternalFailure?.('eth_call', 'a defect');
  stopping();
  return { output: output(), errors: errors() };
}

test('default: lines, and failures of the node on the standard error', () => {
  const { output, errors } = written('debug', false);
  expect(output).toMatch(/^failed eth_call: no gas\ninfo .+\nerror .+no room\nstopping\n$/);
  expect(errors).toBe('ledgerd: internal failure in eth_call: string: a defect\n');
});

test('args: with the time', () => {
  const { output, errors } = written('debug', true);
  expect(`${output}${errors}`.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S/gm)).toHaveLength(5);
});

test.each<[LogLevel, RegExp]>([
  ['info', /^info .+\nerror .+no room\nstopping\n$/],
  ['warn', /^error .+no room\n$/],
  ['error', /^error .+no room\n$/],
])('args: %s', (level, expected) => {
  const { output, errors } = written(level, false);
  expect(output).toMatch(expected);
  expect(errors).toContain('a defect');
});
