/** Processes that run queries and traces for a node. */

export { ProcessPool } from './process-pool.ts';
