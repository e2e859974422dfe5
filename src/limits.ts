import { getHeapStatistics } from 'node:v8';
import { TRANSACTION_BYTES_MAX } from './consensus.ts';

/**
 * The bounds of the node. A bound that an operator may change has a flag of the command line; its error names the
 * bound, its value and the flag.
 */

/** Bytes of V8's heap limit: `--max-old-space-size`, or a share of the machine's memory. */
const HEAP_BYTES_MAX = getHeapStatistics().heap_size_limit;

/** Bytes of an HTTP body (5 MiB). */
export const BODY_BYTES_MAX = 5 * 1024 * 1024;
/** Requests in one JSON-RPC batch. */
export const BATCH_REQUESTS_MAX = 1_000;
/** Characters of the response to one JSON-RPC batch; the requests beyond it get an error and do not run. */
export const BATCH_RESPONSE_CHARACTERS_MAX = 25 * 1024 * 1024;
/** Milliseconds that tasks run before the scheduler pauses for quick requests. */
export const TIME_SLICE_MS_MAX = 2;
/** Milliseconds up to which sends run as long as their commit takes. */
export const SENDS_ROUND_MS_MAX = 5;
/** Milliseconds of computing for one batch; the requests beyond it get an error and do not run. */
export const BATCH_TIME_MS_MAX = 30_000;
/** Characters of a caller's text that an error message repeats. */
export const QUOTED_CHARACTERS_MAX = 64;
/** Characters of the cached immutable responses of a node, such as blocks (64 MiB): those of all its chains. */
export const RESPONSE_CACHE_CHARACTERS_MAX = 64 * 1024 * 1024;
/** Transactions of the pool that one response of `/ethereum` lists. */
export const POOL_LISTED_MAX = 5_000;
/** Blocks of one simulation, and calls and withdrawals of one of its blocks. */
export const SIMULATED_BLOCKS_MAX = 256;
export const SIMULATED_CALLS_MAX = 5_000;
export const SIMULATED_WITHDRAWALS_MAX = 256;
/** Blocks whose bloom filters are cached for `/ethereum`. */
export const BLOCK_BLOOMS_MAX = 1_024;
/** Attempts to build a response about blocks that are reverted meanwhile. */
export const REVERTED_READS_MAX = 3;
/** Runs of a call on a forked chain, between which missing entries are fetched. */
export const FORK_RUNS_MAX = 1_000;
/** Operations of the blocks whose sums of receipts are cached for `/ethereum`. */
export const BLOCK_SUMS_MAX = 100_000;
/** Nesting depth of arrays and objects in a request. */
export const JSON_DEPTH_MAX = 64;
/** JSON values in one body, which bounds the time to parse it: 5 MiB may hold 1,700,000 objects. */
export const JSON_VALUES_MAX = 200_000;
/** Characters of a QUANTITY of 32 bytes, with `0x` and leading zeros. */
export const QUANTITY_CHARACTERS_MAX = 66;
/** Decimal digits of a number of 32 bytes. */
export const DIGITS_MAX = 78;
/** Gas of an `eth_call` or `eth_estimateGas`. */
export const CALL_GAS_MAX = 50_000_000n;
/** Event logs in one response, and hashes in the response of a block filter or pending-transaction filter. */
export const LOGS_MAX = 10_000;
/** Greatest value of `--max-logs`: a longer response could exceed the length of a string. */
export const LOGS_FLAG_MAX = 100_000;
/** Total bytes of data of the event logs in one response (64 MiB). */
export const LOG_DATA_BYTES_MAX = 64 * 1024 * 1024;
/** Total accounts and slots in the state overrides of one call. */
export const OVERRIDE_ENTRIES_MAX = 10_000;
/** Total bytes of code in the state overrides of one call (1 MiB). */
export const OVERRIDE_CODE_BYTES_MAX = 1024 * 1024;
/** Blocks, and percentiles, of one `eth_feeHistory`. */
export const FEE_HISTORY_BLOCKS_MAX = 1_024;
export const FEE_HISTORY_PERCENTILES_MAX = 100;
/** Characters of one response that lists contents of blocks (64 MiB): no single receipt is as long. */
export const RESPONSE_CHARACTERS_MAX = 64 * 1024 * 1024;
/** Characters of such a response that is cached because it is immutable (8 MiB). */
export const CACHED_RESPONSE_CHARACTERS_MAX = RESPONSE_CACHE_CHARACTERS_MAX / 8;
/** Event logs of a receipt that is written in one step, and transactions of a block summed up in one step. */
export const LOGS_AT_ONCE_MAX = 100;
export const TRANSACTIONS_AT_ONCE_MAX = 20;
/** Operations of an address that one response lists: at most, and by default. */
export const LISTED_OPERATIONS_MAX = 100;
export const LISTED_OPERATIONS_DEFAULT = 25;
/** Operations of an address that one response lists if it does not distinguish those of a block. */
export const FOUND_OPERATIONS_MAX = 10_000;
/** Accounts, and slots of each, whose origins one call of `ledger_getOrigins` returns. */
export const ORIGIN_ACCOUNTS_MAX = 50;
export const ORIGIN_SLOTS_MAX = 100;
/** Operations of a contract that are searched for its creation: others may precede it. */
export const CREATION_SEARCH_MAX = 1_000;
/** Slots of one `eth_getProof`, as in geth, and of one that runs at once. */
export const PROOF_SLOTS_MAX = 1_024;
export const QUICK_PROOF_SLOTS = 8;
/** Slots, and addresses, of one `eth_getStorageValues`. */
export const STORAGE_VALUES_MAX = 1_024;
/** Filters at one time. */
export const FILTERS_MAX = 10_000;
/** Greatest number of a node in its cluster, which is the prefix of its filter ids. */
export const NODE_NUMBER_MAX = 4_095;
/** Total addresses and topics of all filters. */
export const FILTER_CRITERIA_MAX = 250_000;
/** Seconds without a poll after which a filter is removed. */
export const FILTER_TIMEOUT_SECONDS = 300;
/** Greatest value of `--filter-timeout`: a day. */
export const FILTER_TIMEOUT_SECONDS_MAX = 24 * 60 * 60;
/** Subscriptions at one time: of all connections, and of one. */
export const SUBSCRIPTIONS_MAX = 20_000;
export const CONNECTION_SUBSCRIPTIONS_MAX = 128;
/** Hashes in the filter of a subscription to receipts. */
export const SUBSCRIBED_HASHES_MAX = 200;
/** Accepted transactions that are stored for the slowest subscriber. */
export const SUBSCRIBED_ACCEPTED_MAX = 10_000;
/** Changes of the sync state that are stored for the slowest subscriber. */
export const SYNC_CHANGES_MAX = 1_000;
/** Event logs of one reorg that a subscriber is notified of. */
export const REMOVED_LOGS_MAX = 10_000;
/** Bytes of removed logs that are stored until all filters and subscribers have read them. */
export const REVOKED_BYTES_MAX = 16 * 1024 * 1024;
/** Characters of block notifications that are stored for slow subscribers (8 MiB). */
export const NOTIFICATIONS_CHARACTERS_MAX = 8 * 1024 * 1024;
/** WebSocket connections at one time. */
export const WEBSOCKETS_MAX = 1_024;
/** Greatest value of `--max-websockets`. */
export const WEBSOCKETS_FLAG_MAX = 100_000;
/** Requests of one WebSocket whose responses are unread; at this bound the node stops reading from it. */
export const WEBSOCKET_REQUESTS_MAX = 100;
/** Fragments of one WebSocket message, and the memory overhead of one in bytes. */
export const MESSAGE_FRAGMENTS_MAX = 4_096;
export const FRAGMENT_BYTES = 128;
/** Total cost of the frames parsed in one step: 1 for a continuation or empty frame, 16 for a message or ping. */
export const FRAMES_COST_MAX = 256;
export const MESSAGE_COST = 16;
/** Unread bytes of a WebSocket client beyond which it gets no more notifications (8 MiB). */
export const WEBSOCKET_UNREAD_BYTES_MAX = 8 * 1024 * 1024;
/** Milliseconds without progress after which a WebSocket with unread bytes is closed. */
export const WEBSOCKET_STALLED_MS = 10_000;
/** Bytes of the reason in a close frame (RFC 6455, 5.5). */
export const CLOSE_REASON_BYTES_MAX = 123;

/** Concurrent connections of the HTTP server. */
export const CONNECTIONS_MAX = 1_024;
/** Connections of one client in a second that may end without a whole request, and seconds of a burst. */
export const UNUSED_CONNECTIONS_PER_SECOND = 50;
export const UNUSED_CONNECTIONS_BURST_SECONDS = 20;
/** Greatest value of `--unused-connections`. */
export const UNUSED_CONNECTIONS_FLAG_MAX = 1_000_000;
/** Milliseconds within which a client must have sent its headers. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** Milliseconds within which a client must have sent its whole request. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** Milliseconds without progress after which a connection is closed, such as of a client that does not read. */
export const STALLED_TIMEOUT_MS = 120_000;
/** Milliseconds between two probes of a client that closed its sending side and awaits a response. */
export const HALF_CLOSED_PROBE_MS = 500;
/** Milliseconds and bytes that a client may still send after a refusal, so that it can read the response. */
export const LINGERING_MS = 30_000;
export const LINGERING_BYTES_MAX = 64 * 1024 * 1024;
/** Seconds that a browser may cache the response to a preflight request. */
export const PREFLIGHT_SECONDS_MAX = 600;
/** Requests that wait at one time for a future block, and the milliseconds that each may wait. */
export const BLOCK_WAITS_MAX = 512;
export const BLOCK_WAIT_MS_MAX = 5_000;
/** Milliseconds that an idle keep-alive connection stays open. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Default seconds from the reference block to the expiration of a native transaction. */
export const NATIVE_EXPIRATION_SECONDS = 600;
/** Bytes of a transaction with its results: the result of an operation is never longer than the operation. */
export const PROCESSED_TRANSACTION_BYTES_MAX = 2 * TRANSACTION_BYTES_MAX;
/** Pending transactions. */
export const PENDING_TRANSACTIONS_MAX = 10_000;

/** Blocks that one call may mine. */
export const MINED_BLOCKS_MAX = 1_000_000;
/** The same for a call that returns the blocks. */
export const MINED_BLOCKS_RETURNED_MAX = 100;
/** Empty blocks that are stored in one commit. */
export const STORED_BATCH_BLOCKS_MAX = 1_000;
/** Greatest number that is read as a time in seconds: greater ones are milliseconds. */
export const SECONDS_WRITTEN_MAX = 1_000_000_000_000;
/** Bytes of the file with the settings for the next blocks of a test chain. */
export const CONTROL_FILE_BYTES_MAX = 4_096;
/** Blocks that one call reverts and replaces. */
export const REORGANIZED_BLOCKS_MAX = 1_000;
/** Further chains of a node in test mode: the default of `--chains`, and its greatest value. */
export const FURTHER_CHAINS_DEFAULT = 64;
export const FURTHER_CHAINS_FLAG_MAX = 256;
/** Bytes of a state dump, compressed or not (64 MiB). */
export const DUMP_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of the blocks and patches of a dump, or of a state dump, decompressed (256 MiB), and of a genesis (4 MiB). */
export const DUMP_INFLATED_BYTES_MAX = 256 * 1024 * 1024;
export const DUMP_GENESIS_BYTES_MAX = 4 * 1024 * 1024;
/** Accounts and slots of a state dump. */
export const DUMP_ENTRIES_MAX = 500_000;
/** Bytes of memory, at most, for each byte of a decoded block, patch or genesis. */
export const DECODED_BYTES_FACTOR = 12;
/** Bytes of a chunk of a decompressed archive (64 KiB). */
export const INFLATED_CHUNK_BYTES = 64 * 1024;
/** Balances that one call sets. */
export const BALANCES_SET_MAX = 1_000;
/** Storage slots of a token that are tried as the slot of a balance. */
export const TOKEN_SLOTS_MAX = 128;
/** Bytes of code that one call sets (1 MiB). */
export const CODE_SET_BYTES_MAX = 1024 * 1024;
/** Accounts that test mode creates at genesis. */
export const TEST_ACCOUNTS_MAX = 1_000;
/** Native units of each Ethereum key in test mode: 10,000 ether. */
export const TEST_KEY_BALANCE = 10n ** 12n;

/** Seconds in `personal_unlockAccount`: over 136 years, so that the clock cannot overflow. */
export const UNLOCK_SECONDS_MAX = 2 ** 32 - 1;
/** Characters of the passphrase of a test account. */
export const PASSPHRASE_CHARACTERS_MAX = 1_024;
/** Characters of typed data that the test wallet signs, and types in it. */
export const TYPED_DATA_CHARACTERS_MAX = 256 * 1024;
export const TYPED_DATA_TYPES_MAX = 256;
/** Milliseconds that a send waits for its block (EIP-7966): by default, and at most. */
export const SEND_WAIT_MS_DEFAULT = 20_000;
export const SEND_WAIT_MS_MAX = 60_000;
/** Accounts of the test wallet, with those of the genesis. */
export const WALLET_ACCOUNTS_MAX = 10_000;
/** Addresses that are impersonated in test mode at one time. */
export const IMPERSONATED_ADDRESSES_MAX = 10_000;
/** Seconds from the head block to the expiration of a transaction of the test wallet. */
export const WALLET_EXPIRATION_SECONDS = 60;
/** Least and greatest value of `--block-time`, in seconds: a millisecond, and a day. */
export const BLOCK_TIME_SECONDS_MIN = 0.001;
export const BLOCK_TIME_SECONDS_MAX = 24 * 60 * 60;
/** Test accounts that the start banner lists. */
export const BANNER_ACCOUNTS_MAX = 20;
/** Characters of the seed of the test accounts. */
export const SEED_CHARACTERS_MAX = 1_024;
/** Greatest port number. */
export const PORT_MAX = 65_535;
/** Cached native records of one kind. */
export const NATIVE_CACHE_ENTRIES_MAX = 10_000;
/** Cached block summaries. */
export const BLOCK_CACHE_ENTRIES_MAX = 1_024;
/** Operations and bytes of the newest block up to which its contents are cached. */
export const HEAD_OPERATIONS_CACHED_MAX = 64;
export const HEAD_BYTES_CACHED_MAX = 65_536;
/** Least and greatest value of `--max-body`, in bytes: a longer text could exceed the length of a string. */
export const BODY_BYTES_FLAG_MIN = 1_024;
export const BODY_BYTES_FLAG_MAX = 256 * 1024 * 1024;
/** Greatest value of `--max-batch`, in requests. */
export const BATCH_REQUESTS_FLAG_MAX = 100_000;
/** Least and greatest value of `--call-gas`: the gas of an empty call, and some minutes of computing. */
export const CALL_GAS_FLAG_MIN = 21_000;
export const CALL_GAS_FLAG_MAX = 1_000_000_000_000;
/** Characters of a refused Host or Origin header that the refusal repeats. */
export const REFUSED_CHARACTERS_MAX = 100;
/** Milliseconds between two lines of the node's log about requests that were refused for the same reason. */
export const REFUSAL_NOTICE_MS = 10_000;
/** Characters of one message in the node's log on the terminal. */
export const PRINTED_MESSAGE_CHARACTERS_MAX = 300;
/** Characters of the line with which a command fails: paths and the advice after them fit. */
export const FAILURE_CHARACTERS_MAX = 10_000;
/** Characters of a path on the command line: the limit of Linux. */
export const PATH_CHARACTERS_MAX = 4_096;

/** Bytes of one input of Keccak-256 or BLAKE3 (1 GiB): the hash functions use WebAssembly memory of at most 4 GiB. */
export const HASH_INPUT_BYTES_MAX = 1024 * 1024 * 1024;

/** Greatest size of the database file (1 TiB); only address space is reserved for it. */
export const STORE_FILE_BYTES_MAX = 2 ** 40;
/** The same for a further chain: a process that reserves the addresses of 67 whole stores ends without an error. */
export const FURTHER_CHAIN_BYTES_MAX = 2 ** 35;
/** Readers of the database file at one time, all processes together. */
export const STORE_READERS_MAX = 1_024;
/** Depth of a tree in the database file: the limit of LMDB. */
export const STORE_TREE_DEPTH_MAX = 32;
/** File descriptors that must be free when a store is opened: for the store, the server, and a reserve. */
export const STORE_OPEN_FILES_MIN = 16;
/** Bytes of address space that must be free then: for the database file, and 2 GiB for all else. */
export const STORE_ADDRESS_BYTES_MIN = STORE_FILE_BYTES_MAX + 2 * 1024 ** 3;
/** Attempts to lock a data folder that another process seems to use, and the pause between two. */
export const FOLDER_CLAIM_ATTEMPTS = 3;
export const FOLDER_CLAIM_PAUSE_MS = 50;
/** Bytes that are allocated beyond the need of a commit (8 MiB), so that few commits check the free space. */
export const STORE_RESERVE_BYTES_MAX = 8 * 1024 * 1024;
/** Blocks, and bytes (4 MiB), that a temporary test chain writes in one commit of some 15 ms. */
export const UNWRITTEN_BLOCKS_MAX = 128;
export const UNWRITTEN_BYTES_MAX = 4 * 1024 * 1024;
/** Milliseconds before a failed write is retried, such as one to a full disk. */
export const UNWRITTEN_RETRY_MS = 1_000;
/** Size of the file whose lock processes share; it stays empty. */
export const STORE_GATE_BYTES_MAX = 1024 * 1024;
/** Newest blocks whose undo records a node stores; test mode stores those of all blocks. */
export const UNDO_BLOCKS_DEFAULT = 1_024;
/** Bytes of cached undo records for reads of historical states (32 MiB). */
export const UNDO_CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** Overwritten entries that are searched for a prefix in a historical state. */
export const PAST_PREFIX_ENTRIES_MAX = 16_384;
/** Historical states whose accounts and last block are cached. */
export const PAST_STATES_MAX = 8;
/** Undo records that are pruned in one commit; so many may exist beyond the configured number. */
export const UNDO_PRUNE_BATCH = 32;
/** Undo records that one commit removes when a store without undo records is opened. */
export const UNDO_CLEARED_MAX = 4_096;
/** Undo records that a revert reads or removes in one batch. */
export const REVERT_BATCH_RECORDS = 1_024;
/** The greatest value of an EVM word. */
export const WORD_MAX = 2n ** 256n - 1n;
/** The block gas limit of chains with Ethereum. Clients that guess use 35 % of it, which is below EIP-7825's bound. */
export const ETHEREUM_BLOCK_GAS_LIMIT = 45_000_000n;
/** Range of random chain ids: the public registry has few there, and every wallet supports them. */
export const DRAWN_CHAIN_ID_MIN = 2 ** 30;
export const DRAWN_CHAIN_ID_MAX = 2 ** 31 - 1;
/** EVM memory that an engine retains between blocks (64 MiB); an engine that exceeds it is replaced. */
export const EVM_MEMORY_RETAINED_BYTES_MAX = 64 * 1024 * 1024;
/** Milliseconds from the start of a node to the warm-up of the EVM, so that the first calls run before it. */
export const EVM_WARM_UP_DELAY_MS = 50;
/** Rounds of a warm-up of the EVM; each takes some milliseconds. */
export const EVM_WARM_UP_ROUNDS_MAX = 20;
/** Cached results of precompiled contracts, a power of two, and their bytes (32 MiB). */
export const PRECOMPILE_CACHE_ENTRIES_MAX = 2 ** 19;
export const PRECOMPILE_CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes of such results that a worker forwards for one prewarming call (8 MiB). */
export const FORWARDED_RESULTS_BYTES_MAX = 8 * 1024 * 1024;
/** Gas from which a worker prewarms a sent transaction: the slowest precompiled contract uses it in some 40 ms. */
export const PREWARM_GAS_MIN = 500_000n;
/** Milliseconds of a prewarming call: fewer than those after which a worker counts as silent. */
export const PREWARM_TIME_MS_MAX = 5_000;
/** Addresses in a query for event logs, and topics for one position of it. */
export const LOG_ALTERNATIVES_MAX = 1_000;
/** Fewest and most entries of the log index that are read in one step. */
export const LOG_CHUNK_MIN = 2;
export const LOG_CHUNK_MAX = 512;

/** Leading zero bits in the proof of work of a registration: on a node, and in test mode. */
export const REGISTRATION_DIFFICULTY_DEFAULT = 20;
export const REGISTRATION_DIFFICULTY_TEST_MODE = 8;
/** Greatest value of `--registration-difficulty`, in bits; 0 requires no work. */
export const REGISTRATION_DIFFICULTY_MAX = 64;
/** Milliseconds for which a registration task is valid. */
export const REGISTRATION_TASK_TIMEOUT_MS = 120_000;
/** Used registration tasks that are remembered until they expire, so that each registers one account. */
export const RECENT_REGISTRATIONS_MAX = 100_000;
/** Milliseconds that a registration waits for its block before the response is that it is pending. */
export const REGISTRATION_BLOCK_TIMEOUT_MS = 30_000;
/** Milliseconds before a task expires at which `ledgerd register` requests another. */
export const REGISTRATION_TASK_MARGIN_MS = 5_000;
/** Milliseconds that `ledgerd register` waits for an immediate response. */
export const REGISTER_RESPONSE_TIMEOUT_MS = 10_000;
/** Worker threads of `ledgerd register`. */
export const REGISTER_THREADS_MAX = 256;

/** Bytes of one chunk of an archive, compressed or not (256 MiB): twice the largest block. */
export const ARCHIVE_CHUNK_BYTES_MAX = 256 * 1024 * 1024;
/** Bytes of the shortest encoded block: no transactions, account ids of one byte. */
export const BLOCK_BYTES_MIN = 156;
/** Bytes of the shortest patch, which sets no balance, and of the longest, which sets code. */
export const PATCH_BYTES_MIN = 3;
export const PATCH_BYTES_MAX = 2 * CODE_SET_BYTES_MAX;
/** Bytes of the genesis in an archive (256 MiB). */
export const ARCHIVE_GENESIS_BYTES_MAX = 256 * 1024 * 1024;

/** Default seconds between two blocks of a new chain. */
export const BLOCK_INTERVAL_SECONDS_DEFAULT = 3;
/** Bytes of all pending transactions (64 MiB). */
export const PENDING_BYTES_MAX = 64 * 1024 * 1024;
/** Gas of all pending transactions, which one may exceed. A block's share of it is bounded by time. */
export const PENDING_GAS_MAX = 500_000_000n;
/** Ethereum transactions that are queued for lower nonces: of one sender, in all, and for how many seconds. */
export const QUEUED_OF_SENDER_MAX = 64;
export const QUEUED_MAX = 1_024;
export const QUEUED_SECONDS_MAX = 3 * 60 * 60;
/** Per cent by which the fees of a replacement transaction must be higher, and where one of both has blobs. */
export const REPLACEMENT_PERCENT = 10n;
export const BLOB_REPLACEMENT_PERCENT = 100n;
/** Bytes of all stored sidecars of blob transactions (4 GiB); beyond it the oldest included ones are removed. */
export const BLOB_SIDECARS_BYTES_MAX = 4 * 1024 * 1024 * 1024;
/** Default blocks after its block for which the sidecar of a transaction is kept, and the greatest number. */
export const BLOB_RETENTION_BLOCKS_DEFAULT = 4_096;
export const BLOB_RETENTION_BLOCKS_MAX = 1_000_000;
/** Blob transactions that are verified or queued for it: in all, and of one client. */
export const BLOB_VERIFICATIONS_MAX = 64;
export const BLOB_VERIFICATIONS_OF_CLIENT_MAX = 16;
/** Milliseconds without a result after which the thread of verifications is stopped, and idle ones (10 minutes). */
export const BLOB_VERIFICATION_MS_MAX = 60_000;
export const BLOB_VERIFIER_IDLE_MS = 10 * 60_000;
/** Versioned hashes, or indices, of one request for blobs. */
export const BEACON_HASHES_MAX = 128;
/** Bytes of executed pending transactions and their results beyond which their block executes them again. */
export const EXECUTED_BYTES_MAX = 32 * 1024 * 1024;
/** Cached results of signature checks. */
export const SIGNATURE_CACHE_ENTRIES_MAX = 65_536;
/** Signature checks that are queued for other threads, or whose results were not used yet: a power of two. */
export const SIGNATURE_CHECKS_QUEUED_MAX = 1_024;
/** Milliseconds for which a result is awaited that a thread is computing, which takes less than a tenth of one. */
export const SIGNATURE_RESULT_MS_MAX = 20;
/** Threads that check signatures, where there are more processors. */
export const SIGNATURE_THREADS_MAX = 4;
/** Transactions of a block that is imported whose signatures are checked ahead. */
export const BLOCK_TRANSACTIONS_AHEAD = 256;
/** Sends of a batch whose signatures are checked ahead. */
export const BATCH_REQUESTS_AHEAD = 32;
/** Checks that could have been queued before these threads start. */
export const SIGNATURE_CHECKS_BEFORE_THREADS = 64;

/** Default free bytes of a node's file system below which it stops writing (1 GiB). */
export const FREE_BYTES_MIN_DEFAULT = 1024 * 1024 * 1024;
/** Greatest value of `--min-free-space`, in bytes (1 PiB). */
export const FREE_BYTES_FLAG_MAX = 2 ** 50;
/** Free space at which writing resumes, as a multiple of the least; the difference prevents oscillation. */
export const FREE_BYTES_RESUME_FACTOR = 1.05;
/** Milliseconds between two checks of the free space. */
export const FREE_SPACE_CHECK_MS = 5_000;
/** Bytes of a genesis file (256 MiB). */
export const GENESIS_FILE_BYTES_MAX = 256 * 1024 * 1024;
/** Bytes of a transaction's JSON that `ledgerd sign` reads (4 MiB): a byte may take two digits. */
export const SIGNED_JSON_BYTES_MAX = 4 * 1024 * 1024;
/** Milliseconds that `ledgerd sign` waits for a response, also to a sent transaction. */
export const SIGN_RESPONSE_TIMEOUT_MS = 30_000;
/** Bytes of a key file. */
export const KEY_FILE_BYTES_MAX = 64 * 1024;
/** Files in a folder of keys. */
export const KEY_FILES_MAX = 1_000;
/** Native units of the registrar in a new genesis: the cost of ten thousand registrations. */
export const INIT_REGISTRAR_BALANCE = 1_000_000n;
/** Producers, each with a node, of a chain that `ledgerd init` creates. */
export const INIT_PRODUCERS_MAX = 100;
/** Nodes that one node follows. */
export const FOLLOWED_NODES_MAX = 64;
/** Milliseconds between two polls of a followed node without a new block: a quarter of the interval, in this range. */
export const FOLLOW_POLL_MS_MIN = 50;
export const FOLLOW_POLL_MS_MAX = 1_000;
/** Milliseconds for the whole response of a followed node, without the time that its blocks take here. */
export const FOLLOW_RESPONSE_TIMEOUT_MS = 30_000;
/** Time to the first byte of a followed node's response: two intervals, in this range; doubled for a slow node. */
export const FOLLOW_BEGIN_INTERVALS = 2;
export const FOLLOW_BEGIN_MS_MIN = 2_000;
export const FOLLOW_BEGIN_MS_MAX = 10_000;
/** Milliseconds before a failed followed node is retried: at first, and at most. */
export const FOLLOW_RETRY_MS_MIN = 500;
export const FOLLOW_RETRY_MS_MAX = 10_000;
/** Bytes of blocks in one response of the block feed (4 MiB); a longer block is sent alone. */
export const BLOCK_FEED_BYTES_MAX = 4 * 1024 * 1024;
/** Blocks in one response of the block feed. */
export const BLOCK_FEED_BLOCKS_MAX = 1_000;
/** Bytes of a block's header, which is checked before more of the block is buffered. */
export const BLOCK_HEADER_BYTES_MAX = 1_024;
/** Bytes of a followed node's response (128 MiB): a block with all pending transactions, and as many of results. */
export const FOLLOW_RESPONSE_BYTES_MAX = 2 * PENDING_BYTES_MAX;
/** Bytes of the signed block that is stored beside a key. */
export const SIGNED_BLOCK_BYTES_MAX = FOLLOW_RESPONSE_BYTES_MAX;
/** Milliseconds between two requests for the head of a block log: an interval, in this range. */
export const BLOCK_LOG_POLL_MS_MIN = 250;
export const BLOCK_LOG_POLL_MS_MAX = 2_000;
/** Milliseconds before a failed request to a block log, or a failed append, is retried. */
export const BLOCK_LOG_RETRY_MS = 250;
/** Milliseconds without a known block of the block log after which it is read again. */
export const BLOCK_LOG_STALL_MS_MAX = 3_000;
/** Blocks of a block log that are prefetched, and their bytes (8 MiB). */
export const BLOCK_LOG_AHEAD_BLOCKS_MAX = 1_024;
export const BLOCK_LOG_AHEAD_BYTES_MAX = 8 * 1024 * 1024;
/** Blocks of a block log that are decoded and added in one batch. */
export const BLOCK_LOG_BATCH_BLOCKS_MAX = 128;
/** Milliseconds without a response of the block log after which health fails. */
export const BLOCK_LOG_SILENCE_MS_MAX = 10_000;
/** Milliseconds between two notices that the block log is unreachable. */
export const BLOCK_LOG_NOTICE_MS = 10_000;
/** Samples of the lag behind a block log: a time, and the number of known blocks at it. */
export const BLOCK_LOG_LAG_MARKS_MAX = 64;
/** Milliseconds after an absent producer's slot at which another makes its block: half an interval, in this range. */
export const SLOT_GRACE_MS_MIN = 250;
export const SLOT_GRACE_MS_MAX = 2_000;
/** Other nodes' transactions that are queued for their check, and their bytes (16 MiB). */
export const RELAY_QUEUE_MAX = 4_096;
export const RELAY_QUEUE_BYTES_MAX = 16 * 1024 * 1024;
/** Milliseconds between two checks for transactions to resend, and the age at which one is resent. */
export const RELAY_CHECK_MS = 500;
export const RELAY_RESEND_MS = 2_000;
/** Transactions that one check resends, and their bytes (1 MiB). */
export const RELAY_RESEND_MAX = 256;
export const RELAY_RESEND_BYTES_MAX = 1024 * 1024;
/** Bytes of a block in one message of a replicated block log (900 KiB), and messages of one block. */
export const STREAM_PART_BYTES_MAX = 900 * 1024;
export const STREAM_PARTS_MAX = Math.ceil(SIGNED_BLOCK_BYTES_MAX / STREAM_PART_BYTES_MAX);
/** Bytes that a server of the block log must accept in one message: a part of a block with its headers. */
export const STREAM_PAYLOAD_BYTES_MIN = STREAM_PART_BYTES_MAX + 16 * 1024;
/** Servers of a block log, their monitoring addresses, and replicas of a block log. */
export const STREAM_SERVERS_MAX = 16;
export const STREAM_REPLICAS_MAX = 5;
/** Characters of `--block-log`, and bytes of its credentials file. */
export const STREAM_ADDRESS_CHARACTERS_MAX = 4_096;
export const STREAM_CREDENTIALS_BYTES_MAX = 64 * 1024;
/** Bytes of a monitoring response (1 MiB), and the milliseconds to wait for it. */
export const STREAM_MONITOR_BYTES_MAX = 1024 * 1024;
export const STREAM_MONITOR_TIMEOUT_MS = 5_000;
/** Milliseconds to connect to a server of the block log, and between two attempts. */
export const STREAM_CONNECT_TIMEOUT_MS = 2_000;
export const STREAM_RECONNECT_MS = 200;
/** Milliseconds for all attempts to open the block log. */
export const STREAM_OPEN_TIMEOUT_MS = 20_000;
/** Milliseconds to wait for one response of the block log, and between two attempts. */
export const STREAM_REQUEST_TIMEOUT_MS = 1_500;
export const STREAM_RETRY_MS = 100;
/** Milliseconds without a response after which a request is repeated: the leader may have changed. */
export const STREAM_REQUEST_REPEAT_MS = 300;
/** Milliseconds before an append that lost a race is retried: its leader may lag behind its response. */
export const STREAM_CONFLICT_RETRY_MS = 2;
/** Milliseconds without a confirmation after which the outcome of an append is uncertain. */
export const STREAM_APPEND_TIMEOUT_MS = 5_000;
/** Milliseconds without a replica's heartbeat, due each second, after which the leader counts it as absent. */
export const STREAM_REPLICA_SILENCE_MS_MAX = 5_000;
/** Milliseconds without a response after which reading the block log fails. */
export const STREAM_SILENCE_MS_MAX = 5_000;
/** Milliseconds for which the block log must lack earlier messages before this counts as a loss. */
export const STREAM_LOSS_MS = 30_000;
/** Messages of a block log in one read, and their bytes (4 MiB), which one message may exceed. */
export const STREAM_BATCH_MESSAGES_MAX = 500;
export const STREAM_BATCH_BYTES_MAX = 4 * 1024 * 1024;
/** Messages read one by one from the leader before batches and the ends of the log are read. */
export const STREAM_SINGLE_READS_MAX = 4;
export const STREAM_ROLLED_MAX = 64;
/** Cached positions in the block log. */
export const STREAM_POSITIONS_MAX = 1_024;
/** Unconfirmed messages, and their bytes (4 MiB), while a block log is seeded. */
export const STREAM_SEED_MESSAGES_MAX = 256;
export const STREAM_SEED_BYTES_MAX = 4 * 1024 * 1024;
/** Parts of a large block that are sent before the connection must have confirmed them. */
export const STREAM_UNCONFIRMED_PARTS_MAX = 8;
/** Bytes of transactions in flight to the block log's servers; beyond them none is forwarded. */
export const STREAM_TRANSACTION_BYTES_MAX = 16 * 1024 * 1024;
/** Seconds that the time of a new block may be ahead of this machine's clock. */
export const BLOCK_AHEAD_SECONDS_MAX = 60;
/** Seconds that this machine's clock may be behind the newest block before a node's health fails. */
export const CLOCK_BEHIND_SECONDS_MAX = 10;
/** Milliseconds by which the clock may jump, and that it must stay there before a block is made. */
export const CLOCK_JUMP_MS_MAX = 60_000;
export const CLOCK_SETTLE_MS = 30_000;
/** Bytes of a clock reading. */
export const CLOCK_READING_BYTES_MAX = 64;
/** Stored readings of one producer's clock. */
export const CLOCK_READINGS_MAX = 16;
/** Transactions that a follower forwards concurrently, and total bytes of their requests and responses. */
export const FORWARDS_MAX = 256;
export const FORWARD_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of the response to a forwarded transaction, which is a hash or a receipt. */
export const FORWARD_RESPONSE_BYTES_MAX = 4 * 1024 * 1024;
/** Milliseconds for a followed node to respond, beyond those that the call itself waits for a block. */
export const FORWARD_TIMEOUT_MS = 10_000;
/** Followers that may forward a transaction in a chain. */
export const FORWARD_HOPS_MAX = 4;
/** Milliseconds, beyond a round of slots, that a starting node waits for another's block to compare clocks. */
export const START_ROUND_MS_MIN = 2_000;
/** Milliseconds without a response of any followed node after which a follower's health fails. */
export const FOLLOW_SILENCE_MS_MAX = 30_000;
/** Health fails when the next block is overdue by this many intervals, and by this many milliseconds. */
export const OVERDUE_INTERVALS_MAX = 3;
export const OVERDUE_MS_MIN = 10_000;
/** Bytes of the headers of one request (16 KiB). */
export const HEADER_BYTES_MAX = 16 * 1024;
/** Header fields of a request. */
export const HEADER_FIELDS_MAX = 2_000;

/** Greatest value of `--max-connections`. */
export const CONNECTIONS_FLAG_MAX = 1_000_000;
/** Greatest value of `--max-lag`, in seconds: a day; in blocks it is the greatest block number. */
export const LAG_SECONDS_FLAG_MAX = 24 * 60 * 60;
/** Least and greatest value of `--max-headers`, in bytes. */
export const HEADER_BYTES_FLAG_MIN = 1_024;
export const HEADER_BYTES_FLAG_MAX = 1024 * 1024;
/** Greatest value of a flag for a timeout: an hour. */
export const TIMEOUT_FLAG_SECONDS_MAX = 60 * 60;
/** Greatest value of `--rate-limit`, in calls a second. */
export const RATE_LIMIT_FLAG_MAX = 1_000_000;
/** Milliseconds of a long job, such as a dump or the parsing of a long response, before everything else runs. */
export const WORK_SLICE_MS_MAX = 10;

/** Default bytes of the traces of one request (256 MiB). */
export const TRACE_BYTES_MAX = 256 * 1024 * 1024;
/** Bytes of traces that are collected, or are sent only when complete (16 MiB). */
export const TRACE_WHOLE_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes that are buffered of a trace that may be streamed; a longer one is sent as it is made (4 MiB). */
export const TRACE_BUFFER_BYTES_MAX = 4 * 1024 * 1024;
/** Default milliseconds of computing for the traces of one request. */
export const TRACE_TIME_MS_MAX = 5_000;
/** Least and greatest values of `--trace-bytes` and, in seconds, of `--trace-timeout`. */
export const TRACE_BYTES_FLAG_MIN = 64 * 1024;
export const TRACE_BYTES_FLAG_MAX = 64 * 1024 * 1024 * 1024;
export const TRACE_TIMEOUT_SECONDS_MIN = 0.01;
export const TRACE_TIMEOUT_SECONDS_MAX = 3_600;
/** Calls of one `trace_callMany`, and kinds of traces in one request. */
export const TRACED_CALLS_MAX = 1_000;
/** Tracers of one `muxTracer`. */
export const MUX_TRACERS_MAX = 8;
/** Blocks that one `trace_filter` executes again. */
export const TRACE_FILTER_BLOCKS_MAX = 1_000;
/** Bytes that the code of one transaction or call may log to the console (64 KiB); the rest is left out. */
export const CONSOLE_BYTES_MAX = 64 * 1024;
/** Contracts whose interfaces a node stores; the oldest ones are removed beyond it. */
export const ARTIFACTS_MAX = 4_096;
/** Total bytes of interfaces, codes and source maps (128 MiB); the oldest ones are removed beyond it. */
export const ARTIFACT_BYTES_MAX = 128 * 1024 * 1024;
/** Codes whose contract is cached. */
export const ARTIFACT_CODES_MAX = 4_096;
/** Bytes of an artifact file (128 MiB); a larger one is skipped. */
export const ARTIFACT_FILE_BYTES_MAX = 128 * 1024 * 1024;
/** Newest contracts that are searched for those of an artifact. */
export const ARTIFACT_MATCHES_SEARCHED_MAX = 10_000;
/** Newest artifacts of one name whose contracts are searched. */
export const ARTIFACT_NAMESAKES_MAX = 16;
/** Contracts of one name that are returned. */
export const CONTRACTS_FOUND_MAX = 25;
/** Files that are read in a folder of artifacts. */
export const ARTIFACT_FILES_MAX = 20_000;
/** Bytes of the calls of a failed transaction in the node's log; the rest is left out. */
export const LOGGED_TRACE_BYTES_MAX = 4 * 1024 * 1024;
/** Milliseconds to trace the failed transactions of a block for the node's log. */
export const LOGGED_TRACE_MS_MAX = 1_000;
/** Failed transactions of a block whose calls the node's log shows. */
export const LOGGED_FAILURES_MAX = 16;
/** Milliseconds that `ledgerd trace` waits for a response. */
export const TRACE_COMMAND_MS_MAX = 120_000;
/** Depth of the calls in a trace that the command line reads: the EVM allows 1,024. */
export const TRACED_DEPTH_MAX = 1_100;
/** Instructions before the end of a call that are searched for its source line. */
export const TRACED_PATH_MAX = 512;
/** Lines of the calls of a transaction in the node's log. */
export const CALL_TREE_LINES_MAX = 200;
/** Indentation steps of deep calls in the node's log. */
export const CALL_TREE_INDENTATIONS_MAX = 32;
/** Bytes of call data that are shown if its function is unknown. */
export const SHOWN_INPUT_BYTES_MAX = 36;
/** Bytes of revert data that are shown if its error is unknown. */
export const SHOWN_REASON_BYTES_MAX = 68;
/** Characters of a decoded value, or of all arguments of a call, in a line of the node's log. */
export const SHOWN_VALUE_CHARACTERS_MAX = 320;
/** Depth of calls (the yellow paper's bound), the outermost not counted. */
export const CALL_DEPTH_MAX = 1_024;
/** Slots in the response of one `debug_storageRangeAt`. */
export const STORAGE_RANGE_MAX = 1_024;

/** Default milliseconds of computing for one `eth_call` or `eth_estimateGas`. */
export const CALL_TIME_MS_MAX = 1_000;
/** Least and greatest value of `--call-timeout`, in seconds. */
export const CALL_TIMEOUT_SECONDS_MIN = 0.01;
export const CALL_TIMEOUT_SECONDS_MAX = 60 * 60;
/** Milliseconds from which a task is long: quick requests run before the next long one. */
export const LONG_TASK_MS = 50;
/** Pause after a slice of tasks, as a share of its duration. */
export const PAUSE_SHARE = 0.1;
/** Calls in the queue of the scheduler, and in that of the workers. */
export const QUEUED_CALLS_MAX = 4_096;
/** Clients without a queued task whose used shares are remembered. */
export const FAIR_CLIENTS_MAX = 4_096;
/** Bytes of a body that is parsed in one step; a longer one is scheduled, and a batch is parsed item by item. */
export const QUICK_BODY_BYTES_MAX = 16 * 1024;
/** Bytes held for all clients: a quarter of the heap, at most 512 MiB. The node and the collector need the rest. */
export const HELD_BYTES_MAX = Math.min(512 * 1024 * 1024, Math.floor(HEAP_BYTES_MAX / 4));
/** Least and greatest value of `--max-held`, in bytes. */
export const HELD_BYTES_FLAG_MIN = 64 * 1024 * 1024;
export const HELD_BYTES_FLAG_MAX = 64 * 1024 * 1024 * 1024;
/** Share of the held bytes below which a client may hold more regardless of the others, within the bound. */
export const HELD_SMALL_SHARE = 1 / 16;
/** Milliseconds that a batch waits for memory before its remaining requests are refused. */
export const MEMORY_WAIT_MS_MAX = 30_000;
/** Milliseconds to send a request or read a response before the client may be closed to free memory. */
export const SLOW_CLIENT_MS = 2_000;
/** Characters beyond which a response, or part of one, is moved out of the heap: its client may be slow. */
export const LONG_RESPONSE_CHARACTERS = 16 * 1024;
/** Connections in the accept queue of the system: the server accepts one in each iteration of the event loop. */
export const LISTEN_BACKLOG = 4_096;
/** Milliseconds for which a burst of connections delays parsing, and its share of the time from then on. */
export const ACCEPT_BURST_MS = 10;
export const ACCEPT_TIME_SHARE = 3 / 4;
/** Bytes of long responses written per iteration of the event loop (512 KiB), and in one write. */
export const LOOP_WRITE_BYTES_MAX = 512 * 1024;
export const WRITE_CHUNK_BYTES = 128 * 1024;
/** Bytes of long bodies read per iteration of the event loop (512 KiB), and the extra cost of each chunk in bytes. */
export const LOOP_READ_BYTES_MAX = 512 * 1024;
export const BODY_CHUNK_COST_BYTES = 256;
/** Chunks of a body after which they must have so many bytes on average: each costs as much as thousands of bytes. */
export const SMALL_CHUNKS_MAX = 4_096;
export const CHUNK_BYTES_MIN = 32;
/** Size of the buffers into which small chunks are copied: that of a read from a socket. */
export const COALESCED_CHUNK_BYTES = 64 * 1024;
/** Lines of a chunked body that are parsed in one step: a chunk has two. */
export const PARSED_LINES_MAX = 256;
/** Milliseconds, and requests, of parsing per iteration of the event loop; the last read may exceed either. */
export const LOOP_PARSE_MS = 2;
export const LOOP_REQUESTS_MAX = 16;
/** Expected milliseconds up to which a query runs in the node's own process although workers exist. */
export const LOCAL_QUERY_MS_MAX = 0.5;
/** Kinds of calls whose costs are remembered. */
export const CALL_COSTS_MAX = 4_096;
/** Greatest value of `--workers`. */
export const WORKERS_FLAG_MAX = 64;
/** Queries that a worker has at a time: a running one and, if both are short, the next. */
export const WORKER_QUERIES_MAX = 2;
/** Expected milliseconds of all queries of a worker that has more than one. */
export const WORKER_AHEAD_MS_MAX = 10;
/** Milliseconds between two checks that the workers run. */
export const WORKER_CHECK_MS = 1_000;
/** Milliseconds, beyond the time limit of a call, after which a worker without a response is killed. */
export const WORKER_SILENCE_MS_MAX = 10_000;
/** Milliseconds for the compiler of the engine with steps, and for a set-up that began before it, on a busy machine. */
export const STEPS_BUILD_MS_MAX = 180_000;
/** Bytes of a chunk of a streamed trace: with a head of 8, as many as a process reads at a time. */
export const TRACE_CHUNK_BYTES = 64 * 1024 - 8;
/** Chunks of a trace that its client has not read. */
export const TRACE_CHUNKS_AHEAD_MAX = 4;
/** Gas up to which, with that of the transactions before it, the node itself traces a transaction: some ms. */
export const SHORT_TRACE_GAS_MAX = 500_000;
/** Transactions of the block up to it, blocks since, and bytes of the trace, at most, for the same. */
export const SHORT_TRACE_OPERATIONS_MAX = 32;
export const SHORT_TRACE_BLOCKS_MAX = 256;
export const SHORT_TRACE_BYTES_MAX = 256 * 1024;
/** Per cent by which the heap of a tracing process grows before a full collection (V8's default doubles it). */
export const TRACE_HEAP_GROWING_PERCENT = 20;
/** Milliseconds between two checks of the tracing processes. */
export const TRACE_CHECK_MS = 250;
/** Milliseconds after which an idle tracing process ends. */
export const TRACE_IDLE_MS = 60_000;
/** Milliseconds that a trace waits for its client in all, and while others wait for their traces. */
export const TRACE_PAUSE_MS_MAX = 120_000;
export const TRACE_PAUSE_BEFORE_OTHERS_MS_MAX = 10_000;
/** Bytes of a request head that is cached. */
export const CACHED_HEAD_BYTES_MAX = 2_048;
/** Cached heads for each local address, and such addresses. */
export const CACHED_HEADS_MAX = 256;
export const CACHED_ADDRESSES_MAX = 64;
/** Bytes of a body up to which it is concatenated. */
export const WHOLE_BODY_BYTES_MAX = 64 * 1024;
/** Milliseconds between two checks for idle connections. */
export const IDLE_WATCH_MS_MAX = 500;
/** Microseconds after a response for which the server polls for the next request before it sleeps. */
export const BUSY_POLL_MICROSECONDS = 50;
/** Greatest value of `--busy-poll`. */
export const BUSY_POLL_MICROSECONDS_MAX = 10_000;
/** Clients with a rate limit bucket; beyond it the least recently used one is removed. */
export const COUNTED_CLIENTS_MAX = 65_536;
/** Calls of a bundle of `wallet_sendCalls`, and characters of its id (EIP-5792). */
export const CALLS_OF_BUNDLE_MAX = 100;
export const CALL_BUNDLE_ID_CHARACTERS_MAX = 4_096;
/** Bundles with ids of clients that a node remembers. */
export const CALL_BUNDLES_MAX = 1_024;
/** Steps of one search for event logs: one for each index entry that is read, and some for each seek. */
export const LOG_SEARCH_STEPS_MAX = 1_000_000;
/** Logs with fewer topics than a query names that one search reads. */
export const SHORTER_LOGS_MAX = 50_000;
/** Bytes of event logs that one search reads to find those that match (256 MiB). */
export const LOG_READ_BYTES_MAX = 256 * 1024 * 1024;
/** Share of the node's time for the text of the metrics, and the longest pause after one in milliseconds. */
export const METRICS_TIME_SHARE = 0.1;
export const METRICS_PAUSE_MS_MAX = 100;

/** Share of the block interval for which a block accepts transactions. */
export const BLOCK_TIME_SHARE = 0.5;
/** Milliseconds of executing pending transactions before a starting node listens; the rest follows later. */
export const PENDING_RESTORE_MS_MAX = 250;
/** Milliseconds of block work in one time slice, after which everything else runs. */
export const WRITE_SLICE_MS = 15;
/** The same after a longer wait, so that slow calls do not delay blocks. */
export const WRITE_SLICE_MS_MAX = 250;

/** Bytes of a response of a forked chain's remote node, decompressed (16 MiB). */
export const FORK_RESPONSE_BYTES_MAX = 16 * 1024 * 1024;
/** JSON values of one, which bounds the memory of the parsed response, and the time of parsing it. */
export const FORK_RESPONSE_VALUES_MAX = 1_000_000;
/** Bytes of one to calls with short results, such as an error page (128 KiB). */
export const FORK_SMALL_RESPONSE_BYTES_MAX = 128 * 1024;
/** Bytes of the code of a remote account: more than EIP-170 and EIP-7954 allow (64 KiB). */
export const FORK_CODE_BYTES_MAX = 64 * 1024;
/** Bytes of an access list, and of a block with hashes of transactions, of a remote node (4 MiB). */
export const FORK_LIST_BYTES_MAX = 4 * 1024 * 1024;
/** Calls, and bytes (512 KiB), of one HTTP request to a remote node. */
export const FORK_BATCH_CALLS_MAX = 100;
export const FORK_BATCH_BYTES_MAX = 512 * 1024;
/** HTTP requests to a remote node at one time. */
export const FORK_REQUESTS_MAX = 8;
/** Retries of a failed request to a remote node, and milliseconds of one request, by default. */
export const FORK_RETRIES_DEFAULT = 5;
export const FORK_TIMEOUT_MS_DEFAULT = 30_000;
export const FORK_RETRIES_MAX = 100;
export const FORK_TIMEOUT_MS_MAX = 600_000;
export const FORK_RATE_MAX = 100_000;
/** Milliseconds of all attempts of one set of calls. */
export const FORK_CALLS_MS_MAX = 120_000;
/** Milliseconds of the first pause before a retry by default, and of any, also if the remote node asks for more. */
export const FORK_BACKOFF_MS_DEFAULT = 250;
export const FORK_PAUSE_MS_MAX = 20_000;
/** Characters of a remote node's message that an error repeats. */
export const FORK_MESSAGE_CHARACTERS_MAX = 300;
/** Entries of one access list of a remote node that are fetched. */
export const FORK_HINTS_MAX = 10_000;
/** Messages whose access list a forked chain does not request again. */
export const FORK_HINTED_MESSAGES_MAX = 10_000;
/** Bytes of the entries of a remote chain's state that are kept in memory, for each chain of the node (1 MiB). */
export const FORK_STATE_BYTES_MAX = 1024 * 1024;
/** Bytes of the cached history of a remote chain (32 MiB). */
export const FORK_HISTORY_BYTES_MAX = 32 * 1024 * 1024;
/** Parts into which a range of event logs is split for a remote node that refuses long ranges. */
export const FORK_LOG_RANGES_MAX = 1_000;
/** Bytes of the history in the store of a fork (256 MiB), and of one result there (16 MiB). */
export const FORK_STORED_HISTORY_BYTES_MAX = 256 * 1024 * 1024;
export const FORK_STORED_RESULT_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of the forks in the user's cache folder (2 GiB), when one is opened. */
export const FORK_CACHE_BYTES_MAX = 2 * 1024 * 1024 * 1024;
/** Bytes of a fork point and of a value in a pack. */
export const FORK_PACK_POINT_BYTES_MAX = 4_096;
export const FORK_PACK_VALUE_BYTES_MAX = FORK_STORED_RESULT_BYTES_MAX;
/** Bytes of a pack that are read or written at a time (1 MiB). */
export const FORK_PACK_CHUNK_BYTES = 1024 * 1024;

/** Milliseconds that a call on `/ethereum` waits for the pending block. */
export const PENDING_WAIT_MS_MAX = 5_000;
/** Characters of the responses about a pending block that are kept with it. */
export const PENDING_CHARACTERS_MAX = 4_000_000;
