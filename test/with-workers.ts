/**
 * With LEDGERD_WORKERS in the environment every node of the tests has so many workers: the programs read it
 * themselves, and this sets it for the nodes that tests start within their own process.
 */

import { DEFAULT_CONFIGURATION, DEFAULT_NODE_CONFIGURATION } from '../src/node/index.ts';

const workers = Number(process.env.LEDGERD_WORKERS ?? 0);
for (const configuration of [DEFAULT_CONFIGURATION, DEFAULT_NODE_CONFIGURATION]) {
  Object.assign(configuration, { workers });
}
