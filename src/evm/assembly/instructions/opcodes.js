/**
 * The EVM's opcodes. `scripts/wasm/instructions.js` generates the constants, the rules and the cases of the run loop
 * (`run.template.ts`) from these rows and those of `fusions.js`.
 */

/**
 * @typedef {object} Opcode
 * @property {number} number
 * @property {string} name
 * @property {string} gas fixed gas: an expression of constants of `gas.ts`
 * @property {number} pops stack items removed
 * @property {number} pushes stack items added
 * @property {string} body statements of the run loop. `pc` is the address after the opcode, `top` the address after the
 *   topmost stack item; the body updates `top`
 * @property {string} since first hard fork that has it, a constant of `hardfork.ts`
 */

/**
 * @param {number} number
 * @param {string} name
 * @param {string} gas
 * @param {number} pops
 * @param {number} pushes
 * @param {string} body
 * @returns {Opcode}
 */
function opcode(number, name, gas, pops, pushes, body, since = 'LONDON') {
  return { number, name, gas, pops, pushes, body, since };
}

/** Addresses of the topmost two stack items. */
const [FIRST, SECOND] = ['top - WORD_BYTES', 'top - 2 * WORD_BYTES'];

/** @type {(method: string) => string} Replaces two operands by the result of a function of `word.ts` and its like. */
const binary = (method) => `${method}(${SECOND}, ${FIRST}, ${SECOND}); top -= WORD_BYTES`;

/** @type {(method: string) => string} Replaces three operands, the last one a modulus, by a result. */
const modular = (method) => {
  const modulus = 'top - 3 * WORD_BYTES';
  return `${method}(${modulus}, ${FIRST}, ${SECOND}, ${modulus}); top -= 2 * WORD_BYTES`;
};

/** @type {(condition: string) => string} Replaces two operands by 1 or 0. */
const comparison = (condition) => `setWord(${SECOND}, <u64>${condition}); top -= WORD_BYTES`;

/**
 * Defines opcodes with names that end in the numbers from `first` to `last`.
 *
 * @param {number} first
 * @param {number} last
 * @param {(number: number) => Opcode} define
 */
function family(first, last, define) {
  return Array.from({ length: last - first + 1 }, (_, index) => define(first + index));
}

/** The designated invalid instruction (EIP-141): no hard fork will define it. */
export const INVALID = 0xfe;

/** @type {readonly Opcode[]} */
export const OPCODES = [
  // Stop and arithmetic
  opcode(0x00, 'STOP', 'ZERO', 0, 0, 'status = SUCCESS'),
  opcode(0x01, 'ADD', 'VERY_LOW', 2, 1, binary('word.add')),
  opcode(0x02, 'MUL', 'LOW', 2, 1, binary('multiply')),
  opcode(0x03, 'SUB', 'VERY_LOW', 2, 1, binary('word.subtract')),
  opcode(0x04, 'DIV', 'LOW', 2, 1, binary('division.divide')),
  opcode(0x05, 'SDIV', 'LOW', 2, 1, binary('division.signedDivide')),
  opcode(0x06, 'MOD', 'LOW', 2, 1, binary('division.modulo')),
  opcode(0x07, 'SMOD', 'LOW', 2, 1, binary('division.signedModulo')),
  opcode(0x08, 'ADDMOD', 'MIDDLE', 3, 1, modular('division.addModulo')),
  opcode(0x09, 'MULMOD', 'MIDDLE', 3, 1, modular('multiplyModulo')),
  opcode(0x0a, 'EXP', 'HIGH', 2, 1, 'gas = arithmetic.exp(top, gas); top -= WORD_BYTES'),
  opcode(0x0b, 'SIGNEXTEND', 'LOW', 2, 1, binary('word.signExtend')),

  // Comparison and bits
  opcode(0x10, 'LT', 'VERY_LOW', 2, 1, comparison(`lessThan(${FIRST}, ${SECOND})`)),
  opcode(0x11, 'GT', 'VERY_LOW', 2, 1, comparison(`lessThan(${SECOND}, ${FIRST})`)),
  opcode(0x12, 'SLT', 'VERY_LOW', 2, 1, comparison(`signedLessThan(${FIRST}, ${SECOND})`)),
  opcode(0x13, 'SGT', 'VERY_LOW', 2, 1, comparison(`signedLessThan(${SECOND}, ${FIRST})`)),
  opcode(0x14, 'EQ', 'VERY_LOW', 2, 1, comparison(`equals(${FIRST}, ${SECOND})`)),
  opcode(0x15, 'ISZERO', 'VERY_LOW', 1, 1, `setWord(${FIRST}, <u64>isZero(${FIRST}))`),
  opcode(0x16, 'AND', 'VERY_LOW', 2, 1, binary('word.bitwiseAnd')),
  opcode(0x17, 'OR', 'VERY_LOW', 2, 1, binary('word.bitwiseOr')),
  opcode(0x18, 'XOR', 'VERY_LOW', 2, 1, binary('word.bitwiseXor')),
  opcode(0x19, 'NOT', 'VERY_LOW', 1, 1, `word.bitwiseNot(${FIRST}, ${FIRST})`),
  opcode(0x1a, 'BYTE', 'VERY_LOW', 2, 1, binary('word.byteAt')),
  opcode(0x1b, 'SHL', 'VERY_LOW', 2, 1, binary('word.shiftLeft')),
  opcode(0x1c, 'SHR', 'VERY_LOW', 2, 1, binary('word.shiftRight')),
  opcode(0x1d, 'SAR', 'VERY_LOW', 2, 1, binary('word.shiftRightArithmetic')),
  opcode(0x1e, 'CLZ', 'LOW', 1, 1, `setWord(${FIRST}, word.leadingZeroBits(${FIRST}))`, 'OSAKA'), // EIP-7939

  // Hashing
  opcode(0x20, 'KECCAK256', 'KECCAK', 2, 1, 'gas = arithmetic.keccak(top, gas); top -= WORD_BYTES'),

  // Environment
  opcode(0x30, 'ADDRESS', 'BASE', 0, 1, 'top = environment.pushWord(top, frame + layout.FRAME_ADDRESS)'),
  opcode(0x31, 'BALANCE', 'ZERO', 1, 1, 'gas = environment.balance(top, gas)'),
  opcode(0x32, 'ORIGIN', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.TRANSACTION_ORIGIN)'),
  opcode(0x33, 'CALLER', 'BASE', 0, 1, 'top = environment.pushWord(top, frame + layout.FRAME_CALLER)'),
  opcode(0x34, 'CALLVALUE', 'BASE', 0, 1, 'top = environment.pushWord(top, frame + layout.FRAME_VALUE)'),
  opcode(0x35, 'CALLDATALOAD', 'VERY_LOW', 1, 1, 'environment.calldataload(top)'),
  opcode(0x36, 'CALLDATASIZE', 'BASE', 0, 1,
    'top = environment.pushNumber(top, load<u32>(frame, layout.FRAME_INPUT_LENGTH))'),
  opcode(0x37, 'CALLDATACOPY', 'VERY_LOW', 3, 0, 'gas = environment.calldatacopy(top, gas); top -= 3 * WORD_BYTES'),
  opcode(0x38, 'CODESIZE', 'BASE', 0, 1, 'top = environment.pushNumber(top, codeLength)'),
  opcode(0x39, 'CODECOPY', 'VERY_LOW', 3, 0, 'gas = environment.codecopy(top, gas); top -= 3 * WORD_BYTES'),
  opcode(0x3a, 'GASPRICE', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.TRANSACTION_GAS_PRICE)'),
  opcode(0x3b, 'EXTCODESIZE', 'ZERO', 1, 1, 'gas = environment.extcodesize(top, gas)'),
  opcode(0x3c, 'EXTCODECOPY', 'ZERO', 4, 0, 'gas = environment.extcodecopy(top, gas); top -= 4 * WORD_BYTES'),
  opcode(0x3d, 'RETURNDATASIZE', 'BASE', 0, 1, 'top = environment.pushNumber(top, returnDataLength)'),
  opcode(0x3e, 'RETURNDATACOPY', 'VERY_LOW', 3, 0, 'gas = environment.returndatacopy(top, gas); top -= 3 * WORD_BYTES'),
  opcode(0x3f, 'EXTCODEHASH', 'ZERO', 1, 1, 'gas = environment.extcodehash(top, gas)'),

  // Block
  opcode(0x40, 'BLOCKHASH', 'BLOCK_HASH', 1, 1, 'environment.blockhash(top)'),
  opcode(0x41, 'COINBASE', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.BLOCK_COINBASE)'),
  opcode(0x42, 'TIMESTAMP', 'BASE', 0, 1, 'top = environment.pushTime(top)'),
  opcode(0x43, 'NUMBER', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.BLOCK_NUMBER)'),
  opcode(0x44, 'PREVRANDAO', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.BLOCK_RANDOMNESS)'),
  opcode(0x45, 'GASLIMIT', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.BLOCK_GAS_LIMIT)'),
  opcode(0x46, 'CHAINID', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.CHAIN_ID)'),
  opcode(0x47, 'SELFBALANCE', 'LOW', 0, 1, 'top = environment.pushWord(top, ownAccount() + layout.ACCOUNT_BALANCE)'),
  opcode(0x48, 'BASEFEE', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.BLOCK_BASE_FEE)'),
  opcode(0x49, 'BLOBHASH', 'VERY_LOW', 1, 1, 'environment.blobhash(top)', 'CANCUN'), // EIP-4844
  // EIP-7516
  opcode(0x4a, 'BLOBBASEFEE', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.BLOCK_BLOB_BASE_FEE)', 'CANCUN'),

  // Stack, memory, storage and flow
  opcode(0x50, 'POP', 'BASE', 1, 0, 'top -= WORD_BYTES'),
  opcode(0x51, 'MLOAD', 'VERY_LOW', 1, 1, `gas = flow.loadWord(${FIRST}, ${FIRST}, gas)`),
  opcode(0x52, 'MSTORE', 'VERY_LOW', 2, 0, `gas = flow.storeWord(${FIRST}, ${SECOND}, gas); top -= 2 * WORD_BYTES`),
  opcode(0x53, 'MSTORE8', 'VERY_LOW', 2, 0, 'gas = flow.mstore8(top, gas); top -= 2 * WORD_BYTES'),
  opcode(0x54, 'SLOAD', 'ZERO', 1, 1, 'gas = flow.sload(top, gas)'),
  opcode(0x55, 'SSTORE', 'ZERO', 2, 0, 'gas = flow.sstore(top, gas); top -= 2 * WORD_BYTES'),
  opcode(0x56, 'JUMP', 'MIDDLE', 1, 0, 'top -= WORD_BYTES; pc = flow.jumpTarget(top); gas = chargeJump(pc, gas)'),
  opcode(0x57, 'JUMPI', 'HIGH', 2, 0, `
    top -= 2 * WORD_BYTES;
    if (isZero(top)) continue;
    pc = flow.jumpTarget(top + WORD_BYTES);
    gas = chargeJump(pc, gas)`),
  opcode(0x58, 'PC', 'BASE', 0, 1, 'top = environment.pushNumber(top, pc - codeStart - 1)'),
  opcode(0x59, 'MSIZE', 'BASE', 0, 1, 'top = environment.pushNumber(top, memorySize)'),
  opcode(0x5a, 'GAS', 'BASE', 0, 1, 'top = environment.pushNumber(top, gas)'),
  opcode(0x5b, 'JUMPDEST', 'JUMP_DESTINATION', 0, 0, ''),
  opcode(0x5c, 'TLOAD', 'TRANSIENT', 1, 1, `readTransient(ownAccount(), ${FIRST}, ${FIRST})`, 'CANCUN'), // EIP-1153
  opcode(0x5d, 'TSTORE', 'TRANSIENT', 2, 0, 'gas = flow.tstore(top, gas); top -= 2 * WORD_BYTES', 'CANCUN'),
  // EIP-5656
  opcode(0x5e, 'MCOPY', 'VERY_LOW', 3, 0, 'gas = flow.mcopy(top, gas); top -= 3 * WORD_BYTES', 'CANCUN'),

  // Push, duplicate and exchange
  opcode(0x5f, 'PUSH0', 'BASE', 0, 1, 'word.clearWord(top); top += WORD_BYTES', 'SHANGHAI'), // EIP-3855
  opcode(0x60, 'PUSH1', 'VERY_LOW', 0, 1, 'setWord(top, load<u8>(pc)); top += WORD_BYTES; pc += 1'),
  opcode(0x61, 'PUSH2', 'VERY_LOW', 0, 1, 'setWord(top, fused.shortAt(pc)); top += WORD_BYTES; pc += 2'),
  ...family(3, 8, (bytes) =>
    opcode(0x5f + bytes, `PUSH${bytes}`, 'VERY_LOW', 0, 1, `
      top = stack.pushLimb(top, pc, opcode - PUSH0);
      pc += opcode - PUSH0`),
  ),
  ...family(9, 32, (bytes) =>
    opcode(0x5f + bytes, `PUSH${bytes}`, 'VERY_LOW', 0, 1, `
      top = stack.pushBytes(top, pc, opcode - PUSH0);
      pc += opcode - PUSH0`),
  ),
  ...family(1, 16, (depth) =>
    opcode(0x7f + depth, `DUP${depth}`, 'VERY_LOW', depth, depth + 1, `
      copyWord(top, top - <usize>(opcode - DUP1 + 1) * WORD_BYTES);
      top += WORD_BYTES`),
  ),
  ...family(1, 16, (depth) =>
    opcode(0x8f + depth, `SWAP${depth}`, 'VERY_LOW', depth + 1, depth + 1, `
      stack.exchange(top, opcode - SWAP1 + 1)`),
  ),

  // Logging
  ...family(0, 4, (topics) =>
    opcode(0xa0 + topics, `LOG${topics}`, `LOG * ${topics + 1}`, topics + 2, 0, `
      gas = system.log(top, opcode - LOG0, gas);
      top -= (opcode - LOG0 + 2) * WORD_BYTES`),
  ),

  // System
  opcode(0xf0, 'CREATE', 'CREATE', 3, 1, 'saveRegisters(pc, top, gas); status = create(false)'),
  opcode(0xf1, 'CALL', 'ZERO', 7, 1, 'saveRegisters(pc, top, gas); status = call(opcode)'),
  opcode(0xf2, 'CALLCODE', 'ZERO', 7, 1, 'saveRegisters(pc, top, gas); status = call(opcode)'),
  opcode(0xf3, 'RETURN', 'ZERO', 2, 0, 'gas = system.output(top, gas); status = SUCCESS'),
  opcode(0xf4, 'DELEGATECALL', 'ZERO', 6, 1, 'saveRegisters(pc, top, gas); status = call(opcode)'),
  opcode(0xf5, 'CREATE2', 'CREATE', 4, 1, 'saveRegisters(pc, top, gas); status = create(true)'),
  opcode(0xfa, 'STATICCALL', 'ZERO', 6, 1, 'saveRegisters(pc, top, gas); status = call(opcode)'),
  opcode(0xfd, 'REVERT', 'ZERO', 2, 0, 'gas = system.output(top, gas); status = REVERTED'),
  opcode(0xff, 'SELFDESTRUCT', 'SELF_DESTRUCT', 1, 0, 'gas = system.selfdestruct(top, gas); status = SUCCESS'),
];
