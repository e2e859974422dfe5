/** Calls that leave nothing behind: execution, estimates, overrides, access lists. */

export { type AccessOutcome, accessListOf, nothingAccessed } from './access-list.ts';
export {
  type CallAllowance,
  type CallMessage,
  type CallOutcome,
  deadlineOf,
  estimate,
  estimateTransaction,
  requireFunded,
  runCall,
  type TriedCall,
  visibleBlock,
} from './execution.ts';
export { failedCall } from './failed-call.ts';
export { describeHalt } from './halt.ts';
export {
  type AccountOverride,
  type BlockOverride,
  type Overrides,
  OverridingHost,
  SeparateState,
  type StorageOverride,
} from './overrides.ts';
export { type SimulatedCall, Simulation, type SimulationOptions, type StateRunner } from './simulation.ts';
