/**
 * Sets for the nodes that tests start within their own process what `programEnvironment` sets for programs: where a
 * test loads the configuration, and not before, so that the bounds that it sets itself hold for all that it loads.
 */

import { vi } from 'vitest';

vi.mock('../src/node/configuration.ts', async (original) => {
  const configuration = await original<typeof import('../src/node/configuration.ts')>();
  const { DEFAULT_CONFIGURATION, DEFAULT_ETHEREUM } = configuration;
  Object.assign(DEFAULT_CONFIGURATION, { ethereum: DEFAULT_ETHEREUM });
  return configuration;
});
