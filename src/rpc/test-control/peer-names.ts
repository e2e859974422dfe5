/** The prefixes by which the peers' test nodes, and clients of them, call what controls a chain. */
const PEERS = ['anvil', 'hardhat', 'ganache'] as const;

/**
 * Returns the names of a method that controls a test chain.
 *
 * @param actions the name behind each peer's prefix; several where they have several
 * @param others what else it is called
 */
export function peerNames(actions: string | readonly string[], ...others: readonly string[]) {
  const names = [actions].flat().flatMap((action) => PEERS.map((peer) => `${peer}_${action}`));
  const [name = '', ...aliases] = [...names, ...others];
  return { name, aliases };
}
