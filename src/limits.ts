/**
 * Every bound of the node, in one place. A bound that an operator may move has a flag of the command line;
 * the error that reports a bound names it and its value.
 */

/** Bytes of an HTTP body (5 MiB). */
export const BODY_BYTES_MAX = 5 * 1024 * 1024;
/** Requests in one JSON-RPC batch. */
export const BATCH_REQUESTS_MAX = 1_000;
/** Characters of the answer to one JSON-RPC batch; what follows is answered by an error and not executed. */
export const BATCH_RESPONSE_CHARACTERS_MAX = 25 * 1024 * 1024;
/** Milliseconds that calls which may take long run before everything else gets its turn. */
export const TURN_MS_MAX = 10;
/** Milliseconds of computing for one batch; what follows is answered by an error and not executed. */
export const BATCH_TIME_MS_MAX = 30_000;
/** Characters of a caller's text that an error message repeats. */
export const QUOTED_CHARACTERS_MAX = 64;
/** Characters of the answers of each kind, blocks among them, that are kept because they never change (16 MiB). */
export const INCLUDED_ANSWERS_CHARACTERS_MAX = 16 * 1024 * 1024;
/** How deep arrays and objects of a request may be nested. */
export const JSON_DEPTH_MAX = 64;
/** Characters of a QUANTITY, `0x` and leading zeros included: 32 bytes. */
export const QUANTITY_CHARACTERS_MAX = 66;
/** Gas of an `eth_call` or `eth_estimateGas`. */
export const CALL_GAS_MAX = 50_000_000n;
/** Logs in one answer, and hashes in the answer of a block filter or of a pending-transaction filter. */
export const LOGS_MAX = 10_000;
/** Greatest value of `--max-logs`: the text of a longer answer could be too long for one string. */
export const LOGS_FLAG_MAX = 100_000;
/** Bytes of data that the logs of one answer carry together (64 MiB). */
export const LOG_DATA_BYTES_MAX = 64 * 1024 * 1024;
/** Filters at one time. */
export const FILTERS_MAX = 10_000;
/** Addresses and topics that all filters name together. */
export const FILTER_CRITERIA_MAX = 250_000;
/** Seconds after which a filter is removed that nobody polls. */
export const FILTER_TIMEOUT_SECONDS = 300;
/** Greatest value of `--filter-timeout`: a day. */
export const FILTER_TIMEOUT_SECONDS_MAX = 24 * 60 * 60;
/** Gas of one operation of a transaction, before the Osaka fork: Ethereum's block gas limit of that time. */
export const OPERATION_GAS_MAX = 30_000_000n;
/** The same from Osaka on (EIP-7825). */
export const OPERATION_GAS_OSAKA_MAX = 16_777_216n;

/** Concurrent connections of the HTTP server. */
export const CONNECTIONS_MAX = 1_024;
/** Milliseconds within which a client must have sent its headers. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** Milliseconds within which a client must have sent its whole request. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** Milliseconds after which a connection is closed on which nothing moves, such as one whose client does not read. */
export const STALLED_TIMEOUT_MS = 120_000;
/** Milliseconds that requests in flight have to finish when the server closes. */
export const CLOSE_GRACE_MS = 5_000;
/** Bytes of a refused body that are read and thrown away, so that its sender gets to see the answer. */
export const DISCARDED_BYTES_MAX = 64 * 1024 * 1024;
/** Seconds that a web browser may remember the answer to a preflight request. */
export const PREFLIGHT_SECONDS_MAX = 600;
/** Milliseconds that an idle kept-alive connection stays open. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Greatest native amount: the largest int64. */
export const AMOUNT_MAX = 2n ** 63n - 1n;
/** Greatest instance of an object identifier: 48 bits. */
export const INSTANCE_MAX = 2 ** 48 - 1;
/** First instance of a registered account; those below are the system's and the precompiled contracts'. */
export const FIRST_ACCOUNT_INSTANCE = 1_024;
/** Seconds that a transaction's expiration may lie ahead of the head block. */
export const EXPIRATION_SECONDS_MAX = 24 * 60 * 60;
/** Operations in one transaction. */
export const TRANSACTION_OPERATIONS_MAX = 1_000;
/** Bytes of a serialized transaction. */
export const TRANSACTION_BYTES_MAX = 1024 * 1024;
/** Signatures of one transaction. */
export const TRANSACTION_SIGNATURES_MAX = 16;
/** Keys and accounts in one authority. */
export const AUTHORITY_MEMBERS_MAX = 16;
/** How deep authorities may refer to other accounts' authorities. */
export const AUTHORITY_DEPTH_MAX = 2;
/** Characters of an account name. */
export const ACCOUNT_NAME_CHARACTERS_MIN = 3;
export const ACCOUNT_NAME_CHARACTERS_MAX = 63;
/** A delegate's share in hundredths of a per cent. */
export const DELEGATE_SHARE_MAX = 10_000;
/** Transactions waiting for a block. */
export const PENDING_TRANSACTIONS_MAX = 10_000;
/** Transactions in one block. */
export const BLOCK_TRANSACTIONS_MAX = 10_000;
/** Greatest time stamp of a block, in seconds: the format's time is a uint32. */
export const TIMESTAMP_MAX = 2 ** 32 - 1;
/** Latest time that the clock may be moved to: expirations, which lie ahead of it, are such times as well. */
export const CLOCK_TIME_MAX = TIMESTAMP_MAX - EXPIRATION_SECONDS_MAX;

/** Accounts that test mode creates at genesis. */
export const TEST_ACCOUNTS_MAX = 1_000;

/** Seconds that `personal_unlockAccount` may name: a little over 136 years, so that its clock cannot overflow. */
export const UNLOCK_SECONDS_MAX = 2 ** 32 - 1;
/** Seconds that an account is unlocked for when the caller names no duration. */
export const UNLOCK_SECONDS_DEFAULT = 300;
/** Characters of the passphrase of a test account. */
export const PASSPHRASE_CHARACTERS_MAX = 1_024;
/** Accounts that the test wallet holds, those of the genesis included. */
export const WALLET_ACCOUNTS_MAX = 10_000;
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
/** Keys that the authorities of one transaction may lead to. */
export const AUTHORITY_KEYS_MAX = 32;
/** Bytes of each number of a modular exponentiation, from Osaka on (EIP-7823). */
export const MODEXP_BYTES_MAX = 1_024;
/** Bytes of init code (EIP-3860). */
export const INIT_CODE_BYTES_MAX = 49_152;
/** Least and greatest value of `--max-body`, in bytes: a longer text than the latter cannot become one string. */
export const BODY_BYTES_FLAG_MIN = 1_024;
export const BODY_BYTES_FLAG_MAX = 256 * 1024 * 1024;
/** Greatest value of `--max-batch`, in requests. */
export const BATCH_REQUESTS_FLAG_MAX = 100_000;
/** Least and greatest value of `--call-gas`: the gas of an empty call, and some minutes of computing. */
export const CALL_GAS_FLAG_MIN = 21_000;
export const CALL_GAS_FLAG_MAX = 1_000_000_000_000;
/** Characters of one message in the log on the terminal. */
export const LOG_MESSAGE_CHARACTERS_MAX = 300;
/** Characters of a path on the command line: the longest that Linux takes. */
export const PATH_CHARACTERS_MAX = 4_096;

/** Bytes of one input of Keccak-256 or BLAKE3 (1 GiB): the hashes' memory is Wasm's, which ends at 4 GiB. */
export const HASH_INPUT_BYTES_MAX = 1024 * 1024 * 1024;

/** Greatest block number, and greatest index of an operation in a block: hashes hold them in 4 bytes. */
export const BLOCK_NUMBER_MAX = 2 ** 32 - 1;
export const OPERATION_INDEX_MAX = 2 ** 32 - 1;
/** Bytes that the database file may grow to (1 TiB); only address space is taken for it in advance. */
export const STORE_FILE_BYTES_MAX = 2 ** 40;
/** Readers of the database file at one time, all processes together. */
export const STORE_READERS_MAX = 1_024;
/** Milliseconds between two searches for readers whose process has ended. */
export const STORE_READER_CHECK_MS = 5_000;
/** How deep a tree of the database file may be; LMDB knows no deeper ones. */
export const STORE_TREE_DEPTH_MAX = 32;
/** Bytes of the file by which processes keep out of each other's way: it stays empty. */
export const STORE_GATE_BYTES_MAX = 1024 * 1024;
/** Milliseconds between two reports of how far a backup has come. */
export const STORE_BACKUP_PROGRESS_MS = 200;
/** The gas limit that contracts see as GASLIMIT: every operation brings its own, the block itself has none. */
export const BLOCK_GAS_LIMIT = AMOUNT_MAX;
/** Bytes that the memories of all running EVM frames may take together; beyond them gas runs out (1.5 GiB). */
export const EVM_MEMORY_BYTES_MAX = 1536 * 1024 * 1024;
/** Bytes of EVM memory that an engine keeps between blocks: one that has grown beyond them is replaced (64 MiB). */
export const EVM_MEMORY_KEPT_BYTES_MAX = 64 * 1024 * 1024;
/** Milliseconds between the start of a node and the warm-up of the EVM: the first calls come before it. */
export const EVM_WARM_UP_DELAY_MS = 50;
/** Rounds of a warm-up of the EVM; each takes some milliseconds. */
export const EVM_WARM_UP_ROUNDS_MAX = 20;
/** Gas of one execution: the largest signed 64-bit number. */
export const EXECUTION_GAS_MAX = 2n ** 63n - 1n;
/** Topics of a log, and positions of topics in a query for logs. */
export const LOG_TOPICS_MAX = 4;
/** Addresses in a query for logs, and topics for one position of it. */
export const LOG_ALTERNATIVES_MAX = 1_000;
/** Fewest and most entries of the index of logs that are read at once. */
export const LOG_CHUNK_MIN = 2;
export const LOG_CHUNK_MAX = 512;

/** Zero bits that a registration's proof of work begins with: on a node, and in test mode. */
export const REGISTRATION_DIFFICULTY_DEFAULT = 20;
export const REGISTRATION_DIFFICULTY_TEST_MODE = 8;
/** Greatest value of `--registration-difficulty`, in bits; 0 asks for no work at all. */
export const REGISTRATION_DIFFICULTY_MAX = 64;
/** Milliseconds that a registration task is good for. */
export const REGISTRATION_TASK_TIMEOUT_MS = 120_000;
/** Registration tasks that wait for a solution; beyond them the oldest is given up. */
export const REGISTRATION_TASKS_MAX = 100_000;
/** Milliseconds that a registration waits for its block before it is answered that it is pending. */
export const REGISTRATION_BLOCK_TIMEOUT_MS = 30_000;
/** Seconds that the transaction of a registration may wait for its block. */
export const REGISTRATION_EXPIRATION_SECONDS = 60;
/** Milliseconds before a registration task's end at which `ledgerd register` gives it up for a new one. */
export const REGISTRATION_TASK_MARGIN_MS = 5_000;
/** Milliseconds that `ledgerd register` waits for an answer that the node can give at once. */
export const REGISTER_ANSWER_TIMEOUT_MS = 10_000;
/** Worker threads of `ledgerd register`. */
export const REGISTER_THREADS_MAX = 256;
/** Greatest value of a uint64. */
export const UINT64_MAX = 2n ** 64n - 1n;

/** Bytes of serialized blocks after which a chunk of an archive is closed (4 MiB). */
export const ARCHIVE_CHUNK_TARGET_BYTES = 4 * 1024 * 1024;
/** Bytes of one chunk of an archive, compressed and not (1 GiB): a block that is larger cannot be exported. */
export const ARCHIVE_CHUNK_BYTES_MAX = 1024 * 1024 * 1024;
/** Bytes of the genesis in an archive (256 MiB). */
export const ARCHIVE_GENESIS_BYTES_MAX = 256 * 1024 * 1024;

/** Characters of a network's name. */
export const NETWORK_NAME_CHARACTERS_MAX = 64;
/** Accounts of a genesis. */
export const GENESIS_ACCOUNTS_MAX = 100_000;
/** Producers of a genesis. */
export const GENESIS_PRODUCERS_MAX = 1_000;
/** Greatest instance that a genesis may use or reserve: it leaves later accounts and contracts nearly all of them. */
export const GENESIS_INSTANCE_MAX = 2 ** 40;
/** Seconds between two blocks that a genesis or `--block-interval` may ask for. */
export const BLOCK_INTERVAL_SECONDS_MIN = 0.1;
export const BLOCK_INTERVAL_SECONDS_MAX = 24 * 60 * 60;
/** Seconds between two blocks of a new chain, unless told otherwise. */
export const BLOCK_INTERVAL_SECONDS_DEFAULT = 3;
/** Bytes of all transactions that wait for a block (64 MiB). */
export const PENDING_BYTES_MAX = 64 * 1024 * 1024;
/**
 * Gas that the transactions that wait for a block may use together, and so what a block takes: it is executed
 * again for the block, and again for what still waits after it. One transaction may go past it.
 */
export const PENDING_GAS_MAX = 500_000_000n;
/** Gas that several operations of one transaction may offer together. */
export const TRANSACTION_GAS_MAX = 50_000_000n;
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
/** Bytes of a key file. */
export const KEY_FILE_BYTES_MAX = 64 * 1024;
/** Files in a folder of keys. */
export const KEY_FILES_MAX = 1_000;
/** Native units that `ledgerd init` creates, unless the operator says otherwise. */
export const INIT_SUPPLY_DEFAULT = 1_000_000_000_000_000_000n;
/** Native units of them that the registrar begins with: what ten thousand registrations cost. */
export const INIT_REGISTRAR_BALANCE = 1_000_000n;
/** Nodes that one node follows. */
export const FOLLOWED_NODES_MAX = 64;
/** Milliseconds between two polls of a followed node that had nothing new: a quarter of the interval, within these. */
export const FOLLOW_POLL_MS_MIN = 50;
export const FOLLOW_POLL_MS_MAX = 1_000;
/** Milliseconds that a followed node has for a whole answer. */
export const FOLLOW_ANSWER_TIMEOUT_MS = 30_000;
/** Milliseconds before a followed node that failed is asked again: at first, and at most. */
export const FOLLOW_RETRY_MS_MIN = 500;
export const FOLLOW_RETRY_MS_MAX = 10_000;
/** Bytes of blocks in one answer of the block feed (4 MiB), beyond which only the first block goes. */
export const BLOCK_FEED_BYTES_MAX = 4 * 1024 * 1024;
/** Blocks in one answer of the block feed. */
export const BLOCK_FEED_BLOCKS_MAX = 1_000;
/** Bytes of an answer of a followed node (256 MiB): its first block may be larger than the bound of the feed. */
export const FOLLOW_ANSWER_BYTES_MAX = 256 * 1024 * 1024;
/** Milliseconds without a word of any followed node after which a follower's health fails. */
export const FOLLOW_SILENCE_MS_MAX = 30_000;
/** A producer's health fails when its block is overdue by this many intervals, and by this many milliseconds. */
export const OVERDUE_INTERVALS_MAX = 3;
export const OVERDUE_MS_MIN = 10_000;
/** Bytes of the headers of one request (16 KiB). */
export const HEADER_BYTES_MAX = 16 * 1024;

/** Greatest value of `--max-connections`. */
export const CONNECTIONS_FLAG_MAX = 1_000_000;
/** Least and greatest value of `--max-headers`, in bytes. */
export const HEADER_BYTES_FLAG_MIN = 1_024;
export const HEADER_BYTES_FLAG_MAX = 1024 * 1024;
/** Greatest value of a flag that gives a client, or the node, so many seconds: an hour. */
export const TIMEOUT_FLAG_SECONDS_MAX = 60 * 60;
/** Greatest value of `--rate-limit`, in calls a second. */
export const RATE_LIMIT_FLAG_MAX = 1_000_000;
/** Milliseconds that a command works on before it looks whether it is to stop. */
export const WORK_SLICE_MS_MAX = 50;

/** Milliseconds of computing for one `eth_call` or `eth_estimateGas`, unless the operator says otherwise. */
export const CALL_TIME_MS_MAX = 1_000;
/** Least and greatest value of `--call-timeout`, in seconds. */
export const CALL_TIMEOUT_SECONDS_MIN = 0.01;
export const CALL_TIMEOUT_SECONDS_MAX = 60 * 60;
/** What everything else gets of the time that such calls take, at least, while there is anything else. */
export const TURN_PAUSE_SHARE = 0.1;
/** Milliseconds in which half of what a client has computed is forgiven when turns are given. */
export const TURN_FORGIVENESS_MS = 10_000;
/** Bytes of a body up to which it is parsed at once; a larger one takes turns, and a batch is parsed item by item. */
export const QUICK_BODY_BYTES_MAX = 16 * 1024;
/** Bytes of bodies and answers that the server holds for its clients together (512 MiB). */
export const HELD_BYTES_MAX = 512 * 1024 * 1024;
/** Milliseconds between two looks at which clients are too slow. */
export const SLOW_CLIENT_CHECK_MS_MAX = 5_000;
/** Connections that the system keeps until the server accepts them: it accepts one whenever its loop goes round. */
export const UNACCEPTED_CONNECTIONS_MAX = 4_096;
/** Requests that one connection may have sent ahead of their answers. */
export const PIPELINED_REQUESTS_MAX = 100;
/** Milliseconds that a query may be expected to take in the node's own process where there are workers. */
export const LOCAL_QUERY_MS_MAX = 0.5;
/** Milliseconds after which such a call goes to a worker all the same. */
export const LOCAL_QUERY_LEASH_MS = 5;
/** Kinds of calls whose costs are remembered. */
export const CALL_COSTS_MAX = 4_096;
/** Greatest value of `--workers`. */
export const WORKERS_FLAG_MAX = 64;
/** Questions that a worker is given at a time: one that it works on, and the next. */
export const WORKER_QUESTIONS_MAX = 2;
/** Milliseconds after the node's start before its workers are started. */
export const WORKER_START_MS = 50;
/** Milliseconds before a worker that has ended is started again. */
export const WORKER_RESTART_MS = 1_000;
/** Bytes of the headers and of the body up to which the server serves a request without the full HTTP parser. */
export const DIRECT_HEAD_BYTES_MAX = 2_048;
export const DIRECT_BODY_BYTES_MAX = 64 * 1024;
/** Heads of such requests that are remembered for each address of this machine, and such addresses. */
export const DIRECT_HEADS_MAX = 256;
export const DIRECT_ADDRESSES_MAX = 64;
/** Milliseconds that a request may take to arrive before the full HTTP parser takes it over. */
export const DIRECT_WAIT_MS_MAX = 1_000;
/** Milliseconds between two looks at which connections have been idle for too long. */
export const DIRECT_WATCH_MS_MAX = 500;
/** Microseconds after an answer in which the server looks for the next request before it sleeps. */
export const BUSY_POLL_MICROSECONDS = 50;
/** Greatest value of `--busy-poll`. */
export const BUSY_POLL_MICROSECONDS_MAX = 10_000;
/** Clients whose calls are counted at one time; beyond them the one that was silent longest is forgotten. */
export const COUNTED_CLIENTS_MAX = 65_536;
/** Steps of one search for logs: one for each entry of the index that is read, and some for each leap. */
export const LOG_SEARCH_STEPS_MAX = 1_000_000;
/** Bytes of logs that one search reads to find those that match (256 MiB). */
export const LOG_READ_BYTES_MAX = 256 * 1024 * 1024;
/** Milliseconds between two measurements of how late the event loop is. */
export const EVENT_LOOP_SAMPLE_MS = 100;
