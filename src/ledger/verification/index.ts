/** Comparing a store with what its blocks say: the state's root, a replay, another chain. */

export { type ChainDifference, compareChains } from './compare-chains.ts';
export { replayChain } from './replay-chain.ts';
export { type StateReport, verifyState } from './verify-state.ts';
