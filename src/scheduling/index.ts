/** Fair shares of one thread and its memory between clients. Does not depend on JSON-RPC or HTTP. */

export { CooperativeScheduler, CpuBackoff, type Task, type Work } from './cooperative-scheduler.ts';
export {
  CallCosts,
  FairQueue,
  isWithinFairShare,
  kindOf,
  type TaskOrigin,
  type Ticket,
} from './fair-queue.ts';
export { LoopBudget, type LoopTask } from './loop-budget.ts';
export {
  type ClientConnection,
  ConnectionBudget,
  HELD_KINDS,
  HELD_SMALL_SHARE,
  type HeldBytes,
  HeldLimitError,
  LimitError,
  MemoryBudget,
  QUICK_BODY_BYTES_MAX,
} from './memory-budget.ts';
