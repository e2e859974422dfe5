/**
 * Fused instructions: the frequent sequences that run as one (`fusion.ts` finds them). Their rules and lengths follow
 * from those of their opcodes; they get the numbers that no opcode has.
 *
 * In what the loop does, `data` stands for the place of the data of the sequence's first PUSH.
 */

/**
 * @typedef {object} Fusion
 * @property {string} sequence names of its opcodes
 * @property {'straight' | 'jump' | 'branch'} kind how the loop goes on: after the sequence, or (unless `test` holds,
 *   for a branch) at the JUMPDEST that its last PUSH names and that is known to be there
 * @property {string} body what the loop does
 * @property {string} test
 */

/**
 * Goes on after the sequence, unless the body says where.
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
 * @param {string} test whether it does not jump, asked when the operands were taken
 * @returns {Fusion}
 */
const branch = (sequence, test) => ({ sequence, kind: 'branch', body: '', test });

/** @type {readonly Fusion[]} */
export const FUSIONS = [
  // Jumps that are always taken
  jump('PUSH1 JUMP'),
  jump('PUSH2 JUMP'),
  jump('PUSH2 PUSH2 JUMP', 'top = stack.push2(top, data)'),
  jump('PUSH1 ADD PUSH1 JUMP', 'fused.addByte(top, data)'),
  jump('PUSH1 ADD PUSH2 JUMP', 'fused.addByte(top, data)'),
  straight('SWAP1 JUMP', `
    pc = flow.jumpTarget(top - 2 * WORD_BYTES);
    top = fused.dropBelow(top, 1);
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

  // Jumps on a condition
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
  straight('PUSH1 PUSH1', 'top = fused.pushTwo(top, data)'),
  straight('PUSH1 ADD', 'fused.addByte(top, data)'),
  straight('PUSH1 SWAP1 SUB', 'fused.subtractByte(top, data)'),
  straight('PUSH1 SHL', 'fused.shiftLeftByte(top, data)'),
  straight('PUSH1 SHR', 'fused.shiftRightByte(top, data)'),
  straight('PUSH1 MLOAD', 'gas = fused.loadAt(top, load<u8>(data), gas); top += WORD_BYTES'),
  straight('PUSH2 MLOAD', 'gas = fused.loadAt(top, fused.shortAt(data), gas); top += WORD_BYTES'),
  straight('PUSH1 MSTORE', 'gas = fused.storeAt(top, load<u8>(data), gas); top -= WORD_BYTES'),
  straight('PUSH2 MSTORE', 'gas = fused.storeAt(top, fused.shortAt(data), gas); top -= WORD_BYTES'),
  straight('PUSH1 DUP2', 'top = fused.pushDuplicate(top, data)'),
  straight('PUSH1 DUP2 MSTORE', 'gas = fused.storeByteAtItem(top, data, gas)'),
  straight('PUSH1 ADD MLOAD', 'fused.addByte(top, data); gas = flow.mload(top, gas)'),
  straight('PUSH1 SWAP1', 'top = fused.pushBelow(top, data)'),
  straight('PUSH1 DUP2 SWAP1', 'top = fused.duplicateBelow(top, data)'),
  straight('PUSH1 DUP2 SWAP1 SHR', 'top = fused.shiftedRight(top, data)'),
  straight('PUSH1 DUP2 SWAP1 SHL', 'top = fused.shiftedLeft(top, data)'),
  straight('PUSH1 PUSH1 PUSH1 SHL SUB', 'fused.writeMask(top, data); top += WORD_BYTES'),
  straight('PUSH1 PUSH1 PUSH1 SHL SUB AND', 'fused.mask(top, data)'),
  straight('PUSH1 DUP3', 'top = fused.pushDuplicateThird(top, data)'),
  straight('PUSH0 PUSH1', 'top = fused.pushZeroAnd(top, data)'),
  straight('PUSH1 NOT', 'top = fused.pushNot(top, data)'),
  straight('DUP1 PUSH1 ADD', 'top = fused.sumOf(top, data)'),
  straight('PUSH0 MSTORE', 'gas = fused.storeAt(top, 0, gas); top -= WORD_BYTES'),

  // Stack
  straight('SWAP2 SWAP1', 'fused.lowerFirst(top)'),
  straight('SWAP1 SWAP2', 'fused.raiseThird(top)'),
  straight('POP POP', 'top -= 2 * WORD_BYTES'),
  ...[1, 2, 3, 4, 5].map((depth) => straight(`SWAP${depth} POP`, `top = fused.dropBelow(top, ${depth})`)),
  ...[[1, 1], [1, 2], [1, 3], [1, 4], [2, 1], [2, 2], [2, 3], [2, 4], [3, 2], [3, 3], [3, 4]].map(([first, second]) =>
    straight(`DUP${first} DUP${second}`, `top = fused.duplicateTwo(top, ${first}, ${second})`),
  ),

  // Operands that stay
  ...[1, 2, 3, 4, 5, 6].map((depth) => straight(`DUP${depth} ADD`, `fused.addItem(top, ${depth})`)),
  straight('DUP2 LT', 'fused.lessThanItem(top)'),
  straight('DUP2 GT', 'fused.greaterThanItem(top)'),
  straight('DUP2 EQ', 'fused.equalsItem(top)'),
  ...[1, 2, 3].map((depth) =>
    straight(`DUP${depth} MLOAD`, `gas = fused.loadAtItem(top, ${depth}, gas); top += WORD_BYTES`),
  ),
  straight('DUP2 MSTORE', 'gas = fused.storeAtItem(top, gas); top -= WORD_BYTES'),
  straight('DUP2 MSTORE PUSH1 ADD', `
    gas = fused.storeAtItem(top, gas);
    top -= WORD_BYTES;
    fused.addByte(top, data)`),
  straight('SWAP1 MSTORE', 'gas = fused.storeAtItem(top, gas); top -= 2 * WORD_BYTES'),
  straight('SWAP1 DUP2 MSTORE', 'gas = fused.storeBelow(top, gas); top -= WORD_BYTES'),
  straight('DUP2 AND', 'fused.andItem(top)'),
  straight('DUP1 SWAP2 SUB SWAP1', 'fused.subtractItem(top)'),
  straight('SWAP1 SUB', 'top = fused.subtractFromItem(top)'),
  straight('ISZERO ISZERO', 'fused.isNotZero(top)'),
  straight('LT ISZERO', 'top = fused.isNotLess(top)'),
  straight('GT ISZERO', 'top = fused.isNotGreater(top)'),
];
