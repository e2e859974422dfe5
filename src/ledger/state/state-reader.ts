import type { ChainReader } from '../../store/index.ts';

/** Look-ups of the entries of a state. */
export type StateReader = Pick<ChainReader, 'state' | 'stateEntries' | 'mayHaveState'>;
