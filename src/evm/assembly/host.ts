/** Imports from the host. Parameters are pointers and small numbers where code without a listener calls them. */

/** Fills in balance, nonce, code hash and flags of an account by its address. */
@external('host', 'loadAccount')
export declare function loadAccount(account: usize): void;

/** Writes the slot of LOADED_SLOT to the end of LOADED_SLOT_VALUE, which is zero. Returns false if none is stored. */
@external('host', 'loadSlot')
export declare function loadSlot(): bool;

/** False if the host stores no slot of the account, and all reads of its slots may be skipped. */
@external('host', 'mayHaveStorage')
export declare function mayHaveStorage(account: usize): bool;

/** True if the host stores a slot of the account that is not zero. */
@external('host', 'hasStorage')
export declare function hasStorage(account: usize): bool;

/** Allocates a code block (`allocateCode`), fills it with the code of the account's code hash and returns it. */
@external('host', 'loadCode')
export declare function loadCode(account: usize): usize;

/** Writes the hash of the block `distance` blocks before the running one to `result`, as a word; zero if unknown. */
@external('host', 'loadBlockHash')
export declare function loadBlockHash(distance: u32, result: usize): void;

/** Writes the address of the next contract of `creator`; the nonce is in the exchange area. */
@external('host', 'createAddress')
export declare function createAddress(creator: usize, creation: u32, result: usize): void;

/** Returns the number of the precompiled contract that runs at an address while they are overridden, or 0. */
@external('host', 'overriddenPrecompile')
export declare function overriddenPrecompile(address: usize): u32;

/**
 * Runs a precompiled contract. The exchange area has its gas before and after; writes the output to RETURN_DATA.
 * Returns the length of the output, or a negated code of a halt.
 */
@external('host', 'runPrecompile')
export declare function runPrecompile(number: u32, input: usize, length: usize): i32;

/** Throws an `EngineError` for a code of 32 or more; never returns. */
@external('host', 'fail')
export declare function fail(code: i32): void;

/**
 * Reports the next instruction: depth of the frame, offset in the code, opcode, gas left, items on the stack, address
 * after the topmost of them, and bytes of memory. Only the build of steps calls it.
 */
@external('host', 'step')
export declare function step(
  depth: u32,
  programCounter: u32,
  opcode: u32,
  gas: i64,
  stackHeight: u32,
  stackTop: usize,
  memorySize: u32,
): void;

/**
 * Reports the start of a call or creation: its opcode, the words of caller, callee and value (0 for none), its gas, the
 * gas left to the caller, and its input. Called, like the functions below, for a listener only.
 */
@external('host', 'enter')
export declare function enter(
  kind: u32,
  from: usize,
  to: usize,
  value: usize,
  gas: i64,
  callerGas: i64,
  input: usize,
  inputLength: usize,
): void;

/** Reports a call to the console. */
@external('host', 'consoleCalled')
export declare function consoleCalled(input: usize, inputLength: usize): void;

/** Reports the end of the innermost running call. */
@external('host', 'leave')
export declare function leave(status: i32, gasUsed: i64, output: usize, outputLength: usize): void;

/** Reports a log at an address of the buffer, and its index in the transaction. */
@external('host', 'log')
export declare function log(address: usize, index: u32): void;

/** Reports a SELFDESTRUCT with the transferred balance. */
@external('host', 'selfdestructed')
export declare function selfdestructed(from: usize, to: usize, balance: usize): void;
