/** The state that operations change: balances, contracts, accounts and names, and its root. */

export { paddedWord, StoreHost, trimmedWord } from './engine-host.ts';
export { HeadState } from './head-state.ts';
export { NativeState } from './native-state.ts';
export { PastReads, PastState } from './past-state.ts';
export { commitChanges, ROOT_DIGITS, rootOfEntries, stateRootOf } from './state-root.ts';
export type { StateRules } from './state-rules.ts';
export { TELLING, WorkingState } from './working-state.ts';
