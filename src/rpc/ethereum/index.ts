/** The methods of `/ethereum`, for wallets and tools of Ethereum: its shapes, its words, its units. */

export { ETHEREUM_METHODS, unknownEthereumMethod, withoutEthereum } from './registry.ts';
