/** Steps of a trace as text. */

const SINGLE = {
  0: 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND',
  16: 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ',
  32: 'KECCAK256',
  48: 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY GASPRICE',
  59: 'EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH BLOCKHASH COINBASE TIMESTAMP NUMBER',
  68: 'PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE',
  80: 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY PUSH0',
  160: 'LOG0 LOG1 LOG2 LOG3 LOG4',
  240: 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2',
  250: 'STATICCALL',
  253: 'REVERT INVALID SELFDESTRUCT',
};

const NAMES = new Map(
  Object.entries(SINGLE).flatMap(([first, names]) =>
    names.split(' ').map((name, index) => [Number(first) + index, name]),
  ),
);

/** Returns the name of an opcode, or its number without a name. */
function nameOfOpcode(opcode) {
  if (opcode >= 0x60 && opcode <= 0x7f) return `PUSH${opcode - 0x5f}`;
  if (opcode >= 0x80 && opcode <= 0x8f) return `DUP${opcode - 0x7f}`;
  if (opcode >= 0x90 && opcode <= 0x9f) return `SWAP${opcode - 0x8f}`;
  return NAMES.get(opcode) ?? `0x${opcode.toString(16)}`;
}

/** Returns one line of a trace. */
export function describeStep({ depth, programCounter, opcode, gas, stackHeight, stackTop, memorySize }) {
  const top = stackTop === undefined ? '' : ` top 0x${stackTop.toString(16)}`;
  const position = `${String(depth).padStart(4)} ${String(programCounter).padStart(6)}`;
  const name = nameOfOpcode(opcode).padEnd(14);
  return `${position} ${name} gas ${gas} stack ${stackHeight}${top} memory ${memorySize}`;
}
