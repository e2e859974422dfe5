/**
 * Fused instructions (superinstructions): frequent sequences that run as one instruction (`fusion.ts` finds them).
 * Their rules and lengths follow from those of their opcodes. They get numbers that no opcode has.
 *
 * In a body, `data` stands for the address of the data of the sequence's first PUSH.
 */

/**
 * @typedef {object} Fusion
 * @property {string} sequence names of its opcodes
 * @property {'straight' | 'jump' | 'branch'} kind the next instruction: the one after the sequence, or (for a branch
 *   unless `test` holds) the JUMPDEST that the last PUSH names, which is known to exist
 * @property {string} body statements of the run loop
 * @property {string} test
 */

/**
 * Continues after the sequence, unless the body sets `pc`.
 *
 * @param {string} sequence
 * @param {string} body
 * @returns {Fusion}
 */
const straight = (sequence, body) => ({ sequence, kind: 'straight', body, test: '' });

/**
 * @param {string} sequence ends with a PUSH and JUMP
 * @returns {Fusion}
 */
const jump = (sequence, body = '') => ({ sequence, kind: 'jump', body, test: '' });

/**
 * @param {string} sequence ends with a PUSH and JUMPI
 * @param {string} test condition for not jumping, evaluated after the operands are popped
 * @returns {Fusion}
 */
const branch = (sequence, test) => ({ sequence, kind: 'branch', body: '', test });

/** Bodies that several sequences share. */
const ADD_BYTE = 'word.addLimb(top - WORD_BYTES, load<u8>(data))';
const MLOAD = 'gas = flow.loadWord(top - WORD_BYTES, top - WORD_BYTES, gas)';
const STORE_AT_SECOND = 'gas = flow.storeWord(top - 2 * WORD_BYTES, top - WORD_BYTES, gas)';
const SUBTRACT_FIRST = 'word.subtract(top - 2 * WORD_BYTES, top - 2 * WORD_BYTES, top - WORD_BYTES)';

/** @type {readonly Fusion[]} */
export const FUSIONS = [
  // Unconditional jumps
  jump('PUSH1 JUMP'),
  jump('PUSH2 JUMP'),
  jump('PUSH2 PUSH2 JUMP', 'setWord(top, fused.shortAt(data)); top += WORD_BYTES'),
  jump('PUSH1 ADD PUSH1 JUMP', ADD_BYTE),
  jump('PUSH1 ADD PUSH2 JUMP', ADD_BYTE),
  straight('SWAP1 JUMP', `
    pc = flow.jumpTarget(top - 2 * WORD_BYTES);
    copyWord(top - 2 * WORD_BYTES, top - WORD_BYTES);
    top -= WORD_BYTES;
    gas = chargeJump(pc, gas)`),
  straight('POP JUMP', 'top -= 2 * WORD_BYTES; pc = flow.jumpTarget(top); gas = chargeJump(pc, gas)'),
  straight('POP POP JUMP', 'top -= 3 * WORD_BYTES; pc = flow.jumpTarget(top); gas = chargeJump(pc, gas)'),
  straight('SWAP1 POP JUMP', `
    top -= 2 * WORD_BYTES;
    pc = flow.jumpTarget(top + WORD_BYTES);
    gas = chargeJump(pc, gas)`),
  straight('SWAP2 SWAP1 POP JUMP', `
    top -= 2 * WORD_BYTES;
    pc = flow.jumpTarget(top - WORD_BYTES);
    copyWord(top - WORD_BYTES, top + WORD_BYTES);
    gas = chargeJump(pc, gas)`),
  straight('POP SWAP1 JUMP', `
    top -= 2 * WORD_BYTES;
    pc = flow.jumpTarget(top - WORD_BYTES);
    copyWord(top - WORD_BYTES, top);
    gas = chargeJump(pc, gas)`),

  // Conditional jumps
  branch('PUSH1 JUMPI', 'isZero(top)'),
  branch('PUSH2 JUMPI', 'isZero(top)'),
  branch('ISZERO PUSH1 JUMPI', '!isZero(top)'),
  branch('ISZERO PUSH2 JUMPI', '!isZero(top)'),
  branch('DUP1 PUSH1 JUMPI', 'isZero(top - WORD_BYTES)'),
  branch('DUP1 PUSH2 JUMPI', 'isZero(top - WORD_BYTES)'),
  branch('DUP2 PUSH1 JUMPI', 'isZero(top - 2 * WORD_BYTES)'),
  branch('DUP2 PUSH2 JUMPI', 'isZero(top - 2 * WORD_BYTES)'),
  branch('DUP3 PUSH1 JUMPI', 'isZero(top - 3 * WORD_BYTES)'),
  branch('DUP3 PUSH2 JUMPI', 'isZero(top - 3 * WORD_BYTES)'),
  branch('LT PUSH2 JUMPI', '!lessThan(top + WORD_BYTES, top)'),
  branch('GT PUSH2 JUMPI', '!lessThan(top, top + WORD_BYTES)'),
  branch('EQ PUSH2 JUMPI', '!equals(top, top + WORD_BYTES)'),
  branch('SUB PUSH1 JUMPI', 'equals(top, top + WORD_BYTES)'),
  branch('SUB PUSH2 JUMPI', 'equals(top, top + WORD_BYTES)'),
  branch('LT ISZERO PUSH1 JUMPI', 'lessThan(top + WORD_BYTES, top)'),
  branch('LT ISZERO PUSH2 JUMPI', 'lessThan(top + WORD_BYTES, top)'),
  branch('GT ISZERO PUSH1 JUMPI', 'lessThan(top, top + WORD_BYTES)'),
  branch('GT ISZERO PUSH2 JUMPI', 'lessThan(top, top + WORD_BYTES)'),
  branch('SLT ISZERO PUSH2 JUMPI', 'signedLessThan(top + WORD_BYTES, top)'),
  branch('DUP1 PUSH4 EQ PUSH2 JUMPI', '!fused.isSelector(top, data)'),

  // Constants
  straight('PUSH1 PUSH1', `
    setWord(top, load<u8>(data));
    setWord(top + WORD_BYTES, load<u8>(data, 2));
    top += 2 * WORD_BYTES`),
  straight('PUSH1 ADD', ADD_BYTE),
  straight('PUSH1 SWAP1 SUB', 'word.subtractLimb(top - WORD_BYTES, load<u8>(data))'),
  straight('PUSH1 SHL', 'word.shiftLeftBy(top - WORD_BYTES, load<u8>(data), top - WORD_BYTES)'),
  straight('PUSH1 SHR', 'word.shiftRightBy(top - WORD_BYTES, load<u8>(data), top - WORD_BYTES)'),
  straight('PUSH1 MLOAD', 'gas = fused.loadAt(top, load<u8>(data), gas); top += WORD_BYTES'),
  straight('PUSH2 MLOAD', 'gas = fused.loadAt(top, fused.shortAt(data), gas); top += WORD_BYTES'),
  straight('PUSH1 MSTORE', 'gas = fused.storeAt(top, load<u8>(data), gas); top -= WORD_BYTES'),
  straight('PUSH2 MSTORE', 'gas = fused.storeAt(top, fused.shortAt(data), gas); top -= WORD_BYTES'),
  straight('PUSH1 DUP2', `
    setWord(top, load<u8>(data));
    copyWord(top + WORD_BYTES, top - WORD_BYTES);
    top += 2 * WORD_BYTES`),
  straight('PUSH1 DUP2 MSTORE', 'gas = fused.storeByteAtItem(top, data, gas)'),
  straight('PUSH1 ADD MLOAD', `${ADD_BYTE}; ${MLOAD}`),
  straight('PUSH1 SWAP1', `
    copyWord(top, top - WORD_BYTES);
    setWord(top - WORD_BYTES, load<u8>(data));
    top += WORD_BYTES`),
  straight('PUSH1 DUP2 SWAP1', `
    copyWord(top, top - WORD_BYTES);
    setWord(top + WORD_BYTES, load<u8>(data));
    top += 2 * WORD_BYTES`),
  straight('PUSH1 DUP2 SWAP1 SHR', 'word.shiftRightBy(top, load<u8>(data), top - WORD_BYTES); top += WORD_BYTES'),
  straight('PUSH1 DUP2 SWAP1 SHL', 'word.shiftLeftBy(top, load<u8>(data), top - WORD_BYTES); top += WORD_BYTES'),
  straight('PUSH1 PUSH1 PUSH1 SHL SUB', 'fused.writeMask(top, data); top += WORD_BYTES'),
  straight('PUSH1 PUSH1 PUSH1 SHL SUB AND', `
    fused.writeMask(top, data);
    word.bitwiseAnd(top - WORD_BYTES, top - WORD_BYTES, top)`),
  straight('PUSH1 DUP3', `
    setWord(top, load<u8>(data));
    copyWord(top + WORD_BYTES, top - 2 * WORD_BYTES);
    top += 2 * WORD_BYTES`),
  straight('PUSH0 PUSH1', `
    word.clearWord(top);
    setWord(top + WORD_BYTES, load<u8>(data));
    top += 2 * WORD_BYTES`),
  straight('PUSH1 NOT', `
    word.storeLimbs(top, ~(<u64>load<u8>(data)), u64.MAX_VALUE, u64.MAX_VALUE, u64.MAX_VALUE);
    top += WORD_BYTES`),
  straight('DUP1 PUSH1 ADD', `
    copyWord(top, top - WORD_BYTES);
    word.addLimb(top, load<u8>(data));
    top += WORD_BYTES`),
  straight('PUSH0 MSTORE', 'gas = fused.storeAt(top, 0, gas); top -= WORD_BYTES'),

  // Stack
  straight('SWAP2 SWAP1', 'stack.rotate(top - WORD_BYTES, top - 2 * WORD_BYTES, top - 3 * WORD_BYTES)'),
  straight('SWAP1 SWAP2', 'stack.rotate(top - 3 * WORD_BYTES, top - 2 * WORD_BYTES, top - WORD_BYTES)'),
  straight('POP POP', 'top -= 2 * WORD_BYTES'),
  ...[1, 2, 3, 4, 5].map((depth) => straight(`SWAP${depth} POP`, `
    copyWord(top - ${depth + 1} * WORD_BYTES, top - WORD_BYTES);
    top -= WORD_BYTES`)),
  ...[[1, 1], [1, 2], [1, 3], [1, 4], [2, 1], [2, 2], [2, 3], [2, 4], [3, 2], [3, 3], [3, 4]].map(([first, second]) =>
    straight(`DUP${first} DUP${second}`, `
    copyWord(top, top - ${first} * WORD_BYTES);
    copyWord(top + WORD_BYTES, top + WORD_BYTES - ${second} * WORD_BYTES);
    top += 2 * WORD_BYTES`),
  ),

  // Operands that stay on the stack
  ...[1, 2, 3, 4, 5, 6].map((depth) => 
    straight(`DUP${depth} ADD`, `word.add(top - WORD_BYTES, top - ${depth} * WORD_BYTES, top - WORD_BYTES)`),
  ),
  straight('DUP2 LT', 'setWord(top - WORD_BYTES, <u64>lessThan(top - 2 * WORD_BYTES, top - WORD_BYTES))'),
  straight('DUP2 GT', 'setWord(top - WORD_BYTES, <u64>lessThan(top - WORD_BYTES, top - 2 * WORD_BYTES))'),
  straight('DUP2 EQ', 'setWord(top - WORD_BYTES, <u64>equals(top - WORD_BYTES, top - 2 * WORD_BYTES))'),
  ...[1, 2, 3].map((depth) =>
    straight(`DUP${depth} MLOAD`, `gas = flow.loadWord(top, top - ${depth} * WORD_BYTES, gas); top += WORD_BYTES`),
  ),
  straight('DUP2 MSTORE', `${STORE_AT_SECOND}; top -= WORD_BYTES`),
  straight('DUP2 MSTORE PUSH1 ADD', `
    ${STORE_AT_SECOND};
    top -= WORD_BYTES;
    ${ADD_BYTE}`),
  straight('SWAP1 MSTORE', `${STORE_AT_SECOND}; top -= 2 * WORD_BYTES`),
  straight('SWAP1 DUP2 MSTORE', 'gas = fused.storeBelow(top, gas); top -= WORD_BYTES'),
  straight('DUP2 AND', 'word.bitwiseAnd(top - WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES)'),
  straight('DUP1 SWAP2 SUB SWAP1', SUBTRACT_FIRST),
  straight('SWAP1 SUB', `${SUBTRACT_FIRST}; top -= WORD_BYTES`),
  straight('ISZERO ISZERO', 'setWord(top - WORD_BYTES, <u64>!isZero(top - WORD_BYTES))'),
  straight('LT ISZERO', `
    setWord(top - 2 * WORD_BYTES, <u64>!lessThan(top - WORD_BYTES, top - 2 * WORD_BYTES));
    top -= WORD_BYTES`),
  straight('GT ISZERO', `
    setWord(top - 2 * WORD_BYTES, <u64>!lessThan(top - 2 * WORD_BYTES, top - WORD_BYTES));
    top -= WORD_BYTES`),
];
