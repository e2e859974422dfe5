/** A state of the chain that it can be taken back to. */
export interface ChainSnapshot {
  /** Greater than those of all earlier ones, also of those that are gone; 1 or more. */
  readonly id: number;
  /** The head at that time, and how many patches there were after it. */
  readonly block: number;
  readonly patches: number;
  /** What else belongs to it, opaque to the store. */
  readonly bytes: Uint8Array;
}

/** What a chain that was taken back had beside its store, for who could not take it up. */
export interface Restored {
  /** The store's epoch from then on. */
  readonly epoch: number;
  /** Opaque to the store. */
  readonly bytes: Uint8Array;
}
