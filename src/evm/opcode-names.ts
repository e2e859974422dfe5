/** The names of the instructions of all hard forks, as in Ethereum tools. */
const NAMES = namesByNumber({
  0: 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND',
  16: 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ',
  32: 'KECCAK256',
  48: 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY GASPRICE',
  59: 'EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH',
  64: 'BLOCKHASH COINBASE TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE',
  80: 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY PUSH0',
  96: numbered('PUSH', 1, 32),
  128: numbered('DUP', 1, 16),
  144: numbered('SWAP', 1, 16),
  160: numbered('LOG', 0, 4),
  240: 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2',
  250: 'STATICCALL',
  253: 'REVERT INVALID SELFDESTRUCT',
});

/** Returns the name of an instruction; undefined for an opcode that no hard fork defines. */
export function opcodeName(opcode: number): string | undefined {
  return NAMES.get(opcode);
}

/** Returns the name of an instruction for messages. */
export function instructionText(opcode: number): string {
  return NAMES.get(opcode) ?? `opcode 0x${opcode.toString(16)} not defined`;
}

function numbered(name: string, first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => `${name}${first + index}`).join(' ');
}

function namesByNumber(rows: Readonly<Record<number, string>>): ReadonlyMap<number, string> {
  return new Map(
    Object.entries(rows).flatMap(([first, names]) =>
      names.split(' ').map((name, index) => [Number(first) + index, name] as const),
    ),
  );
}
