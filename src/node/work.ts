/** The unit of progress of long work. */
export type WorkUnit = 'blocks' | 'entries' | 'bytes';

/** The controller of long work: it gets its progress, and may stop it. */
export interface Work {
  /** Once aborted, the work stops where it leaves everything consistent. */
  readonly stop: AbortSignal;
  /** Called often; work of several steps restarts with another unit. @param total undefined: unknown */
  onProgress(unit: WorkUnit, done: number, total: number | undefined): void;
}
