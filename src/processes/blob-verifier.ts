import { Worker } from 'node:worker_threads';
import type { BlobSidecar } from '../protocol/index.ts';
import type { BlobVerifier } from '../rpc/index.ts';
import { LimitError } from '../scheduling/index.ts';
import type { VerificationOrder, VerificationResult } from './blob-worker.ts';
import { workerFile } from './worker-file.ts';

/** Blob transactions that are verified or queued for it: in all, and of one client. */
export const BLOB_VERIFICATIONS_MAX = 64;
export const BLOB_VERIFICATIONS_OF_CLIENT_MAX = 16;
/** Milliseconds without a result after which the thread of verifications is stopped, and idle ones (10 minutes). */
const BLOB_VERIFICATION_MS_MAX = 60_000;
const BLOB_VERIFIER_IDLE_MS = 10 * 60_000;

/** A sidecar that is verified, or queued for it. */
interface Verification {
  readonly client: string;
  readonly resolve: (isValid: boolean) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Verifies the proofs of blobs in a thread, one sidecar after another. The thread is started by the first of them, and
 * stopped when it has had none for a while, to free its memory.
 */
export class ThreadedBlobVerifier implements BlobVerifier {
  readonly #running = new Map<number, Verification>();
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextId = 0;
  #isClosed = false;

  verify(sidecar: BlobSidecar, client: string): Promise<boolean> {
    const ofClient = [...this.#running.values()].filter((one) => one.client === client).length;
    if (this.#running.size >= BLOB_VERIFICATIONS_MAX || ofClient >= BLOB_VERIFICATIONS_OF_CLIENT_MAX) {
      const bounds = `${BLOB_VERIFICATIONS_MAX}, ${BLOB_VERIFICATIONS_OF_CLIENT_MAX} of one client`;
      return Promise.reject(
        new LimitError(`too many blob transactions are being verified: at most ${bounds}`),
      );
    }
    if (this.#isClosed) return Promise.reject(new LimitError('the node stops'));
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#running.set(id, { client, resolve, reject });
      const [copy, buffer] = transferable(sidecar);
      this.#start().postMessage({ id, sidecar: copy } satisfies VerificationOrder, [buffer]);
      this.#watch();
    });
  }

  /** Stops the thread; running verifications fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end(new LimitError('the node stops'));
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(workerFile('blob-worker.js'));
    worker.unref();
    worker.on('message', (result: VerificationResult) => this.#settle(result));
    worker.on('error', (error) => {
      if (worker === this.#worker) void this.#end(error);
    });
    this.#worker = worker;
    return worker;
  }

  #settle({ id, isValid }: VerificationResult): void {
    const verification = this.#running.get(id);
    this.#running.delete(id);
    this.#watch();
    verification?.resolve(isValid);
  }

  /** Restarts the timer: the thread is stopped when it is idle, and when a verification takes too long. */
  #watch(): void {
    clearTimeout(this.#timer);
    const isIdle = this.#running.size === 0;
    const milliseconds = isIdle ? BLOB_VERIFIER_IDLE_MS : BLOB_VERIFICATION_MS_MAX;
    const reason = new Error(`the verification of blobs took more than ${BLOB_VERIFICATION_MS_MAX} ms`);
    this.#timer = setTimeout(() => void this.#end(reason), milliseconds).unref();
  }

  async #end(reason: Error): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { reject } of this.#running.values()) reject(reason);
    this.#running.clear();
    await worker?.terminate();
  }
}

/** Copies the parts of a sidecar to one buffer, which is transferred to the thread. */
function transferable({ version, blobs, commitments, proofs }: BlobSidecar): [BlobSidecar, ArrayBuffer] {
  const parts = [blobs, commitments, proofs];
  const length = parts.flat().reduce((sum, part) => sum + part.length, 0);
  const buffer = new ArrayBuffer(length);
  let offset = 0;
  const copied = parts.map((list) =>
    list.map((part) => {
      const copy = new Uint8Array(buffer, offset, part.length);
      copy.set(part);
      offset += part.length;
      return copy;
    }),
  );
  const [copiedBlobs = [], copiedCommitments = [], copiedProofs = []] = copied;
  return [{ version, blobs: copiedBlobs, commitments: copiedCommitments, proofs: copiedProofs }, buffer];
}
