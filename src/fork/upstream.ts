/** A call of a remote node. */
export interface UpstreamCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The outcome of one call of a batch: a result, or an error that the remote node reported for it. */
export type UpstreamOutcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: unknown };

/** Counts of the requests to a remote node since the start. */
export interface UpstreamCounts {
  /** HTTP requests; a batch is one, and each retry another one. */
  readonly requests: number;
  readonly calls: number;
  readonly milliseconds: number;
}

/** The remote node of a forked chain. Nothing that it sends is trusted. */
export interface Upstream {
  /** True without a remote node, whose chain could change; absent: false. */
  readonly isOffline?: boolean;
  /** The URL without credentials, query and fragment, for messages. */
  readonly name: string;
  readonly counts: UpstreamCounts;
  /**
   * Calls the remote node, in as few HTTP requests as it supports. Returns the outcomes in the order of the calls.
   * @throws UpstreamError if there is no valid response within the bounds of retries and time
   */
  calls(calls: readonly UpstreamCall[]): Promise<readonly UpstreamOutcome[]>;
  /** Ends requests in flight, which reject. */
  close(): Promise<void>;
}
