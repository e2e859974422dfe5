import { type EthereumAccount, startTestNode, type TestAccount, type TestNodeOptions } from '../test-node.ts';

/** Options of the node of a test run, which always has Ethereum. */
export type SharedNodeOptions = Omit<TestNodeOptions, 'ethereum'>;

/** The node of a test run, for its tests. It is JSON, which vitest can send to a browser, too. */
export interface SharedNode {
  /** URL of JSON-RPC over HTTP, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** URL for Ethereum's wallets and tools, such as `http://127.0.0.1:40123/ethereum`. */
  readonly ethereumUrl: string;
  /** The funded accounts of the native ledger. */
  readonly accounts: readonly Omit<TestAccount, 'balance'>[];
  /** The keys with ether. */
  readonly ethereumAccounts: readonly Omit<EthereumAccount, 'balance'>[];
}

/**
 * Starts the node of a test run.
 *
 * @returns the node, and a function that stops it
 */
export async function startSharedNode(
  options: SharedNodeOptions,
): Promise<readonly [node: SharedNode, stop: () => Promise<void>]> {
  const { url, ethereumUrl, stop, ...node } = await startTestNode({ ...options, ethereum: true });
  const shared = {
    url,
    ethereumUrl,
    accounts: node.accounts.map(({ id, address }) => ({ id, address })),
    ethereumAccounts: node.ethereumAccounts.map(({ address, privateKey }) => ({ address, privateKey })),
  };
  return [shared, stop];
}
