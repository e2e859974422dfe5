/** In whose shapes the interface answers: the ledger's own, at `/`, or those of Ethereum's tools, at `/ethereum`. */
export type Profile = 'ledger' | 'ethereum';
