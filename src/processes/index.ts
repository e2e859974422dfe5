/** Processes that run queries and traces for a node. */

export { ThreadedBlobVerifier } from './blob-verifier.ts';
export { ProcessPool } from './process-pool.ts';
export { WorkerSignatureThreads } from './signature-threads.ts';
