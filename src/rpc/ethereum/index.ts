/** The methods of `/ethereum`, for wallets and tools of Ethereum: its shapes, its words, its units. */

export { ethereumFilterView } from '../answers/ethereum-filter-view.ts';
export { ETHEREUM_METHODS, unknownEthereumMethod, withoutEthereum } from './registry.ts';
export { ethereumSubscriptionView } from './subscription-view.ts';
