import { open, type RootDatabase } from 'lmdb';
import { gateFile, prepareGate, STORE_GATE_BYTES_MAX } from './database-file.ts';

/**
 * A mutex between processes: one at a time opens the database file or commits to it.
 *
 * Opening the file sets the newest commit for all processes. A concurrent commit of another process would be lost, and
 * its next one would overwrite pages in use. LMDB has no lock against this, but its write transactions exclude each
 * other and end with their process. The gate is the write transaction of a second, empty file.
 */
export class Gate {
  readonly #root: RootDatabase;

  /**
   * @param folder of the store, writable
   * @throws StoreError STORE_READ_ONLY or STORE_UNREADABLE, and errors of LMDB
   */
  constructor(folder: string, durable = true) {
    prepareGate(folder, durable);
    const file = { path: gateFile(folder), noSubdir: true, mapSize: STORE_GATE_BYTES_MAX };
    this.#root = open({ ...file, overlappingSync: false });
  }

  /** Runs an action while no other process runs one. */
  runExclusive<T>(action: () => T): T {
    return this.#root.transactionSync(action);
  }

  close(): Promise<void> {
    return this.#root.close();
  }
}
