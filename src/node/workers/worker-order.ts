/** What a worker is started with, as JSON. */
export interface WorkerOrder {
  /** Folder of the store that it reads. */
  readonly storePath: string;
  /** Bounds of the interface that queries keep. */
  readonly callGasMax: string;
  readonly callTimeMsMax: number;
  readonly logsMax: number;
}

/** The file descriptor of the stream between a worker and its node, in the worker. */
export const WORKER_STREAM = 3;
