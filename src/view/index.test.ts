import { expect, test } from 'vitest';
import * as view from './index.ts';

test('default', () => {
  expect(Object.keys(view).sort()).toEqual([
    'LOGS_BLOOM_BYTES',
    'data',
    'foundLog',
    'logsBloom',
    'logsText',
    'paddedData',
    'quantity',
    'toBlock',
    'toHeader',
    'toLogs',
    'toReceipt',
    'toTransaction',
  ]);
});
