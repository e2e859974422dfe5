/** What the engine asks of the world. Only pointers and small numbers cross; no 64-bit number does. */

/** Fills the account whose address is written: balance, nonce, code hash, flags. */
@external('host', 'loadAccount')
export declare function loadAccount(account: usize): void;

/** Fills SLOT_VALUE of a slot whose key and account are written. */
@external('host', 'loadSlot')
export declare function loadSlot(slot: usize): void;

/** Tests whether the host keeps a slot of the account that is not zero. */
@external('host', 'hasStorage')
export declare function hasStorage(account: usize): bool;

/** Allocates a code block (`allocateCode`), fills it with the code of the account's code hash and returns it. */
@external('host', 'loadCode')
export declare function loadCode(account: usize): usize;

/** Writes the hash of the block `number` as a word over `result`; zero when there is none. */
@external('host', 'loadBlockHash')
export declare function loadBlockHash(number: u32, result: usize): void;

/** Writes the address of the next contract of `creator`; the nonce is in the exchange. */
@external('host', 'createAddress')
export declare function createAddress(creator: usize, creation: u32, result: usize): void;

/**
 * Runs a precompiled contract. Gas goes through the exchange both ways; the output is written to RETURN_DATA.
 * Returns the length of the output, or a negated code of a halt.
 */
@external('host', 'runPrecompile')
export declare function runPrecompile(number: u32, input: usize, length: usize): i32;

/** Throws an `EngineError` for a code of 32 or more; never returns. */
@external('host', 'fail')
export declare function fail(code: i32): void;

/**
 * Reports an instruction that is about to run: depth of the frame, place in the code, opcode, gas that is left,
 * items on the stack, address after the topmost of them, and bytes of memory. The build of steps alone calls it.
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
 * Reports a call or a creation that begins: its opcode, the words of caller, callee and value (0 for none), its gas,
 * what the caller has left, and where its input is. This and what follows: in the builds that are traced.
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

/** Reports a call to the console, and where its input is. */
@external('host', 'consoleCalled')
export declare function consoleCalled(input: usize, inputLength: usize): void;

/** Reports the end of the call that began last and has not ended. */
@external('host', 'leave')
export declare function leave(status: i32, gasUsed: i64, output: usize, outputLength: usize): void;

/** Reports a log in the buffer, and the count before it. */
@external('host', 'log')
export declare function log(place: usize, index: u32): void;

/** Tells that a contract gives its balance away. */
@external('host', 'selfdestructed')
export declare function selfdestructed(from: usize, to: usize, balance: usize): void;
