/** The global set-up of jest: `globalSetup: 'ledgerd/jest'`. */

import { type SharedNodeOptions, startSharedNode } from './shared-node.ts';

export type { SharedNodeOptions };

/** A global set-up: starts a node that runs until the test run ends. */
export type JestSetup = () => Promise<void>;

/**
 * Returns a global set-up that starts a node with options. Tests get its addresses by the environment variables
 * `TEST_NODE_URL` and `TEST_NODE_ETHEREUM_URL`. jest needs no `globalTeardown` for it: the node ends with its process,
 * and in watch mode with the next run.
 *
 * @throws when it runs: an error with a `code` for the problem with an option or the address
 */
export function globalSetup(options: SharedNodeOptions = {}): JestSetup {
  let stopFormer = async (): Promise<void> => undefined;
  return async () => {
    await stopFormer();
    const [node, stop] = await startSharedNode(options);
    stopFormer = stop;
    // Workers of jest inherit the environment; they share no values with this process.
    process.env.TEST_NODE_URL = node.url;
    process.env.TEST_NODE_ETHEREUM_URL = node.ethereumUrl;
  };
}

const setup: JestSetup = globalSetup();
// biome-ignore lint/style/noDefaultExport: jest reads it
export default setup;
