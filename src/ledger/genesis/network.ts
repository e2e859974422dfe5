/** The network that a chain is part of: docs/interface.md#client-and-network (`net_version`, `eth_chainId`). */
export interface Network {
  readonly name: string;
  /** The chain id of EIP-155: the result of `eth_chainId`, and of the opcode CHAINID. */
  readonly chainId: number;
  /** The result of `net_version`. */
  readonly networkId: number;
}

export const NETWORK_NAMES = ['main', 'test', 'dev', 'default', 'local'] as const;
/** A network that the program knows by name. */
export type NetworkName = (typeof NETWORK_NAMES)[number];

const NETWORKS: Readonly<Record<NetworkName, Network>> = {
  main: { name: 'main', chainId: 222, networkId: 1 },
  test: { name: 'test', chainId: 223, networkId: 2 },
  dev: { name: 'dev', chainId: 224, networkId: 3 },
  default: { name: 'default', chainId: 255, networkId: 255 },
  // The chain id by which Ethereum's tools know chains of one's own machine.
  local: { name: 'local', chainId: 31_337, networkId: 31_337 },
};

/** The network of that name: docs/interface.md#client-and-network. */
export function networkOf(name: NetworkName): Network {
  return NETWORKS[name];
}
