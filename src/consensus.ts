/**
 * The values that all nodes of a chain must share: a node with another value accepts other blocks, or executes them
 * differently, and forks from the chain. None has a flag.
 */

/** Gas of one operation of a transaction, before the Osaka hard fork: Ethereum's block gas limit of that time. */
export const OPERATION_GAS_MAX = 30_000_000n;
/** Gas of one Ethereum transaction on a test chain before Osaka: all that the pool takes. */
export const TEST_TRANSACTION_GAS_MAX = 500_000_000n;
/** Gas of one operation from Osaka on (EIP-7825). */
export const OPERATION_GAS_OSAKA_MAX = 16_777_216n;
/** Greatest native amount: the largest int64. */
export const AMOUNT_MAX = 2n ** 63n - 1n;
/** Greatest instance of an object identifier: 48 bits. */
export const INSTANCE_MAX = 2 ** 48 - 1;
/** First instance of a registered account; those below are the system's and the precompiled contracts'. */
export const FIRST_ACCOUNT_INSTANCE = 1_024;
/** Greatest distance of a transaction's expiration from the head block, in seconds. */
export const EXPIRATION_SECONDS_MAX = 24 * 60 * 60;
/** Greatest nonce of an Ethereum transaction (EIP-2681): one more would not fit the account's 64 bits. */
export const ETHEREUM_NONCE_MAX = 2n ** 64n - 2n;
/** Operations in one transaction. */
export const TRANSACTION_OPERATIONS_MAX = 1_000;
/** Bytes of a serialized transaction. */
export const TRANSACTION_BYTES_MAX = 1024 * 1024;
/** Signatures of one transaction. */
export const TRANSACTION_SIGNATURES_MAX = 16;
/** Keys and accounts in one authority. */
export const AUTHORITY_MEMBERS_MAX = 16;
/** Depth of references from an authority to those of other accounts. */
export const AUTHORITY_DEPTH_MAX = 2;
/** Characters of an account name. */
export const ACCOUNT_NAME_CHARACTERS_MIN = 3;
export const ACCOUNT_NAME_CHARACTERS_MAX = 63;
/** A delegate's share in hundredths of a per cent. */
export const DELEGATE_SHARE_MAX = 10_000;
/** Transactions in one block. */
export const BLOCK_TRANSACTIONS_MAX = 10_000;
/** Greatest time stamp of a block, in seconds: the format's time is a uint32. */
export const TIMESTAMP_MAX = 2 ** 32 - 1;
/** Latest time to which the clock may be set: expirations after it must fit the format, too. */
export const CLOCK_TIME_MAX = TIMESTAMP_MAX - EXPIRATION_SECONDS_MAX;
/** Changes of the state of a test chain after one block, and without another. */
export const PATCHES_AFTER_BLOCK_MAX = 1_000_000;
/** Keys of the authorities of one transaction. */
export const AUTHORITY_KEYS_MAX = 32;
/** Bytes of each number of a modular exponentiation, from Osaka on (EIP-7823). */
export const MODEXP_BYTES_MAX = 1_024;
/** Greatest block number, and greatest index of an operation in a block: hashes hold them in 4 bytes. */
export const BLOCK_NUMBER_MAX = 2 ** 32 - 1;
export const OPERATION_INDEX_MAX = 2 ** 32 - 1;
/** The result of GASLIMIT: every operation has a gas limit, the block has none. */
export const BLOCK_GAS_LIMIT = AMOUNT_MAX;
/** Wei in a native unit on chains with Ethereum: a unit of gas costs one native unit, which is 10 gwei. */
export const WEI_PER_UNIT = 10n ** 10n;
/** Bytes of a signed Ethereum transaction: geth's bound (128 KiB). */
export const ETHEREUM_TRANSACTION_BYTES_MAX = 128 * 1024;
/** Blobs of one transaction (EIP-7594). */
export const TRANSACTION_BLOBS_MAX = 6;
/** Gas of one blob (EIP-4844). */
export const BLOB_GAS = 131_072;
/** Base fee of blob gas without excess, in wei (EIP-4844). */
export const BLOB_BASE_FEE_MIN = 1n;
/** Gas of execution to which the price of a blob is bound (EIP-7918). */
export const BLOB_BASE_COST = 8_192n;
/** Bytes of the code of a contract (EIP-170), unless the genesis states another limit; of init code twice as many. */
export const CONTRACT_CODE_BYTES_MAX = 24_576;
/** Greatest limit of code sizes that a genesis may state: more than the memory of the EVM holds. */
export const CODE_SIZE_LIMIT_MAX = 2 ** 31 - 1;
/** The least gas limit that a genesis may give blocks: that of the largest transaction (EIP-7825). */
export const ETHEREUM_BLOCK_GAS_LIMIT_MIN = 16_777_216;
/** Ethereum accounts, and contracts, of a genesis. */
export const GENESIS_ETHEREUM_ACCOUNTS_MAX = 10_000;
export const GENESIS_CONTRACTS_MAX = 1_000;
/** Total memory of all running EVM frames (1.5 GiB); beyond it a frame runs out of gas. */
export const EVM_MEMORY_BYTES_MAX = 1536 * 1024 * 1024;
/** Gas of one execution: the largest signed 64-bit number. */
export const EXECUTION_GAS_MAX = 2n ** 63n - 1n;
/** Topics of an event log, and positions of topics in a query for event logs. */
export const LOG_TOPICS_MAX = 4;
/** Greatest base fee, in wei: a price of blocks that are full for ever does not exceed it. */
export const BASE_FEE_MAX = 2n ** 128n - 1n;
/** Greatest number of blobs that a genesis may allow in a block. */
export const BLOCK_BLOBS_MAX = 128;
/** Greatest elasticity and denominator of a fee rule. */
export const FEE_RULE_DIVISOR_MAX = 1_000;
/** Greatest value of a uint64. */
export const UINT64_MAX = 2n ** 64n - 1n;
/** Characters of a network's name. */
export const NETWORK_NAME_CHARACTERS_MAX = 64;
/** Accounts of a genesis. */
export const GENESIS_ACCOUNTS_MAX = 100_000;
/** Producers of a genesis. */
export const GENESIS_PRODUCERS_MAX = 1_000;
/** Greatest instance that a genesis may use or reserve: nearly all are left for later accounts and contracts. */
export const GENESIS_INSTANCE_MAX = 2 ** 40;
/** Range of the block interval of a genesis or `--block-interval`, in seconds. */
export const BLOCK_INTERVAL_SECONDS_MIN = 0.1;
export const BLOCK_INTERVAL_SECONDS_MAX = 24 * 60 * 60;
/** Total gas of the operations of one transaction. */
export const TRANSACTION_GAS_MAX = 50_000_000n;
/** Greatest number of skipped producers in a block: its field has one byte. */
export const ATTEMPT_MAX = 255;
