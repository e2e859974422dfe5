/** Every bound of the page, except those of `src/solidity`, which it shares with the node. */

/** Calls that travel in one request. */
export const BATCH_CALLS_MAX = 100;
/** Milliseconds after which the page connects again for the first time, and the longest time between two attempts. */
export const RECONNECT_MS = 250;
export const RECONNECT_MS_MAX = 8_000;
/** Milliseconds between two updates of live views. */
export const LIVE_MS = 200;
/** Milliseconds between two polls of the pool, the peers and the health, which have no subscriptions. */
export const POLL_MS = 2_000;
/** Block headers queued for the next update; of more only the newest are shown. */
export const WAITING_HEADS_MAX = 64;
/** Newest blocks, and operations, that the page keeps and shows live. */
export const LIVE_BLOCKS_MAX = 60;
export const LIVE_OPERATIONS_MAX = 20;
/** Suggestions for a search, and milliseconds without a key before the node is asked. */
export const SUGGESTIONS_MAX = 8;
export const SUGGEST_MS = 250;
/** Rows of a page of a table. */
export const PAGE_ROWS = 25;
/** Blocks that are searched for the transactions of a page. */
export const SEARCHED_BLOCKS_MAX = 1_000;
/** Calls of one operation that the page keeps, and of them the boxes of its flame graph. */
export const FRAMES_MAX = 10_000;
export const FLAME_BOXES_MAX = 1_000;
/** Levels of the flame graph; deeper calls are in the list of calls. */
export const FLAME_DEPTH_MAX = 24;
/** Calls, or lines of the console, on a page. */
export const PAGE_LINES = 100;
/** Addresses of which the page remembers an identifier, or that their interface was requested. */
export const IDENTIFIERS_MAX = 10_000;
/** Tokens whose symbol and decimals the page remembers. */
export const TOKENS_MAX = 1_000;
/** Contracts of one view whose interfaces are requested. */
export const INTERFACES_MAX = 100;

/** Entries of one interface that are read. */
export const ABI_ENTRIES_MAX = 2_048;
/** Bytes that an encoding made here may have. */
export const ABI_ENCODED_BYTES_MAX = 1_048_576;
/** Characters of a text, and digits of bytes, that are shown of one value. */
export const SHOWN_VALUE_CHARACTERS_MAX = 4_096;
/** Characters of a foreign name that are shown, and of a text that an error repeats. */
export const SHOWN_NAME_CHARACTERS_MAX = 80;
/** Functions of one list that are shown at a time; the others are found by their names. */
export const SHOWN_FUNCTIONS_MAX = 60;
/** Snapshots that are listed. */
export const SHOWN_SNAPSHOTS_MAX = 100;
/** Milliseconds between two polls of a receipt, and the number of polls. */
export const RECEIPT_POLL_MS = 300;
export const RECEIPT_POLLS_MAX = 200;
/** Workers that search for a proof of work. */
export const SEARCH_WORKERS_MAX = 8;
/** Milliseconds of work on a task, which is valid for two minutes, before a new one is requested. */
export const SEARCH_MS_MAX = 100_000;
/** Accounts, and slots of each, in a request for their origins. */
export const ORIGIN_ACCOUNTS_MAX = 50;
export const ORIGIN_SLOTS_MAX = 100;
/** Slots of a contract's storage on a page. */
export const STORAGE_SLOTS_MAX = 100;
