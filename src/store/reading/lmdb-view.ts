import type { StoreView } from '../store.ts';
import { LmdbReader } from './lmdb-reader.ts';

/** The view of a store that another process writes to. */
export class LmdbView extends LmdbReader implements StoreView {
  refresh(): void {
    this.database.refresh();
  }
}
