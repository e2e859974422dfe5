/** ledgerd in a program of yours: a node in test mode, for a suite of tests. */

export { Provider, type RequestArguments } from './provider.ts';
export {
  type ProviderConnectInfo,
  type ProviderEvents,
  type ProviderMessage,
  ProviderRpcError,
} from './provider-events.ts';
export {
  type EthereumAccount,
  type EthereumTestNode,
  startTestNode,
  type TestAccount,
  type TestFork,
  type TestNode,
  type TestNodeOptions,
} from './test-node.ts';
