/** Fair shares of one thread and of its memory between clients. Does not depend on JSON-RPC or HTTP. */

export { CallCosts, kindOf } from './call-costs.ts';
export type { ClientConnection } from './client-connection.ts';
export { CooperativeScheduler, MORE, type Step, type Task } from './cooperative-scheduler.ts';
export { CpuBackoff } from './cpu-backoff.ts';
export { FairQueue, mayHaveMore, type TaskOrigin, type Ticket } from './fair-queue.ts';
export { LimitError } from './limit-error.ts';
export { LoopShare, type LoopTask } from './loop-share.ts';
export {
  ConnectionBudget,
  HELD_KINDS,
  type HeldBytes,
  HeldLimitError,
  MemoryBudget,
} from './memory-budget.ts';
