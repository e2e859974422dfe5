/**
 * With LEDGERD_WORKERS in the environment every node of the tests has so many workers: the programs read it
 * themselves, and this sets it for the nodes that tests start within their own process. It does so where a test loads
 * the configuration, and not before, so that the bounds that it sets itself hold for all that it loads.
 */

import { vi } from 'vitest';

const workers = Number(process.env.LEDGERD_WORKERS ?? 0);

vi.mock('../src/node/configuration.ts', async (original) => {
  const configuration = await original<typeof import('../src/node/configuration.ts')>();
  const { DEFAULT_CONFIGURATION, DEFAULT_NODE_CONFIGURATION } = configuration;
  for (const defaults of [DEFAULT_CONFIGURATION, DEFAULT_NODE_CONFIGURATION]) {
    Object.assign(defaults, { workers });
  }
  return configuration;
});
