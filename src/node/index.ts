/** A node put together from its configuration: started, described and stopped. */

export {
  DEFAULT_CONFIGURATION,
  isLoopbackHost,
  type NodeLimits,
  requireSafeHost,
  type TestNodeConfiguration,
  UnsafeHostError,
} from './configuration.ts';
export type { NodeAccount, NodeDescription } from './description.ts';
export { DataFolderError } from './errors.ts';
export { startTestNode, type TestNode, type TestNodeEvents } from './test-node.ts';
export { VERSION } from './version.ts';
