/** The global set-up of vitest: `globalSetup: 'ledgerd/vitest'`. */

import type { ProvidedContext } from 'vitest';
import { type SharedNode, type SharedNodeOptions, startSharedNode } from './shared-node.ts';

export type { SharedNode, SharedNodeOptions };

declare module 'vitest' {
  interface ProvidedContext {
    /** The node of the test run. */
    ledgerd: SharedNode;
  }
}

/** The part of vitest's `TestProject` that the set-up uses. */
export interface ProvidingProject {
  provide(key: 'ledgerd', node: ProvidedContext['ledgerd']): void;
}

/** A global set-up: starts a node, and returns a function that stops it. */
export type VitestSetup = (project: ProvidingProject) => Promise<() => Promise<void>>;

/**
 * Returns a global set-up that starts a node with options. Tests get the node by `inject('ledgerd')`.
 *
 * @throws when it runs: an error with a `code` for the problem with an option or the address
 */
export function globalSetup(options: SharedNodeOptions = {}): VitestSetup {
  return async (project) => {
    const [node, stop] = await startSharedNode(options);
    project.provide('ledgerd', node);
    return stop;
  };
}

const setup: VitestSetup = globalSetup();
// biome-ignore lint/style/noDefaultExport: vitest reads it
export default setup;
