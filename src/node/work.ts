/** What long work counts. */
export type WorkUnit = 'blocks' | 'entries' | 'bytes';

/** The other end of long work: it sees how far the work is, and may ask it to stop. */
export interface Work {
  /** Once aborted, the work stops where it can leave everything whole. */
  readonly stop: AbortSignal;
  /**
   * Told often; work of several steps begins again with another unit.
   * @param total how much there will be in the end; undefined where nobody knows
   */
  onProgress(unit: WorkUnit, done: number, total: number | undefined): void;
}
