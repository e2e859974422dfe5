/** Name of a profile: the native interface at `/`, or that of Ethereum tools at `/ethereum`. */
export type ProfileId = 'ledger' | 'ethereum';
