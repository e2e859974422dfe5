/** The name of a profile: the ledger's own interface at `/`, or that of Ethereum's tools at `/ethereum`. */
export type ProfileId = 'ledger' | 'ethereum';
