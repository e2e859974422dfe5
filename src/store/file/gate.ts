import { open, type RootDatabase } from 'lmdb';
import { STORE_GATE_BYTES_MAX } from '../../limits.ts';
import { gateFile } from './database-file.ts';

/**
 * A lock by which one process at a time opens the database file or commits to it.
 *
 * Opening the file sets the newest commit for all processes. A commit of another process meanwhile would be lost, and
 * its next one would write over pages in use. LMDB has no lock against this, but a writing transaction is one, which
 * ends with its process: that of a second file, to which nobody ever writes.
 */
export class Gate {
  readonly #root: RootDatabase;

  /** @param folder of the store, writable */
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
