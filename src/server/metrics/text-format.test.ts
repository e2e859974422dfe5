import { expect, test } from 'vitest';
import { metricsText } from './text-format.ts';

test('default', () => {
  const text = metricsText([
    { name: 'height', help: 'Newest block.', type: 'gauge', values: 7 },
    { name: 'silent', help: 'Nothing yet.', type: 'counter', values: undefined },
    {
      name: 'seconds',
      help: 'Duration.',
      type: 'histogram',
      values: [
        { suffix: '_bucket', labels: { method: 'eth_call', le: '+Inf' }, value: 1 },
        { suffix: '_sum', labels: { method: 'eth_call' }, value: 0.5 },
      ],
    },
  ]);
  expect(text).toBe(
    [
      ...['# HELP height Newest block.', '# TYPE height gauge', 'height 7', ''],
      ...['# HELP silent Nothing yet.', '# TYPE silent counter', ''],
      ...['# HELP seconds Duration.', '# TYPE seconds histogram'],
      'seconds_bucket{method="eth_call",le="+Inf"} 1',
      'seconds_sum{method="eth_call"} 0.5',
      '',
    ].join('\n'),
  );
});

test('behavior: values of labels are escaped', () => {
  const values = [{ labels: { version: 'a\\b"c\nd' }, value: 1 }];
  const text = metricsText([{ name: 'info', help: 'Version.', type: 'gauge', values }]);
  expect(text.split('\n')[2]).toBe(String.raw`info{version="a\\b\"c\nd"} 1`);
});
