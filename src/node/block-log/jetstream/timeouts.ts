/** The times for which the servers of a block log are awaited. */

/** Milliseconds for all attempts to open the block log. */
export const STREAM_OPEN_TIMEOUT_MS = 20_000;
/** Milliseconds to wait for one response of the block log, and between two attempts. */
export const STREAM_REQUEST_TIMEOUT_MS = 1_500;
export const STREAM_RETRY_MS = 100;
/** Milliseconds without a confirmation after which the outcome of an append is uncertain. */
export const STREAM_APPEND_TIMEOUT_MS = 5_000;
/** Milliseconds for which the block log must lack earlier messages before this counts as a loss. */
export const STREAM_LOSS_MS = 30_000;
