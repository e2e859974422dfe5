/** Names of the profiles: the native interface at `/ledger`, and that of Ethereum's tools at `/ethereum`. */
export const PROFILE_IDS = ['ledger', 'ethereum'] as const;

/** Name of a profile. */
export type ProfileId = (typeof PROFILE_IDS)[number];

/** True for the profile of Ethereum's wallets and tools, which needs a chain with Ethereum. */
export const SERVES_ETHEREUM: Readonly<Record<ProfileId, boolean>> = { ledger: false, ethereum: true };
