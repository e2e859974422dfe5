/** What the nodes for development that suites of tests were written for call their own methods. */
const PEERS = ['anvil', 'hardhat', 'ganache'] as const;

/** What each of them calls a method for tests; clients choose the name by the node that they take this one for. */
export function peerNames(name: string): string[] {
  return PEERS.map((peer) => `${peer}_${name}`);
}
