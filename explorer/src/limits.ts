/** Every bound of the page; those of the node are its own. */

/** Calls that travel in one request. */
export const BATCH_CALLS_MAX = 100;
/** Milliseconds after which the page connects again for the first time, and the longest time between two attempts. */
export const RECONNECT_MS = 250;
export const RECONNECT_MS_MAX = 8_000;
/** Milliseconds between two updates of what the page shows live. */
export const LIVE_MS = 200;
/** Milliseconds between two looks at what nobody tells of: the pool, the peers, the health. */
export const POLL_MS = 2_000;
/** Blocks whose headers wait for the next update; of more than that only the newest are shown. */
export const WAITING_HEADS_MAX = 64;
/** Newest blocks, and operations, that the page keeps and shows live. */
export const LIVE_BLOCKS_MAX = 60;
export const LIVE_OPERATIONS_MAX = 20;
/** Rows of a page of a table. */
export const PAGE_ROWS = 25;
/** Calls of one operation that the page keeps, and of them the boxes of its flame graph. */
export const FRAMES_MAX = 10_000;
export const FLAME_BOXES_MAX = 1_000;
/** Calls inside of one that are listed before somebody asks for the rest. */
export const LISTED_CALLS_MAX = 100;
/** Contracts whose interfaces one view asks for. */
export const INTERFACES_MAX = 100;
