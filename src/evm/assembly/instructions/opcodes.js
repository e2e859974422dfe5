/**
 * The EVM's opcodes, each said once. Of these rows and those of `fusions.js` `scripts/instructions.js` makes the
 * constants, the rules and the cases of the run loop (`run.template.ts`, which says what the cases may use).
 */

/**
 * @typedef {object} Opcode
 * @property {number} number
 * @property {string} name
 * @property {string} gas what it always costs: an expression of constants of `gas.ts`
 * @property {number} takes items of the stack
 * @property {number} gives items of the stack
 * @property {string} body what the run loop does
 * @property {string} since the fork that brought it, a constant of `hardfork.ts`
 */

/**
 * @param {number} number
 * @param {string} name
 * @param {string} gas
 * @param {number} takes
 * @param {number} gives
 * @param {string} body
 * @returns {Opcode}
 */
function opcode(number, name, gas, takes, gives, body, since = 'LONDON') {
  return { number, name, gas, takes, gives, body, since };
}

/**
 * Opcodes whose names end in the numbers from `first` to `last`.
 *
 * @param {number} first
 * @param {number} last
 * @param {(number: number) => Opcode} define
 */
function family(first, last, define) {
  return Array.from({ length: last - first + 1 }, (_, index) => define(first + index));
}

/** The designated invalid instruction (EIP-141): no fork will define it. */
export const INVALID = 0xfe;

/** @type {readonly Opcode[]} */
export const OPCODES = [
  // Stop and arithmetic
  opcode(0x00, 'STOP', 'ZERO', 0, 0, 'status = SUCCESS'),
  opcode(0x01, 'ADD', 'VERY_LOW', 2, 1, 'top = arithmetic.add(top)'),
  opcode(0x02, 'MUL', 'LOW', 2, 1, 'top = arithmetic.mul(top)'),
  opcode(0x03, 'SUB', 'VERY_LOW', 2, 1, 'top = arithmetic.sub(top)'),
  opcode(0x04, 'DIV', 'LOW', 2, 1, 'top = arithmetic.div(top)'),
  opcode(0x05, 'SDIV', 'LOW', 2, 1, 'top = arithmetic.sdiv(top)'),
  opcode(0x06, 'MOD', 'LOW', 2, 1, 'top = arithmetic.mod(top)'),
  opcode(0x07, 'SMOD', 'LOW', 2, 1, 'top = arithmetic.smod(top)'),
  opcode(0x08, 'ADDMOD', 'MIDDLE', 3, 1, 'top = arithmetic.addmod(top)'),
  opcode(0x09, 'MULMOD', 'MIDDLE', 3, 1, 'top = arithmetic.mulmod(top)'),
  opcode(0x0a, 'EXP', 'HIGH', 2, 1, 'gas = arithmetic.exp(top, gas); top -= WORD_BYTES'),
  opcode(0x0b, 'SIGNEXTEND', 'LOW', 2, 1, 'top = arithmetic.signextend(top)'),

  // Comparison and bits
  opcode(0x10, 'LT', 'VERY_LOW', 2, 1, 'top = bits.lt(top)'),
  opcode(0x11, 'GT', 'VERY_LOW', 2, 1, 'top = bits.gt(top)'),
  opcode(0x12, 'SLT', 'VERY_LOW', 2, 1, 'top = bits.slt(top)'),
  opcode(0x13, 'SGT', 'VERY_LOW', 2, 1, 'top = bits.sgt(top)'),
  opcode(0x14, 'EQ', 'VERY_LOW', 2, 1, 'top = bits.eq(top)'),
  opcode(0x15, 'ISZERO', 'VERY_LOW', 1, 1, 'top = bits.iszero(top)'),
  opcode(0x16, 'AND', 'VERY_LOW', 2, 1, 'top = bits.and(top)'),
  opcode(0x17, 'OR', 'VERY_LOW', 2, 1, 'top = bits.or(top)'),
  opcode(0x18, 'XOR', 'VERY_LOW', 2, 1, 'top = bits.xor(top)'),
  opcode(0x19, 'NOT', 'VERY_LOW', 1, 1, 'top = bits.not(top)'),
  opcode(0x1a, 'BYTE', 'VERY_LOW', 2, 1, 'top = bits.byte(top)'),
  opcode(0x1b, 'SHL', 'VERY_LOW', 2, 1, 'top = bits.shl(top)'),
  opcode(0x1c, 'SHR', 'VERY_LOW', 2, 1, 'top = bits.shr(top)'),
  opcode(0x1d, 'SAR', 'VERY_LOW', 2, 1, 'top = bits.sar(top)'),
  opcode(0x1e, 'CLZ', 'LOW', 1, 1, 'top = bits.clz(top)', 'OSAKA'), // EIP-7939

  // Hashing
  opcode(0x20, 'KECCAK256', 'KECCAK', 2, 1, 'gas = hashing.keccak(top, gas); top -= WORD_BYTES'),

  // Environment
  opcode(0x30, 'ADDRESS', 'BASE', 0, 1, 'top = environment.pushWord(top, frame + layout.FRAME_ADDRESS)'),
  opcode(0x31, 'BALANCE', 'ZERO', 1, 1, 'gas = environment.balance(top, gas)'),
  opcode(0x32, 'ORIGIN', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.TRANSACTION_ORIGIN)'),
  opcode(0x33, 'CALLER', 'BASE', 0, 1, 'top = environment.pushWord(top, frame + layout.FRAME_CALLER)'),
  opcode(0x34, 'CALLVALUE', 'BASE', 0, 1, 'top = environment.pushWord(top, frame + layout.FRAME_VALUE)'),
  opcode(0x35, 'CALLDATALOAD', 'VERY_LOW', 1, 1, 'top = environment.calldataload(top)'),
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
  opcode(0x40, 'BLOCKHASH', 'BLOCK_HASH', 1, 1, 'top = block.blockhash(top)'),
  opcode(0x41, 'COINBASE', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.BLOCK_COINBASE)'),
  opcode(0x42, 'TIMESTAMP', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.BLOCK_TIMESTAMP)'),
  opcode(0x43, 'NUMBER', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.BLOCK_NUMBER)'),
  opcode(0x44, 'PREVRANDAO', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.BLOCK_RANDOMNESS)'),
  opcode(0x45, 'GASLIMIT', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.BLOCK_GAS_LIMIT)'),
  opcode(0x46, 'CHAINID', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.CHAIN_ID)'),
  opcode(0x47, 'SELFBALANCE', 'LOW', 0, 1, 'top = environment.selfbalance(top)'),
  opcode(0x48, 'BASEFEE', 'BASE', 0, 1, 'top = environment.pushWord(top, layout.BLOCK_BASE_FEE)'),
  opcode(0x49, 'BLOBHASH', 'VERY_LOW', 1, 1, 'top = block.blobhash(top)', 'CANCUN'), // EIP-4844
  // EIP-7516; 1 where nobody uses blobs
  opcode(0x4a, 'BLOBBASEFEE', 'BASE', 0, 1, 'top = environment.pushNumber(top, 1)', 'CANCUN'),

  // Stack, memory, storage and flow
  opcode(0x50, 'POP', 'BASE', 1, 0, 'top -= WORD_BYTES'),
  opcode(0x51, 'MLOAD', 'VERY_LOW', 1, 1, 'gas = flow.mload(top, gas)'),
  opcode(0x52, 'MSTORE', 'VERY_LOW', 2, 0, 'gas = flow.mstore(top, gas); top -= 2 * WORD_BYTES'),
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
  opcode(0x5c, 'TLOAD', 'TRANSIENT', 1, 1, 'top = flow.tload(top)', 'CANCUN'), // EIP-1153
  opcode(0x5d, 'TSTORE', 'TRANSIENT', 2, 0, 'gas = flow.tstore(top, gas); top -= 2 * WORD_BYTES', 'CANCUN'),
  // EIP-5656
  opcode(0x5e, 'MCOPY', 'VERY_LOW', 3, 0, 'gas = flow.mcopy(top, gas); top -= 3 * WORD_BYTES', 'CANCUN'),

  // Push, duplicate and exchange
  opcode(0x5f, 'PUSH0', 'BASE', 0, 1, 'top = stack.push0(top)', 'SHANGHAI'), // EIP-3855
  opcode(0x60, 'PUSH1', 'VERY_LOW', 0, 1, 'top = stack.push1(top, pc); pc += 1'),
  opcode(0x61, 'PUSH2', 'VERY_LOW', 0, 1, 'top = stack.push2(top, pc); pc += 2'),
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
      top = stack.duplicate(top, opcode - DUP1 + 1)`),
  ),
  ...family(1, 16, (depth) =>
    opcode(0x8f + depth, `SWAP${depth}`, 'VERY_LOW', depth + 1, depth + 1, `
      stack.exchange(top, opcode - SWAP1 + 1)`),
  ),

  // Logging
  ...family(0, 4, (topics) =>
    opcode(0xa0 + topics, `LOG${topics}`, `LOG * ${topics + 1}`, topics + 2, 0, `
      gas = logging.log(top, opcode - LOG0, gas);
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
