/** The prefixes by which the peers' test nodes, and clients of them, call what controls a chain. */
const PEERS = ['anvil', 'hardhat', 'ganache'] as const;

/** The names of a method that controls a test chain: by each peer's prefix, and what else it is called. */
export function peerNames(
  action: string,
  ...others: readonly string[]
): { readonly name: string; readonly aliases: readonly string[] } {
  const [name, ...aliases] = PEERS.map((peer) => `${peer}_${action}` as const);
  return { name: name ?? action, aliases: [...aliases, ...others] };
}
