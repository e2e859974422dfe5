/** Fair shares of one thread and its memory between clients. Does not depend on JSON-RPC or HTTP. */

export { CooperativeScheduler, CpuBackoff, MORE, type Step, type Task } from './cooperative-scheduler.ts';
export {
  CallCosts,
  FairQueue,
  isWithinFairShare,
  kindOf,
  type TaskOrigin,
  type Ticket,
} from './fair-queue.ts';
export { LoopBudget, type LoopTask } from './loop-budget.ts';
export type { ClientConnection } from './memory-budget.ts';
export {
  ConnectionBudget,
  HELD_KINDS,
  type HeldBytes,
  HeldLimitError,
  LimitError,
  MemoryBudget,
} from './memory-budget.ts';
