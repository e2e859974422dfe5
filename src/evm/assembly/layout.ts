/**
 * The layout of the engine's linear memory. Constants only, since both compilers read this file: AssemblyScript for the
 * engine, and TypeScript for its host.
 *
 *   0x0000_0000  +----------------------+
 *                | static data          |  constants and scratch words of the modules
 *   EXCHANGE     +----------------------+
 *                | exchange             |  values passed between host and engine
 *   ENVIRONMENT  +----------------------+
 *                | environment          |  words of the block and of the transaction
 *   OPCODE_RULES +----------------------+
 *                | opcode rules         |  512 rules, see `opcode-rules.ts` and `fusion.ts`
 *   EMPTY_CODE   +----------------------+
 *                | code of no bytes     |  one code block
 *   RUNNING_RULES +---------------------+
 *                | rules of the run loop|
 *   FRAMES       +----------------------+
 *                | frames               |  depth 0 to 1,024
 *   HASHES       +----------------------+
 *                | hashes               |  of keys of mappings
 *   STACK        +----------------------+
 *                | stack items          |  a frame's items follow those of its parent
 *   ACCOUNTS     +----------------------+
 *                | accounts, index      |
 *   SLOTS        +----------------------+
 *                | storage slots, index |
 *   TRANSIENT    +----------------------+
 *                | transient slots, index
 *   JOURNAL      +----------------------+
 *                | journal              |  old values, for reverts
 *   CREATIONS    +----------------------+
 *                | creations            |  contracts created since the last settlement
 *   LOGS         +----------------------+
 *                | logs                 |  of the running transaction
 *   RETURN_DATA  +----------------------+
 *                | return data          |  of the call that ended last
 *   CODE         +----------------------+
 *                | code blocks, index   |  deployed code by hash
 *   ARENA        +----------------------+
 *                | transaction input    |
 *                | memory of frame 0    |
 *                | (init code of 1)     |  while frame 0 creates a contract
 *                | memory of frame 1    |
 *                | ...                  |  up to the configured maximum
 *                +----------------------+
 *
 * Only touched pages use memory of the process, so the tables are large and their offsets fixed. Every table checks its
 * capacity. Words are four 64-bit limbs, the least significant first; an address is a word. EVM memory, code, input,
 * output, topics and code hashes are bytes, the most significant first.
 */

/** Bytes of a page, the unit of the memory's size. */
export const PAGE_BYTES: usize = 65536;

/** The exchange area: values passed between host and engine that do not fit the parameters of a function. */
export const EXCHANGE: usize = 0x20000;
export const EXCHANGE_CALLER: usize = EXCHANGE;
export const EXCHANGE_TARGET: usize = EXCHANGE + 32;
export const EXCHANGE_VALUE: usize = EXCHANGE + 64;
export const EXCHANGE_KEY: usize = EXCHANGE + 96;
/** Gas of a transaction or a precompiled contract; afterwards the gas left (64 bits). */
export const EXCHANGE_GAS: usize = EXCHANGE + 128;
/** Nonce of the account that creates a contract (64 bits). */
export const EXCHANGE_NONCE: usize = EXCHANGE + 136;
/** The outcome of a transaction: gas left, refund (64 bits each), status, lengths, and the burned balance (a word). */
export const OUTCOME_GAS: usize = EXCHANGE + 160;
export const OUTCOME_REFUND: usize = EXCHANGE + 168;
export const OUTCOME_STATUS: usize = EXCHANGE + 176;
export const OUTCOME_DATA_LENGTH: usize = EXCHANGE + 180;
export const OUTCOME_LOGS: usize = EXCHANGE + 184;
/** Gas that the outermost frame needed (64 bits); 0 if none ran. */
export const OUTCOME_GAS_NEEDED: usize = EXCHANGE + 224;
export const OUTCOME_BURNED: usize = EXCHANGE + 192;
/** Gas left by the last instruction of a frame (64 bits), and the instruction its rule stopped. */
export const TRACED_GAS_LEFT: usize = EXCHANGE + 232;
export const TRACED_OPCODE: usize = EXCHANGE + 240;
export const TRACED_HEIGHT: usize = EXCHANGE + 244;
export const TRACED_BOUND: usize = EXCHANGE + 248;
/** Program counter after the last instruction of the frame that ended last. */
export const TRACED_END: usize = EXCHANGE + 252;
/** If paths are traced: length of that frame's path (`paths.ts`); its code. */
export const TRACED_PATH_LENGTH: usize = EXCHANGE + 256;
export const TRACED_CODE_START: usize = EXCHANGE + 260;
/** The end of the largest part of the arena that was ever used. */
export const ARENA_USED_END: usize = EXCHANGE + 264;
/** A ring buffer of the addresses of the last of them (32 bits each): one of a fused sequence or repeated opcode. */
export const TRACED_PATH: usize = EXCHANGE + 2048;
export const TRACED_PATH_CAPACITY: u32 = 512;
/** A slot to load: its address (20 bytes) and key (32 bytes), and then its value (32 bytes). */
export const LOADED_SLOT: usize = EXCHANGE + 1024;
export const LOADED_SLOT_ADDRESS: usize = LOADED_SLOT + 12;
export const LOADED_SLOT_KEY: usize = LOADED_SLOT + 32;
export const LOADED_SLOT_VALUE: usize = LOADED_SLOT + 64;

/** Flags that `trimTables` returns: unsettled changes exist; without them, reasons to empty the tables. */
export const TABLES_HAVE_CHANGES: u32 = 1;
export const TABLES_ARE_HALF_FULL: u32 = 2;
export const GENERATIONS_RUN_OUT: u32 = 4;

/** Words of the block and of the transaction, in no particular order. */
export const ENVIRONMENT: usize = 0x21000;
export const BLOCK_NUMBER: usize = ENVIRONMENT;
export const BLOCK_TIMESTAMP: usize = ENVIRONMENT + 32;
export const BLOCK_COINBASE: usize = ENVIRONMENT + 64;
export const BLOCK_RANDOMNESS: usize = ENVIRONMENT + 96;
export const BLOCK_GAS_LIMIT: usize = ENVIRONMENT + 128;
export const CHAIN_ID: usize = ENVIRONMENT + 160;
export const BLOCK_BASE_FEE: usize = ENVIRONMENT + 192;
export const TRANSACTION_ORIGIN: usize = ENVIRONMENT + 224;
export const TRANSACTION_GAS_PRICE: usize = ENVIRONMENT + 256;
export const BLOCK_BLOB_BASE_FEE: usize = ENVIRONMENT + 288;
/** Number of the blobs of the transaction (32 bits), and their versioned hashes, a word each (EIP-4844). */
export const TRANSACTION_BLOBS: usize = ENVIRONMENT + 320;
export const TRANSACTION_BLOB_HASHES: usize = ENVIRONMENT + 512;
export const TRANSACTION_BLOBS_CAPACITY: u32 = 64;
/** Nonzero once code of a transaction has read the time of its block (32 bits). */
export const TIME_IS_READ: usize = ENVIRONMENT + 324;

/** The rule of an opcode: gas, growth of the stack, minimum height of the stack, and the range of heights above. */
export const OPCODE_RULES: usize = 0x22000;
export const RULE_BYTES: usize = 16;
export const RULE_GAS: usize = 0;
/** Bytes by which the stack grows; negative if it shrinks. */
export const RULE_STACK_CHANGE: usize = 4;
export const RULE_MIN_HEIGHT: usize = 8;
/** The minimum height of an undefined opcode: greater than any stack. */
export const UNREACHABLE_HEIGHT: i32 = 0xffff;
export const RULE_HEIGHT_RANGE: usize = 12;

/** Length of an instruction in the code, by its opcode. */
export const OPCODE_LENGTHS: usize = 0x24000;

/** True if an opcode is a fused one, by its number: 256 bytes. */
export const FUSED_OPCODES: usize = 0x24400;

export const EMPTY_CODE: usize = 0x25000;

/** The rules that the run loop reads: copies of the first 256, or rules that reject every height. */
export const RUNNING_RULES: usize = 0x2f000;

/** A frame: one running call. Depth 0 to 1,024 are allowed. */
export const FRAMES: usize = 0x30000;
export const FRAME_BYTES: usize = 192;
export const FRAMES_CAPACITY: u32 = 1025;
export const FRAME_PROGRAM_COUNTER: usize = 0;
export const FRAME_STACK_TOP: usize = 4;
export const FRAME_GAS: usize = 8;
export const FRAME_STACK_BASE: usize = 16;
export const FRAME_MEMORY_START: usize = 20;
export const FRAME_MEMORY_SIZE: usize = 24;
/** Code block of the running code. */
export const FRAME_CODE: usize = 28;
export const FRAME_INPUT: usize = 32;
export const FRAME_INPUT_LENGTH: usize = 36;
export const FRAME_FLAGS: usize = 40;
/** Account of the frame, the owner of its storage. */
export const FRAME_ACCOUNT: usize = 44;
/** Range of this frame's memory for the output of its running call. */
export const FRAME_OUTPUT_OFFSET: usize = 48;
export const FRAME_OUTPUT_LENGTH: usize = 52;
/** Checkpoint of the frame: ends of the journal and the logs, and the refund counter. */
export const FRAME_JOURNAL_END: usize = 56;
export const FRAME_LOGS_END: usize = 60;
export const FRAME_LOGS_COUNT: usize = 64;
export const FRAME_REFUND: usize = 72;
/** Gas of its running call that was not taken from it. */
export const FRAME_STIPEND: usize = 68;
/** Gas when the frame began, and the minimum with which its instructions so far would have had the same effect. */
export const FRAME_GAS_AT_START: usize = 80;
export const FRAME_GAS_NEEDED: usize = 88;
export const FRAME_ADDRESS: usize = 96;
export const FRAME_CALLER: usize = 128;
export const FRAME_VALUE: usize = 160;

/** The number of the fusion of two instructions, or 0: a table of 512 rows of 256 (16 bits), see `fusion.ts`. */
export const FUSED_PAIRS: usize = 0x70000;

/** A hash of 64 bytes, see `mapping-hashes.ts`. */
export const HASHES: usize = 0xb0000;
export const HASHES_CAPACITY: u32 = 2048;
export const HASH_BYTES: usize = 96;
export const HASH_RESULT: usize = 64;
export const PREIMAGE_BYTES: usize = 64;

/** Flags of a frame. */
export const FRAME_IS_STATIC: u32 = 1;
export const FRAME_CREATES: u32 = 2;

/** A frame's stack has 1,024 items. */
export const STACK: usize = 0x100000;
export const FRAME_STACK_BYTES: usize = 1024 * 32;

/** An account. */
export const ACCOUNTS: usize = STACK + FRAMES_CAPACITY * FRAME_STACK_BYTES;
export const ACCOUNTS_CAPACITY: u32 = 262144;
export const ACCOUNT_BYTES: usize = 256;
export const ACCOUNT_ADDRESS: usize = 0;
export const ACCOUNT_BALANCE: usize = 32;
/** Keccak-256 of the code, bytes in their order; zero without code. */
export const ACCOUNT_CODE_HASH: usize = 64;
export const ACCOUNT_NONCE: usize = 96;
/** Code block, or 0 until the code is first used. */
export const ACCOUNT_CODE: usize = 104;
export const ACCOUNT_FLAGS: usize = 108;
/** Generation of the next field; in every other generation that field counts as 0. */
export const ACCOUNT_GENERATION: usize = 112;
export const ACCOUNT_TRANSACTION_FLAGS: usize = 116;
/** The slot loaded last; SLOT_NEXT links the others. */
export const ACCOUNT_SLOTS: usize = 120;
/** Index of the account's latest creation since the last settlement, plus one; or 0. */
export const ACCOUNT_CREATION: usize = 124;
export const ACCOUNT_SETTLED_BALANCE: usize = 128;
export const ACCOUNT_SETTLED_CODE_HASH: usize = 160;
export const ACCOUNT_SETTLED_NONCE: usize = 192;
export const ACCOUNT_SETTLED_FLAGS: usize = 200;
/** Last compaction of the journal with records of the account, and the kinds of the retained ones (bits). */
export const ACCOUNT_COMPACTION: usize = 204;
export const ACCOUNT_COMPACTED_KINDS: usize = 208;
/** Hash of the address, by which the index finds the account. */
export const ACCOUNT_HASH: usize = 212;
/** Knowledge of the slots that the host stores for the account. */
export const ACCOUNT_STORED_SLOTS: usize = 216;
export const ACCOUNTS_INDEX: usize = ACCOUNTS + ACCOUNTS_CAPACITY * ACCOUNT_BYTES;
export const ACCOUNTS_INDEX_CELLS_MAX: u32 = 2 * ACCOUNTS_CAPACITY;

/** Flags of an account. */
export const ACCOUNT_EXISTS: u32 = 1;
export const ACCOUNT_HAS_CODE: u32 = 2;
/** The slots that the host stores no longer count: the account is new, or its storage was destroyed. */
export const ACCOUNT_IS_DETACHED: u32 = 4;

/** Values of ACCOUNT_STORED_SLOTS: not yet asked, perhaps some, none but those in the table. */
export const STORED_SLOTS_UNKNOWN: u32 = 0;
export const STORED_SLOTS_POSSIBLE: u32 = 1;
export const STORED_SLOTS_NONE: u32 = 2;

/** Flags of an account within one transaction. */
export const ACCOUNT_IS_WARM: u32 = 1;
export const ACCOUNT_IS_TOUCHED: u32 = 2;
export const ACCOUNT_IS_NEW: u32 = 4;
export const ACCOUNT_IS_SELFDESTRUCTED: u32 = 8;

/**
 * Cells of an index of accounts or slots while it is small. An index grows with its table, so that few entries touch
 * few pages.
 */
export const INDEX_CELLS_MIN: u32 = 1024;

/** A storage slot. */
export const SLOTS: usize = ACCOUNTS_INDEX + ACCOUNTS_INDEX_CELLS_MAX * 4;
export const SLOTS_CAPACITY: u32 = 2097152;
export const SLOT_BYTES: usize = 160;
export const SLOT_KEY: usize = 0;
export const SLOT_VALUE: usize = 32;
/** Value before the running transaction, which determines the gas of SSTORE. */
export const SLOT_ORIGINAL: usize = 64;
/** Value at the last settlement, the base of `changes`. */
export const SLOT_SETTLED: usize = 96;
export const SLOT_ACCOUNT: usize = 128;
/** Generation of SLOT_ORIGINAL and SLOT_IS_WARM. */
export const SLOT_GENERATION: usize = 132;
export const SLOT_IS_WARM: usize = 136;
export const SLOT_NEXT: usize = 140;
/** Hash of account and key, by which the index finds the slot. */
export const SLOT_HASH: usize = 144;
export const SLOT_COMPACTION: usize = 148;
/** True if the value was loaded from the host; false while the account's storage is detached. */
export const SLOT_IS_LOADED: usize = 152;
export const SLOTS_INDEX: usize = SLOTS + SLOTS_CAPACITY * SLOT_BYTES;
export const SLOTS_INDEX_CELLS_MAX: u32 = 2 * SLOTS_CAPACITY;

/** A slot of transient storage; a cell of its index is {generation, number of the slot plus one}. */
export const TRANSIENT: usize = SLOTS_INDEX + SLOTS_INDEX_CELLS_MAX * 4;
export const TRANSIENT_CAPACITY: u32 = 2097152;
export const TRANSIENT_BYTES: usize = 80;
export const TRANSIENT_KEY: usize = 0;
export const TRANSIENT_VALUE: usize = 32;
export const TRANSIENT_ACCOUNT: usize = 64;
export const TRANSIENT_INDEX: usize = TRANSIENT + TRANSIENT_CAPACITY * TRANSIENT_BYTES;
export const TRANSIENT_INDEX_CELLS: u32 = 2 * TRANSIENT_CAPACITY;

/** A record of the journal. */
export const JOURNAL: usize = TRANSIENT_INDEX + TRANSIENT_INDEX_CELLS * 8;
export const JOURNAL_CAPACITY: u32 = 3145728;
export const RECORD_BYTES: usize = 48;
export const RECORD_KIND: usize = 0;
export const RECORD_ENTRY: usize = 4;
export const RECORD_OLD_WORD: usize = 8;
export const RECORD_OLD_NUMBER: usize = 40;

/** Kinds of records: the entry, and the value that a revert restores. */
export const RECORD_BALANCE: u32 = 0; // account: balance
export const RECORD_NONCE: u32 = 1; // account: nonce
export const RECORD_CODE: u32 = 2; // account: code hash
export const RECORD_FLAGS: u32 = 3; // account: flags
export const RECORD_CREATION: u32 = 4; // account: its previous creation; the list is one shorter
export const RECORD_SLOT: u32 = 5; // slot: value
export const RECORD_DESTRUCTION: u32 = 6; // creation: it is not destroyed
/** Records of these kinds only matter within the transaction, and are dropped at its end. */
export const RECORD_FIRST_OF_TRANSACTION: u32 = 7;
export const RECORD_TRANSACTION_FLAGS: u32 = 7; // account: flags within the transaction
export const RECORD_SLOT_WARMTH: u32 = 8; // slot: it is cold
export const RECORD_TRANSIENT: u32 = 9; // transient slot: value
export const RECORD_BURNED: u32 = 10; // none: balance burned

/** A creation: {account, 1 if it was destroyed}. */
export const CREATIONS: usize = JOURNAL + JOURNAL_CAPACITY * RECORD_BYTES;
export const CREATIONS_CAPACITY: u32 = 262144;
export const CREATION_BYTES: usize = 8;
export const CREATION_ACCOUNT: usize = 0;
export const CREATION_IS_DESTROYED: usize = 4;

/** A log: a header, then 32 bytes a topic, then the data, padded to 8 bytes. */
export const LOGS: usize = CREATIONS + CREATIONS_CAPACITY * CREATION_BYTES;
export const LOGS_BYTES: usize = 67108864;
export const LOG_TOPIC_COUNT: usize = 0;
export const LOG_DATA_LENGTH: usize = 4;
export const LOG_ADDRESS: usize = 16;
export const LOG_HEADER_BYTES: usize = 48;

export const RETURN_DATA: usize = LOGS + LOGS_BYTES;
export const RETURN_DATA_BYTES: usize = 67108864;

/**
 * A block of code: a header, 32 bytes of padding for reads before the first instruction, the code, zeros (STOP), and
 * one bit for each byte of code that is a jump destination.
 */
export const CODE: usize = RETURN_DATA + RETURN_DATA_BYTES;
export const CODE_BYTES: usize = 268435456;
export const CODE_HASH: usize = 0;
export const CODE_LENGTH: usize = 32;
export const CODE_START: usize = 36;
export const CODE_JUMP_MAP: usize = 40;
/** Number of settlements before the code was deployed; equal to the current number for unsettled code. */
export const CODE_SETTLEMENT: usize = 44;
export const CODE_BLOCK_BYTES: usize = 48;
/** Cell of the block in the index. */
export const CODE_CELL: usize = 52;
/** First byte of the copy that runs, with fused sequences. */
export const CODE_FUSED: usize = 56;
export const CODE_HEADER_BYTES: usize = 64;
/** Zeros before and after the code: a PUSH32 at its end reads 32 of them. */
export const CODE_PADDING_BYTES: usize = 32;
export const CODE_INDEX: usize = CODE + CODE_BYTES;
export const CODE_INDEX_CELLS: u32 = 1048576;
export const CODE_BLOCKS_CAPACITY: u32 = 524288;

export const ARENA: usize = CODE_INDEX + CODE_INDEX_CELLS * 4;
