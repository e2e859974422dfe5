/** Calls that leave nothing behind: execution, estimates, overrides, access lists. */

export { type AccessOutcome, accessListOf, nothingAccessed } from './access-list.ts';
export {
  type CallMessage,
  type CallOutcome,
  deadlineOf,
  estimate,
  estimateTransaction,
  requireFunded,
  runCall,
} from './execution.ts';
export { describeHalt } from './halt.ts';
export {
  type AccountOverride,
  type BlockOverride,
  type Overrides,
  OverridingHost,
  SeparateState,
  type StorageOverride,
} from './overrides.ts';
export { type SimulatedCall, Simulation } from './simulation.ts';
