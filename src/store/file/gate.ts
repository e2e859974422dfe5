import { open, type RootDatabase } from 'lmdb';
import { STORE_GATE_BYTES_MAX } from '../../limits.ts';
import { gateFile } from './database-file.ts';

/**
 * Lets one process at a time open the database file or commit to it.
 *
 * Whoever opens the file tells all others which commit is the newest: the one that it found there. When another
 * process commits in between, its commit is forgotten, and its next one writes over pages in use. LMDB has no
 * lock against this, but a writing transaction is a lock, which ends with its process: that of a second file,
 * to which nobody ever writes.
 */
export class Gate {
  readonly #root: RootDatabase;

  /**
   * @param folder of the store; it must be possible to write to it
   * @throws what LMDB throws
   */
  constructor(folder: string) {
    const file = { path: gateFile(folder), noSubdir: true, mapSize: STORE_GATE_BYTES_MAX };
    this.#root = open({ ...file, overlappingSync: false });
  }

  /** Runs an action while no other process runs one. */
  pass<T>(action: () => T): T {
    return this.#root.transactionSync(action);
  }

  close(): Promise<void> {
    return this.#root.close();
  }
}
