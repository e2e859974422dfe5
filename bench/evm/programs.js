/** Programs in bytecode, assembled from words such as `PUSH1 3 ADD`. All of them count down from their input. */

const OPCODES = {
  ADD: 0x01, MUL: 0x02, SUB: 0x03, DIV: 0x04, MULMOD: 0x09, EXP: 0x0a, XOR: 0x18, AND: 0x16, SHL: 0x1b, SHR: 0x1c,
  KECCAK256: 0x20, CALLDATALOAD: 0x35, CALLDATASIZE: 0x36, CALLDATACOPY: 0x37, POP: 0x50, MSTORE: 0x52,
  SLOAD: 0x54, SSTORE: 0x55, JUMPI: 0x57, GAS: 0x5a, JUMPDEST: 0x5b, MCOPY: 0x5e, DUP1: 0x80, DUP2: 0x81,
  SWAP1: 0x90, CALL: 0xf1, STATICCALL: 0xfa, STOP: 0x00,
}; // biome-ignore format: a table

/**
 * Assembles words: a number in hexadecimal is pushed by the shortest PUSH, anything else is an opcode.
 *
 * @param {string} source
 * @returns {Uint8Array}
 */
function assemble(source) {
  const bytes = source
    .trim()
    .split(/\s+/)
    .flatMap((item) => (item.startsWith('0x') ? push(item) : [opcodeOf(item)]));
  return Uint8Array.from(bytes);
}

function opcodeOf(name) {
  const opcode = OPCODES[name];
  if (opcode === undefined) throw new Error(`there is no opcode ${name}`);
  return opcode;
}

function push(number) {
  const digits = number.slice(2);
  const data = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return [0x5f + data.length, ...data];
}

/**
 * Makes a program that runs `body` as often as the first word of its input says. The body finds the count on the stack,
 * and leaves it there.
 *
 * @param {string} body
 * @param {string} [before] what runs once; it leaves the stack as it was
 */
export function countdown(body, before = '') {
  const start = assemble(`${before} 0x0 CALLDATALOAD`);
  const destination = `0x${start.length.toString(16).padStart(2, '0')}`;
  return Buffer.concat([start, assemble(`JUMPDEST ${body} 0x1 SWAP1 SUB DUP1 ${destination} JUMPI STOP`)]);
}

/** A program that calls a precompiled contract, at an address of one byte, with the rest of its input. */
export function precompileLoop(address) {
  const input = '0x20 CALLDATASIZE SUB';
  return countdown(`0x20 0x0 ${input} 0x0 ${address} GAS STATICCALL POP`, `${input} 0x20 0x0 CALLDATACOPY`);
}
