import { getHeapStatistics } from 'node:v8';
import { TRANSACTION_BYTES_MAX } from './consensus.ts';

/**
 * Every bound of the node, in one place. A bound that an operator may move has a flag of the command line; the error
 * that reports a bound names it and its value.
 */

/** Bytes of the heap that V8 lets this process have: `--max-old-space-size`, or what the machine's memory allows. */
const HEAP_BYTES_MAX = getHeapStatistics().heap_size_limit;

/** Bytes of an HTTP body (5 MiB). */
export const BODY_BYTES_MAX = 5 * 1024 * 1024;
/** Requests in one JSON-RPC batch. */
export const BATCH_REQUESTS_MAX = 1_000;
/** Characters of the answer to one JSON-RPC batch; what follows is answered by an error and not executed. */
export const BATCH_RESPONSE_CHARACTERS_MAX = 25 * 1024 * 1024;
/** Milliseconds that calls which may take long run before everything else gets its turn. */
export const TURN_MS_MAX = 5;
/** Milliseconds of computing for one batch; what follows is answered by an error and not executed. */
export const BATCH_TIME_MS_MAX = 30_000;
/** Characters of a caller's text that an error message repeats. */
export const QUOTED_CHARACTERS_MAX = 64;
/** Characters of the answers of each kind, blocks among them, that are kept because they never change (16 MiB). */
export const RESPONSE_CACHE_CHARACTERS_MAX = 16 * 1024 * 1024;
/** Transactions of the pool that one answer of `/ethereum` lists. */
export const POOL_LISTED_MAX = 5_000;
/** Blocks that one simulation has, and calls that one of its blocks has. */
export const SIMULATED_BLOCKS_MAX = 256;
export const SIMULATED_CALLS_MAX = 5_000;
/** Characters of the histories of fees that were answered on `/ethereum` and are kept (1 MiB). */
export const FEE_HISTORIES_CHARACTERS_MAX = 1024 * 1024;
/** Blocks whose bloom filters are remembered for `/ethereum`. */
export const BLOCK_BLOOMS_MAX = 1_024;
/** Times that a response about a block is begun anew because the block was reverted meanwhile. */
export const REVERTED_READS_MAX = 3;
/** Operations of the blocks whose sums of receipts are remembered for `/ethereum`. */
export const BLOCK_SUMS_MAX = 100_000;
/** How deep arrays and objects of a request may be nested. */
export const JSON_DEPTH_MAX = 64;
/** JSON values in one body, so that parsing it holds nobody up for long: 5 MiB may hold 1,700,000 objects. */
export const JSON_VALUES_MAX = 200_000;
/** Characters of a QUANTITY, `0x` and leading zeros included: 32 bytes. */
export const QUANTITY_CHARACTERS_MAX = 66;
/** Decimal digits of a number of 32 bytes. */
export const DIGITS_MAX = 78;
/** Gas of an `eth_call` or `eth_estimateGas`. */
export const CALL_GAS_MAX = 50_000_000n;
/** Event logs in one answer, and hashes in the answer of a block filter or of a pending-transaction filter. */
export const LOGS_MAX = 10_000;
/** Greatest value of `--max-logs`: the text of a longer answer could be too long for one string. */
export const LOGS_FLAG_MAX = 100_000;
/** Bytes of data that the event logs of one answer carry together (64 MiB). */
export const LOG_DATA_BYTES_MAX = 64 * 1024 * 1024;
/** Accounts and slots that the state overrides of one call name together. */
export const OVERRIDE_ENTRIES_MAX = 10_000;
/** Bytes of code that the state overrides of one call bring along together (1 MiB). */
export const OVERRIDE_CODE_BYTES_MAX = 1024 * 1024;
/** Blocks, and percentiles, of one `eth_feeHistory`. */
export const FEE_HISTORY_BLOCKS_MAX = 1_024;
export const FEE_HISTORY_PERCENTILES_MAX = 100;
/** Characters of one answer that lists what blocks hold (64 MiB): a receipt alone never has as many. */
export const RESPONSE_CHARACTERS_MAX = 64 * 1024 * 1024;
/** Characters of such an answer that is kept because it never changes (8 MiB). */
export const CACHED_RESPONSE_CHARACTERS_MAX = RESPONSE_CACHE_CHARACTERS_MAX / 2;
/** Event logs up to which a receipt is written at once, and transactions of a block up to which it is summed up. */
export const LOGS_AT_ONCE_MAX = 100;
export const TRANSACTIONS_AT_ONCE_MAX = 20;
/** Operations of an address that one answer lists, and how many it lists unless told. */
export const LISTED_OPERATIONS_MAX = 100;
export const LISTED_OPERATIONS_DEFAULT = 25;
/** Operations of an address that one answer lists where those of a block are not told apart. */
export const FOUND_OPERATIONS_MAX = 10_000;
/** Operations of a contract that are looked at for the one that created it: others may have come before. */
export const CREATION_SEARCH_MAX = 1_000;
/** Slots, and addresses, of one `eth_getStorageValues`. */
export const STORAGE_VALUES_MAX = 1_024;
/** Filters at one time. */
export const FILTERS_MAX = 10_000;
/** Greatest number of a node in its cluster, with which its filters' ids begin. */
export const NODE_NUMBER_MAX = 4_095;
/** Addresses and topics that all filters name together. */
export const FILTER_CRITERIA_MAX = 250_000;
/** Seconds after which a filter is removed that nobody polls. */
export const FILTER_TIMEOUT_SECONDS = 300;
/** Greatest value of `--filter-timeout`: a day. */
export const FILTER_TIMEOUT_SECONDS_MAX = 24 * 60 * 60;
/** Subscriptions at one time, and those of one connection. */
export const SUBSCRIPTIONS_MAX = 20_000;
export const CONNECTION_SUBSCRIPTIONS_MAX = 128;
/** Hashes that a subscription to receipts may name. */
export const SUBSCRIBED_HASHES_MAX = 200;
/** Accepted transactions that are kept for the subscriber who has taken fewest of them. */
export const SUBSCRIBED_ACCEPTED_MAX = 10_000;
/** Changes of the sync state that are kept for the subscriber that has taken fewest of them. */
export const SYNC_CHANGES_MAX = 1_000;
/** Event logs of blocks that vanish at once which a subscriber is told of. */
export const REMOVED_LOGS_MAX = 10_000;
/** Characters of what blocks are told of with, which are kept for those who are behind (8 MiB). */
export const NOTIFICATIONS_CHARACTERS_MAX = 8 * 1024 * 1024;
/** WebSocket connections at one time. */
export const WEBSOCKETS_MAX = 1_024;
/** Greatest value of `--max-websockets`. */
export const WEBSOCKETS_FLAG_MAX = 100_000;
/** Requests of one WebSocket connection whose answers are not taken yet: no more is read before one is. */
export const WEBSOCKET_REQUESTS_MAX = 100;
/** Fragments of one message of a WebSocket connection, and bytes that one takes beside its own. */
export const MESSAGE_FRAGMENTS_MAX = 4_096;
export const FRAGMENT_BYTES = 128;
/**
 * Total cost of the frames that are parsed at once: 1 for a continuation or an empty one, this for a message or a ping.
 */
export const FRAMES_COST_MAX = 256;
export const MESSAGE_COST = 16;
/** Bytes that a client of a WebSocket connection has not taken, beyond which it is told nothing more (8 MiB). */
export const WEBSOCKET_UNREAD_BYTES_MAX = 8 * 1024 * 1024;
/** Milliseconds after which a WebSocket connection is closed whose client takes nothing of what it has to take. */
export const WEBSOCKET_STALLED_MS = 10_000;
/** Bytes that a close frame has for its reason (RFC 6455, 5.5). */
export const CLOSE_REASON_BYTES_MAX = 123;

/** Concurrent connections of the HTTP server. */
export const CONNECTIONS_MAX = 1_024;
/** Connections of one client in a second that may end without a whole request, and seconds whose share is a burst. */
export const UNUSED_CONNECTIONS_PER_SECOND = 50;
export const UNUSED_CONNECTIONS_BURST_SECONDS = 20;
/** Greatest value of `--unused-connections`. */
export const UNUSED_CONNECTIONS_FLAG_MAX = 1_000_000;
/** Milliseconds within which a client must have sent its headers. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** Milliseconds within which a client must have sent its whole request. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** Milliseconds after which a connection is closed on which nothing moves, such as one whose client does not read. */
export const STALLED_TIMEOUT_MS = 120_000;
/** How often a client that sends no more, and waits for an answer, is asked whether it is still there. */
export const HALF_CLOSED_ASK_MS = 500;
/** Milliseconds that its client may still send, and bytes: those of a refused body, so that it gets to see why. */
export const LINGERING_MS = 30_000;
export const LINGERING_BYTES_MAX = 64 * 1024 * 1024;
/** Seconds that a web browser may remember the answer to a preflight request. */
export const PREFLIGHT_SECONDS_MAX = 600;
/** Requests that wait at one time for a block that is not here yet, and milliseconds that each of them waits. */
export const BLOCK_WAITS_MAX = 512;
export const BLOCK_WAIT_MS_MAX = 5_000;
/** Milliseconds that an idle kept-alive connection stays open. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Seconds after its reference block at which a native transaction is void that says nothing of it. */
export const NATIVE_EXPIRATION_SECONDS = 600;
/** Bytes of a transaction in a block: no result of an operation is longer than the operation. */
export const PROCESSED_TRANSACTION_BYTES_MAX = 2 * TRANSACTION_BYTES_MAX;
/** Transactions waiting for a block. */
export const PENDING_TRANSACTIONS_MAX = 10_000;

/** Blocks that one call may have made. */
export const MINED_BLOCKS_MAX = 1_000_000;
/** The same where the call answers them. */
export const MINED_BLOCKS_RETURNED_MAX = 100;
/** Blocks without transactions that are stored together. */
export const STORED_TOGETHER_MAX = 1_000;
/** Greatest number that is taken for a time in seconds: greater ones are milliseconds. */
export const SECONDS_WRITTEN_MAX = 1_000_000_000_000;
/** Bytes of the file of what was set for the next blocks of a test chain. */
export const CONTROL_FILE_BYTES_MAX = 4_096;
/** Blocks that one call takes back and makes anew. */
export const REORGANIZED_BLOCKS_MAX = 1_000;
/** Bytes of a dump of a chain, compressed or not (64 MiB). */
export const DUMP_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of the blocks and patches of a dump, decompressed (256 MiB), and of its genesis (4 MiB). */
export const DUMP_INFLATED_BYTES_MAX = 256 * 1024 * 1024;
export const DUMP_GENESIS_BYTES_MAX = 4 * 1024 * 1024;
/** Bytes of memory, at most, for each byte of a block, patch or genesis that is decoded. */
export const DECODED_BYTES_FACTOR = 12;
/** Bytes that a piece of a compressed archive has when it is decompressed (64 KiB). */
export const INFLATED_PIECE_BYTES = 64 * 1024;
/** Balances that one call sets. */
export const BALANCES_SET_MAX = 1_000;
/** Slots of a token that are tried for the one that holds a balance. */
export const TOKEN_SLOTS_MAX = 128;
/** Bytes of code that one call sets (1 MiB). */
export const CODE_SET_BYTES_MAX = 1024 * 1024;
/** Snapshots of a chain at one time. */
export const SNAPSHOTS_MAX = 10_000;
/** Accounts that test mode creates at genesis. */
export const TEST_ACCOUNTS_MAX = 1_000;
/** Native units that test mode gives each of Ethereum's keys: 10,000 ether. */
export const TEST_KEY_BALANCE = 10n ** 12n;

/** Seconds that `personal_unlockAccount` may name: a little over 136 years, so that its clock cannot overflow. */
export const UNLOCK_SECONDS_MAX = 2 ** 32 - 1;
/** Characters of the passphrase of a test account. */
export const PASSPHRASE_CHARACTERS_MAX = 1_024;
/** Characters of typed data that the test wallet signs, and types in it. */
export const TYPED_DATA_CHARACTERS_MAX = 256 * 1024;
export const TYPED_DATA_TYPES_MAX = 256;
/** Milliseconds that a send waits for its block unless told otherwise (EIP-7966), and that it may wait. */
export const SEND_WAIT_MS_DEFAULT = 20_000;
export const SEND_WAIT_MS_MAX = 60_000;
/** Accounts that the test wallet holds, those of the genesis included. */
export const WALLET_ACCOUNTS_MAX = 10_000;
/** Addresses that test mode may impersonate at one time. */
export const IMPERSONATED_ADDRESSES_MAX = 10_000;
/** Seconds that a transaction of the test wallet may wait for its block after the head block. */
export const WALLET_EXPIRATION_SECONDS = 60;
/** Seconds between two blocks that `--block-time` may ask for: a day. */
export const BLOCK_TIME_SECONDS_MAX = 24 * 60 * 60;
/** Test accounts that the start banner lists one by one. */
export const BANNER_ACCOUNTS_MAX = 20;
/** Characters of the text that test accounts are derived from. */
export const SEED_CHARACTERS_MAX = 1_024;
/** Greatest port number. */
export const PORT_MAX = 65_535;
/** Native records of one kind that are kept in memory between blocks. */
export const NATIVE_CACHE_ENTRIES_MAX = 10_000;
/** Block summaries kept in memory. */
export const BLOCK_CACHE_ENTRIES_MAX = 1_024;
/** What the newest block holds stays in memory where it has no more operations, and no more bytes. */
export const HEAD_OPERATIONS_KEPT = 64;
export const HEAD_BYTES_KEPT = 65_536;
/** Least and greatest value of `--max-body`, in bytes: a longer text than the latter cannot become one string. */
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
/** Characters of a path on the command line: the longest that Linux takes. */
export const PATH_CHARACTERS_MAX = 4_096;

/** Bytes of one input of Keccak-256 or BLAKE3 (1 GiB): the hashes' memory is Wasm's, which ends at 4 GiB. */
export const HASH_INPUT_BYTES_MAX = 1024 * 1024 * 1024;

/** Bytes that the database file may grow to (1 TiB); only address space is taken for it in advance. */
export const STORE_FILE_BYTES_MAX = 2 ** 40;
/** Readers of the database file at one time, all processes together. */
export const STORE_READERS_MAX = 1_024;
/** How deep a tree of the database file may be; LMDB knows no deeper ones. */
export const STORE_TREE_DEPTH_MAX = 32;
/** Files that must still be allowed to be opened when a store is: its own, those of a server, and some to spare. */
export const STORE_OPEN_FILES_MIN = 16;
/** Bytes of addresses that must still be free then: those of the database file, and 2 GiB for all else. */
export const STORE_ADDRESS_BYTES_MIN = STORE_FILE_BYTES_MAX + 2 * 1024 ** 3;
/** Attempts to claim a data folder that another process seems to hold, and the least pause between two of them. */
export const FOLDER_CLAIM_ATTEMPTS = 3;
export const FOLDER_CLAIM_PAUSE_MS = 50;
/** Bytes of room that are taken beyond those that a commit may need (8 MiB), so that few commits have to look. */
export const STORE_RESERVE_BYTES_MAX = 8 * 1024 * 1024;
/** Blocks that a test chain in a temporary folder writes together, and about their bytes (4 MiB), in some 15 ms. */
export const UNWRITTEN_BLOCKS_MAX = 128;
export const UNWRITTEN_BYTES_MAX = 4 * 1024 * 1024;
/** Milliseconds between two attempts to write them when one has failed, as on a full disk. */
export const UNWRITTEN_RETRY_MS = 1_000;
/** Bytes of the file by which processes keep out of each other's way: it stays empty. */
export const STORE_GATE_BYTES_MAX = 1024 * 1024;
/** Of how many newest blocks a node keeps what they overwrote; test mode keeps it of all. */
export const UNDO_BLOCKS_DEFAULT = 1_024;
/** Bytes of what blocks overwrote that are kept in memory for reading past states (32 MiB). */
export const UNDO_CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** Overwritten entries that are examined to find out whether a past state had any with a prefix. */
export const PAST_PREFIX_ENTRIES_MAX = 16_384;
/** Past states whose accounts, and last block, are kept in memory. */
export const PAST_STATES_MAX = 8;
/** Records of what blocks overwrote that are dropped together; so many more than told may be kept meanwhile. */
export const UNDO_PRUNED_TOGETHER = 32;
/** Such records that one commit drops while a store is opened that is to keep none. */
export const UNDO_CLEARED_MAX = 4_096;
/** Records that taking blocks back reads, or removes, in one go. */
export const REVERTED_TOGETHER = 1_024;
/** The greatest number that fits into a word of the EVM. */
export const WORD_MAX = 2n ** 256n - 1n;
/** The gas limit of blocks of such chains. Clients that guess take 35 % of it, which is below EIP-7825's bound. */
export const ETHEREUM_BLOCK_GAS_LIMIT = 45_000_000n;
/** Chain ids that a new chain is given: where the public registry has few, and every wallet can hold them. */
export const DRAWN_CHAIN_ID_MIN = 2 ** 30;
export const DRAWN_CHAIN_ID_MAX = 2 ** 31 - 1;
/** Bytes of EVM memory that an engine keeps between blocks: one that has grown beyond them is replaced (64 MiB). */
export const EVM_MEMORY_KEPT_BYTES_MAX = 64 * 1024 * 1024;
/** Milliseconds between the start of a node and the warm-up of the EVM: the first calls come before it. */
export const EVM_WARM_UP_DELAY_MS = 50;
/** Rounds of a warm-up of the EVM; each takes some milliseconds. */
export const EVM_WARM_UP_ROUNDS_MAX = 20;
/** Results of precompiled contracts that are remembered, a power of two, and the bytes that they may take (32 MiB). */
export const REMEMBERED_RESULTS_MAX = 2 ** 19;
export const REMEMBERED_RESULTS_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes of such results that a worker passes on of one call that prewarms (8 MiB). */
export const PASSED_ON_RESULTS_BYTES_MAX = 8 * 1024 * 1024;
/** Gas from which a worker prewarms a sent transaction: the slowest precompiled contract takes some 40 ms for it. */
export const PREWARM_GAS_MIN = 500_000n;
/** Milliseconds that a prewarming call may take: fewer than those after which a worker counts as silent. */
export const PREWARM_TIME_MS_MAX = 5_000;
/** Addresses in a query for event logs, and topics for one position of it. */
export const LOG_ALTERNATIVES_MAX = 1_000;
/** Fewest and most entries of the index of event logs that are read at once. */
export const LOG_CHUNK_MIN = 2;
export const LOG_CHUNK_MAX = 512;

/** Zero bits that a registration's proof of work begins with: on a node, and in test mode. */
export const REGISTRATION_DIFFICULTY_DEFAULT = 20;
export const REGISTRATION_DIFFICULTY_TEST_MODE = 8;
/** Greatest value of `--registration-difficulty`, in bits; 0 asks for no work at all. */
export const REGISTRATION_DIFFICULTY_MAX = 64;
/** Milliseconds that a registration task is good for. */
export const REGISTRATION_TASK_TIMEOUT_MS = 120_000;
/** Registrations within the time of a task, whose tasks are remembered so that each serves one account. */
export const REGISTRATIONS_REMEMBERED_MAX = 100_000;
/** Milliseconds that a registration waits for its block before it is answered that it is pending. */
export const REGISTRATION_BLOCK_TIMEOUT_MS = 30_000;
/** Milliseconds before a registration task's end at which `ledgerd register` gives it up for a new one. */
export const REGISTRATION_TASK_MARGIN_MS = 5_000;
/** Milliseconds that `ledgerd register` waits for an answer that the node can give at once. */
export const REGISTER_RESPONSE_TIMEOUT_MS = 10_000;
/** Worker threads of `ledgerd register`. */
export const REGISTER_THREADS_MAX = 256;

/** Bytes of one chunk of an archive, compressed and not (256 MiB): twice the largest block. */
export const ARCHIVE_CHUNK_BYTES_MAX = 256 * 1024 * 1024;
/** Bytes of the shortest block, without transactions and with account ids of a byte, as the codec writes it. */
export const BLOCK_BYTES_MIN = 156;
/** Bytes of the shortest patch, which sets no balance, and of the longest, which sets code of `CODE_SET_BYTES_MAX`. */
export const PATCH_BYTES_MIN = 3;
export const PATCH_BYTES_MAX = 2 * CODE_SET_BYTES_MAX;
/** Bytes of the genesis in an archive (256 MiB). */
export const ARCHIVE_GENESIS_BYTES_MAX = 256 * 1024 * 1024;

/** Seconds between two blocks of a new chain, unless told otherwise. */
export const BLOCK_INTERVAL_SECONDS_DEFAULT = 3;
/** Bytes of all transactions that wait for a block (64 MiB). */
export const PENDING_BYTES_MAX = 64 * 1024 * 1024;
/** Gas of all pending transactions together, which one may exceed. A block's share of them is bounded by time. */
export const PENDING_GAS_MAX = 500_000_000n;
/** Transactions of Ethereum's that wait for lower nonces: of one sender, and together; and seconds that they wait. */
export const QUEUED_OF_SENDER_MAX = 64;
export const QUEUED_MAX = 1_024;
export const QUEUED_SECONDS_MAX = 3 * 60 * 60;
/** Per cent by which the fees of a transaction have to be higher that replaces another one. */
export const REPLACEMENT_PERCENT = 10n;
/** Checks of a signature whose outcome is remembered. */
export const REMEMBERED_SIGNATURES_MAX = 65_536;

/** Free bytes of a node's file system below which it writes nothing (1 GiB), unless the operator says otherwise. */
export const FREE_BYTES_MIN_DEFAULT = 1024 * 1024 * 1024;
/** Greatest value of `--min-free-space`, in bytes (1 PiB). */
export const FREE_BYTES_FLAG_MAX = 2 ** 50;
/** What writing goes on at, as a multiple of the least free space, so that it does not stop and go all the time. */
export const FREE_BYTES_RESUME_FACTOR = 1.05;
/** Milliseconds between two looks at the free space. */
export const FREE_SPACE_CHECK_MS = 5_000;
/** Bytes of a genesis file (256 MiB). */
export const GENESIS_FILE_BYTES_MAX = 256 * 1024 * 1024;
/** Bytes of the JSON of a transaction that `ledgerd sign` reads (4 MiB): every byte of it may be two digits. */
export const SIGNED_JSON_BYTES_MAX = 4 * 1024 * 1024;
/** Milliseconds that `ledgerd sign` waits for an answer, that to a sent transaction included. */
export const SIGN_RESPONSE_TIMEOUT_MS = 30_000;
/** Bytes of a key file. */
export const KEY_FILE_BYTES_MAX = 64 * 1024;
/** Files in a folder of keys. */
export const KEY_FILES_MAX = 1_000;
/** Native units of them that the registrar begins with: what ten thousand registrations cost. */
export const INIT_REGISTRAR_BALANCE = 1_000_000n;
/** Producers, each with a node, of a chain that `ledgerd init` begins. */
export const INIT_PRODUCERS_MAX = 100;
/** Nodes that one node follows. */
export const FOLLOWED_NODES_MAX = 64;
/** Milliseconds between two polls of a followed node that had nothing new: a quarter of the interval, within these. */
export const FOLLOW_POLL_MS_MIN = 50;
export const FOLLOW_POLL_MS_MAX = 1_000;
/** Milliseconds that are waited for the whole answer of a followed node, without the time that its blocks take here. */
export const FOLLOW_RESPONSE_TIMEOUT_MS = 30_000;
/** Time to the first byte of a followed node: two intervals, within these milliseconds; doubled for a slow one. */
export const FOLLOW_BEGIN_INTERVALS = 2;
export const FOLLOW_BEGIN_MS_MIN = 2_000;
export const FOLLOW_BEGIN_MS_MAX = 10_000;
/** Milliseconds before a followed node that failed is asked again: at first, and at most. */
export const FOLLOW_RETRY_MS_MIN = 500;
export const FOLLOW_RETRY_MS_MAX = 10_000;
/** Bytes of blocks in one answer of the block feed (4 MiB), beyond which only the first block goes. */
export const BLOCK_FEED_BYTES_MAX = 4 * 1024 * 1024;
/** Blocks in one answer of the block feed. */
export const BLOCK_FEED_BLOCKS_MAX = 1_000;
/** Bytes of a block's header: nothing more of a block is kept before its header has been checked. */
export const BLOCK_HEADER_BYTES_MAX = 1_024;
/**
 * Bytes of a followed node's response (128 MiB): one block with all pending transactions, and results as long as they.
 */
export const FOLLOW_RESPONSE_BYTES_MAX = 2 * PENDING_BYTES_MAX;
/** Bytes of a signed block that is kept beside its key. */
export const SIGNED_BLOCK_BYTES_MAX = FOLLOW_RESPONSE_BYTES_MAX;
/** Milliseconds between two questions for the head of a block log: an interval, within these. */
export const BLOCK_LOG_POLL_MS_MIN = 250;
export const BLOCK_LOG_POLL_MS_MAX = 2_000;
/** Milliseconds before a block log that could not be asked is asked again, or what it could not take is taken again. */
export const BLOCK_LOG_RETRY_MS = 250;
/** Milliseconds without a block that a block log is known to have after which it is read anew. */
export const BLOCK_LOG_STALL_MS_MAX = 3_000;
/** Blocks of a block log that are read ahead of those that are being added, and their bytes (8 MiB). */
export const BLOCK_LOG_AHEAD_BLOCKS_MAX = 1_024;
export const BLOCK_LOG_AHEAD_BYTES_MAX = 8 * 1024 * 1024;
/** Blocks of a block log that are decoded before they are added together. */
export const BLOCK_LOG_TOGETHER_BLOCKS_MAX = 128;
/** Milliseconds without an answer of the block log after which health fails. */
export const BLOCK_LOG_SILENCE_MS_MAX = 10_000;
/** Milliseconds between two times at which it is told that the block log cannot be asked. */
export const BLOCK_LOG_NOTICE_MS = 10_000;
/** What of the lag behind a block log is remembered: moments since when so many blocks were known of. */
export const BLOCK_LOG_LAG_MARKS_MAX = 64;
/** Milliseconds after an absent producer's turn at which another makes its block: half an interval, within these. */
export const TURN_GRACE_MS_MIN = 250;
export const TURN_GRACE_MS_MAX = 2_000;
/** Transactions of other nodes that wait for being checked, and their bytes (16 MiB). */
export const RELAY_QUEUE_MAX = 4_096;
export const RELAY_QUEUE_BYTES_MAX = 16 * 1024 * 1024;
/** Milliseconds between two looks at which transactions are to be sent again, and that each waits before it is. */
export const RELAY_CHECK_MS = 500;
export const RELAY_AGAIN_MS = 2_000;
/** Transactions that are sent again at one look, and their bytes (1 MiB). */
export const RELAY_AGAIN_MAX = 256;
export const RELAY_AGAIN_BYTES_MAX = 1024 * 1024;
/** Bytes of a block in one message of a replicated block log (900 KiB), and messages that one block takes. */
export const STREAM_PART_BYTES_MAX = 900 * 1024;
export const STREAM_PARTS_MAX = Math.ceil(SIGNED_BLOCK_BYTES_MAX / STREAM_PART_BYTES_MAX);
/** Bytes that a server of the block log has to take in one message: a part of a block with its headers. */
export const STREAM_PAYLOAD_BYTES_MIN = STREAM_PART_BYTES_MAX + 16 * 1024;
/** Servers of a block log, monitoring addresses of them, and replicas that a block log may have. */
export const STREAM_SERVERS_MAX = 16;
export const STREAM_REPLICAS_MAX = 5;
/** Characters of `--log`, and of a file with the credentials for it. */
export const STREAM_ADDRESS_CHARACTERS_MAX = 4_096;
export const STREAM_CREDENTIALS_BYTES_MAX = 64 * 1024;
/** Bytes of what a server's monitoring address answers (1 MiB), and milliseconds that are waited for it. */
export const STREAM_MONITOR_BYTES_MAX = 1024 * 1024;
export const STREAM_MONITOR_TIMEOUT_MS = 5_000;
/** Milliseconds that a connection to a server of the block log may take, and between two attempts. */
export const STREAM_CONNECT_TIMEOUT_MS = 2_000;
export const STREAM_RECONNECT_MS = 200;
/** Milliseconds that the block log is tried for when it is opened. */
export const STREAM_OPEN_TIMEOUT_MS = 20_000;
/** Milliseconds that one answer of the block log is waited for, and between two attempts. */
export const STREAM_REQUEST_TIMEOUT_MS = 1_500;
export const STREAM_RETRY_MS = 100;
/** Milliseconds without a response after which a block log is asked again: its leader may have changed. */
export const STREAM_ASK_AGAIN_MS = 300;
/** Milliseconds before an append that lost a race is retried: the leader may lag a moment behind its own response. */
export const STREAM_MOVED_RETRY_MS = 2;
/** Milliseconds after which an append that nobody confirms is said to be uncertain. */
export const STREAM_APPEND_TIMEOUT_MS = 5_000;
/** Milliseconds without a replica's sign, due each second, after which the block log's leader counts it as absent. */
export const STREAM_REPLICA_SILENCE_MS_MAX = 5_000;
/** Milliseconds without an answer after which reading the block log fails. */
export const STREAM_SILENCE_MS_MAX = 5_000;
/** Milliseconds for which the block log has to lack what it had before that is taken for a loss. */
export const STREAM_LOSS_MS = 30_000;
/** Messages of a block log that one request reads, and their bytes (4 MiB), of which there may be one message more. */
export const STREAM_BATCH_MESSAGES_MAX = 500;
export const STREAM_BATCH_BYTES_MAX = 4 * 1024 * 1024;
/** Messages read one by one from the block log's leader before batches and the ends of the log are read. */
export const STREAM_SINGLE_READS_MAX = 4;
export const STREAM_ROLLED_MAX = 64;
/** Places in the block log that are remembered. */
export const STREAM_PLACES_MAX = 1_024;
/** Messages, and their bytes (4 MiB), that wait for their confirmation together while a block log is seeded. */
export const STREAM_SEED_MESSAGES_MAX = 256;
export const STREAM_SEED_BYTES_MAX = 4 * 1024 * 1024;
/** Parts of a large block that are sent before the connection has to have taken them. */
export const STREAM_UNCONFIRMED_PARTS_MAX = 8;
/** Bytes of transactions in flight to the block log's servers; beyond them none is forwarded. */
export const STREAM_TRANSACTION_BYTES_MAX = 16 * 1024 * 1024;
/** Seconds that the time of a new block may be ahead of this machine's clock. */
export const BLOCK_AHEAD_SECONDS_MAX = 60;
/** Seconds that this machine's clock may be behind the newest block before a node's health fails. */
export const CLOCK_BEHIND_SECONDS_MAX = 10;
/** Milliseconds by which it may step at once, and that it has to stay where it jumped to before a block is made. */
export const CLOCK_JUMP_MS_MAX = 60_000;
export const CLOCK_SETTLE_MS = 30_000;
/** Bytes of such a reading. */
export const CLOCK_READING_BYTES_MAX = 64;
/** Readings of one producer's clock that are kept. */
export const CLOCK_READINGS_MAX = 16;
/** Transactions that a follower forwards at the same time, and bytes of their requests and responses together. */
export const FORWARDS_MAX = 256;
export const FORWARD_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of the response to a transaction that was forwarded, which is a hash or a receipt. */
export const FORWARD_RESPONSE_BYTES_MAX = 4 * 1024 * 1024;
/** Milliseconds for a followed node to respond, beside those for which the call itself waits for a block. */
export const FORWARD_TIMEOUT_MS = 10_000;
/** Followers that may forward a transaction one to the next. */
export const FORWARD_HOPS_MAX = 4;
/** Milliseconds, beyond a round of turns, for which a node that starts waits for another's block to compare clocks. */
export const FIRST_TURN_MS_MIN = 2_000;
/** Milliseconds without a word of any followed node after which a follower's health fails. */
export const FOLLOW_SILENCE_MS_MAX = 30_000;
/** Health fails when the next block is overdue by this many intervals, and by this many milliseconds. */
export const OVERDUE_INTERVALS_MAX = 3;
export const OVERDUE_MS_MIN = 10_000;
/** Bytes of the headers of one request (16 KiB). */
export const HEADER_BYTES_MAX = 16 * 1024;
/** Fields of the headers of a request. */
export const HEADER_FIELDS_MAX = 2_000;

/** Greatest value of `--max-connections`. */
export const CONNECTIONS_FLAG_MAX = 1_000_000;
/** Greatest value of `--max-lag`, in seconds: a day; in blocks it is the greatest number of a block. */
export const LAG_SECONDS_FLAG_MAX = 24 * 60 * 60;
/** Least and greatest value of `--max-headers`, in bytes. */
export const HEADER_BYTES_FLAG_MIN = 1_024;
export const HEADER_BYTES_FLAG_MAX = 1024 * 1024;
/** Greatest value of a flag that gives a client, or the node, so many seconds: an hour. */
export const TIMEOUT_FLAG_SECONDS_MAX = 60 * 60;
/** Greatest value of `--rate-limit`, in calls a second. */
export const RATE_LIMIT_FLAG_MAX = 1_000_000;
/** Milliseconds that a command works on before it looks whether it is to stop. */
export const WORK_SLICE_MS_MAX = 50;

/** Bytes of the traces of one request, unless the operator says otherwise (256 MiB). */
export const TRACE_BYTES_MAX = 256 * 1024 * 1024;
/** Bytes of traces that are gathered, or sent only when all is made (16 MiB). */
export const TRACE_WHOLE_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes that are kept of a trace that may be sent in pieces; one that is longer goes as it is made (4 MiB). */
export const TRACE_KEPT_BYTES_MAX = 4 * 1024 * 1024;
/** Milliseconds of computing for the traces of one request, unless the operator says otherwise. */
export const TRACE_TIME_MS_MAX = 5_000;
/** Between which an operator may choose them. */
export const TRACE_BYTES_FLAG_MIN = 64 * 1024;
export const TRACE_BYTES_FLAG_MAX = 64 * 1024 * 1024 * 1024;
export const TRACE_TIMEOUT_SECONDS_MIN = 0.01;
export const TRACE_TIMEOUT_SECONDS_MAX = 3_600;
/** Calls of one `trace_callMany`, and kinds of traces that a request may ask for at once. */
export const TRACED_CALLS_MAX = 1_000;
/** Tracers that one `muxTracer` may have. */
export const MUX_TRACERS_MAX = 8;
/** Blocks that one `trace_filter` runs again. */
export const TRACE_FILTER_BLOCKS_MAX = 1_000;
/** Bytes of what the code of one transaction or call may tell the console (64 KiB); what follows is left out. */
export const CONSOLE_BYTES_MAX = 64 * 1024;
/** Contracts of which a node knows the interfaces; the first ones go when there are more. */
export const ARTIFACTS_MAX = 4_096;
/** Bytes that interfaces, codes and source maps take together (128 MiB); the first ones go when there are more. */
export const ARTIFACT_BYTES_MAX = 128 * 1024 * 1024;
/** Codes of which is remembered whose they are. */
export const ARTIFACT_CODES_MAX = 4_096;
/** Bytes of a file with artifacts (128 MiB); a larger one is passed over. */
export const ARTIFACT_FILE_BYTES_MAX = 128 * 1024 * 1024;
/** Contracts, the newest ones, among which those of an artifact are looked for. */
export const ARTIFACT_MATCHES_LOOKED_MAX = 10_000;
/** Artifacts of one name, the newest ones, whose contracts are looked for. */
export const ARTIFACT_NAMESAKES_MAX = 16;
/** Contracts of one name that are returned. */
export const CONTRACTS_FOUND_MAX = 25;
/** Files that are looked at in a folder of artifacts. */
export const ARTIFACT_FILES_MAX = 20_000;
/** Bytes that the calls of a failed transaction may come to in the node's log; more of it is not told. */
export const LOGGED_TRACE_BYTES_MAX = 4 * 1024 * 1024;
/** Milliseconds that it may take to find out the calls of a block's failed transactions for the node's log. */
export const LOGGED_TRACE_MS_MAX = 1_000;
/** Failed transactions of a block whose calls are told in the node's log. */
export const LOGGED_FAILURES_MAX = 16;
/** Milliseconds that a node may take for a trace that the command line asks for. */
export const TRACE_COMMAND_MS_MAX = 120_000;
/** Calls within calls of a trace that the command line reads: the EVM has no more than 1,024. */
export const TRACED_DEPTH_MAX = 1_100;
/** Instructions before the end of a call among which its line of the source is looked for. */
export const TRACED_PATH_MAX = 512;
/** Lines of the calls of a transaction in the node's log. */
export const CALL_TREE_LINES_MAX = 200;
/** Steps by which deep calls are indented in the node's log. */
export const CALL_TREE_INDENTATIONS_MAX = 32;
/** Bytes of a call's input that are shown where nothing is known of it. */
export const SHOWN_INPUT_BYTES_MAX = 36;
/** Bytes of revert data that are shown where nothing is known of them. */
export const SHOWN_REASON_BYTES_MAX = 68;
/** Characters of a decoded value, or of a call's arguments together, in a line of the node's log. */
export const SHOWN_VALUE_CHARACTERS_MAX = 320;
/** How deep calls go (the yellow paper's bound), the outermost not counted. */
export const CALL_DEPTH_MAX = 1_024;
/** Slots that one `debug_storageRangeAt` answers. */
export const STORAGE_RANGE_MAX = 1_024;

/** Milliseconds of computing for one `eth_call` or `eth_estimateGas`, unless the operator says otherwise. */
export const CALL_TIME_MS_MAX = 1_000;
/** Least and greatest value of `--call-timeout`, in seconds. */
export const CALL_TIMEOUT_SECONDS_MIN = 0.01;
export const CALL_TIMEOUT_SECONDS_MAX = 60 * 60;
/** Milliseconds from which on a piece of work is long: before the next such piece the quick are served. */
export const LONG_WORK_MS = 50;
/** What everything else gets of the time that such calls take, at least, while there is anything else. */
export const TURN_PAUSE_SHARE = 0.1;
/** Calls that wait for their turn, and those that wait for a worker. */
export const WAITING_CALLS_MAX = 4_096;
/** Clients whose use of the node is remembered while nothing of theirs waits. */
export const FAIR_CLIENTS_MAX = 4_096;
/** Milliseconds that sends may take in a row while other calls wait. */
export const SENDS_FIRST_MS = 500;
/** Bytes of a body up to which it is parsed at once; a larger one takes turns, and a batch is parsed item by item. */
export const QUICK_BODY_BYTES_MAX = 16 * 1024;
/** Bytes held for all clients: a quarter of the heap, at most 512 MiB. The rest is for the node and for garbage. */
export const HELD_BYTES_MAX = Math.min(512 * 1024 * 1024, Math.floor(HEAP_BYTES_MAX / 4));
/** Least and greatest value of `--max-held`, in bytes. */
export const HELD_BYTES_FLAG_MIN = 64 * 1024 * 1024;
export const HELD_BYTES_FLAG_MAX = 64 * 1024 * 1024 * 1024;
/** Share of the held bytes up to which a client may take more whatever others hold, as long as there is any room. */
export const HELD_SMALL_SHARE = 1 / 16;
/** Milliseconds that a batch waits for room before what is left of it is refused. */
export const ROOM_WAIT_MS_MAX = 30_000;
/** Milliseconds that a client has to send a request, or to take an answer, before it may be closed to make room. */
export const SLOW_CLIENT_MS = 2_000;
/** Characters beyond which an answer, or those of a batch so far, leave the heap as bytes: it may have to wait. */
export const LONG_RESPONSE_CHARACTERS = 16 * 1024;
/** Connections that the system keeps until the server accepts them: it accepts one whenever its loop goes round. */
export const UNACCEPTED_CONNECTIONS_MAX = 4_096;
/** Milliseconds for which a burst of connections delays parsing, and its share of the time from then on. */
export const ACCEPT_BURST_MS = 10;
export const ACCEPT_TIME_SHARE = 3 / 4;
/** Bytes of long answers that are written before the event loop goes round (512 KiB), and of one at a time. */
export const TURN_WRITE_BYTES_MAX = 512 * 1024;
export const WRITTEN_TOGETHER_BYTES = 128 * 1024;
/** Bytes of long bodies read per turn of the event loop (512 KiB), and bytes that each piece costs in addition. */
export const TURN_READ_BYTES_MAX = 512 * 1024;
export const BODY_PIECE_COST_BYTES = 256;
/**
 * Pieces of a body, such as chunks, after which they need so many bytes on average: each costs as much as thousands.
 */
export const SMALL_PIECES_MAX = 4_096;
export const PIECE_BYTES_MIN = 32;
/** Bytes in which what comes in smaller pieces is gathered: as many as the system gives at a time. */
export const GATHERED_PIECE_BYTES = 64 * 1024;
/** Lines of a chunked body that are parsed at a time: a chunk has two. */
export const PARSED_LINES_MAX = 256;
/** Milliseconds, and requests, that parsing takes per turn of the event loop; the last read may exceed either. */
export const TURN_PARSE_MS = 2;
export const TURN_REQUESTS_MAX = 16;
/** Milliseconds that a query may be expected to take in the node's own process where there are workers. */
export const LOCAL_QUERY_MS_MAX = 0.5;
/** Kinds of calls whose costs are remembered. */
export const CALL_COSTS_MAX = 4_096;
/** Greatest value of `--workers`. */
export const WORKERS_FLAG_MAX = 64;
/** Questions that a worker is given at a time: one that it works on, and the next, as long as both are short. */
export const WORKER_QUESTIONS_MAX = 2;
/** Milliseconds that all questions of a worker may be expected to take if it has more than one. */
export const WORKER_AHEAD_MS_MAX = 10;
/** Milliseconds between two looks at whether the workers are there. */
export const WORKER_CHECK_MS = 1_000;
/** Milliseconds, beyond the time that a call may take, after which a worker that says nothing is ended. */
export const WORKER_SILENCE_MS_MAX = 10_000;
/** Bytes of a piece in which a long trace goes: as many, with a head of 8, as a process reads at a time. */
export const TRACE_PIECE_BYTES = 64 * 1024 - 8;
/** Pieces that may wait for their client. */
export const TRACE_PIECES_AHEAD_MAX = 4;
/** Gas, with that of the transactions before it, up to which the node itself traces a transaction's calls: some ms. */
export const SHORT_TRACE_GAS_MAX = 500_000;
/** Transactions of the block up to it, blocks since, and bytes of the trace, at most, for the same. */
export const SHORT_TRACE_OPERATIONS_MAX = 32;
export const SHORT_TRACE_BLOCKS_MAX = 256;
export const SHORT_TRACE_BYTES_MAX = 256 * 1024;
/** Percent by which the heap of such a process grows before all of it is collected (V8 itself would let it double). */
export const TRACE_HEAP_GROWING_PERCENT = 20;
/** Milliseconds between two looks at the processes that make traces. */
export const TRACE_CHECK_MS = 250;
/** Milliseconds after which such a process ends that has nothing to do. */
export const TRACE_IDLE_MS = 60_000;
/** Milliseconds that a trace waits for its client in all, and while others wait for their traces. */
export const TRACE_PAUSE_MS_MAX = 120_000;
export const TRACE_PAUSE_BEFORE_OTHERS_MS_MAX = 10_000;
/** Bytes of a request head up to which it is remembered. */
export const KNOWN_HEAD_BYTES_MAX = 2_048;
/** Heads that are remembered for each address of this machine, and such addresses. */
export const KNOWN_HEADS_MAX = 256;
export const KNOWN_ADDRESSES_MAX = 64;
/** Bytes of a body up to which it is put together. */
export const WHOLE_BODY_BYTES_MAX = 64 * 1024;
/** Milliseconds between two looks at which connections have been idle for too long. */
export const IDLE_WATCH_MS_MAX = 500;
/** Microseconds after an answer in which the server looks for the next request before it sleeps. */
export const BUSY_POLL_MICROSECONDS = 50;
/** Greatest value of `--busy-poll`. */
export const BUSY_POLL_MICROSECONDS_MAX = 10_000;
/** Clients whose calls are counted at one time; beyond them the one that was silent longest is forgotten. */
export const COUNTED_CLIENTS_MAX = 65_536;
/** Steps of one search for event logs: one for each entry of the index that is read, and some for each leap. */
export const LOG_SEARCH_STEPS_MAX = 1_000_000;
/** Bytes of event logs that one search reads to find those that match (256 MiB). */
export const LOG_READ_BYTES_MAX = 256 * 1024 * 1024;
/** What making texts of the metrics may take of the node's time; and milliseconds after one, at most, for that. */
export const METRICS_TIME_SHARE = 0.1;
export const METRICS_PAUSE_MS_MAX = 100;

/** What a block may take of the interval between two: when it is over, the block takes no more transactions. */
export const BLOCK_TIME_SHARE = 0.5;
/** Milliseconds that what waited is executed for at a start before the node listens; the rest follows after that. */
export const PENDING_RESTORE_MS_MAX = 250;
/** Milliseconds that blocks and what waits for them are worked on before everything else gets its turn. */
export const WRITE_SLICE_MS = 15;
/** The same where what came in between took longer than that: so that blocks are not held up by slow calls. */
export const WRITE_SLICE_MS_MAX = 250;
