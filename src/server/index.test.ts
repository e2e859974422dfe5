import { expect, test } from 'vitest';
import * as server from './index.ts';

test('default', () => {
  expect(Object.keys(server).sort()).toEqual([
    'DEFAULT_SERVER_LIMITS',
    'Metrics',
    'PatchedBlockError',
    'isLoopback',
    'isOriginPattern',
    'startServer',
  ]);
});
