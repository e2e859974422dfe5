/** Mnemonics of the instructions, except PUSH, DUP, SWAP and LOG. */
const OPCODES: Readonly<Record<string, number>> = {
  ...numbered(0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'),
  ...numbered(0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ'),
  ...numbered(0x20, 'KECCAK256'),
  ...numbered(0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY'),
  ...numbered(
    0x38,
    'CODESIZE CODECOPY GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH',
  ),
  ...numbered(0x40, 'BLOCKHASH COINBASE TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE'),
  ...numbered(0x49, 'BLOBHASH BLOBBASEFEE'),
  ...numbered(
    0x50,
    'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY PUSH0',
  ),
  ...numbered(0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'),
  STATICCALL: 0xfa,
  ...numbered(0xfd, 'REVERT INVALID SELFDESTRUCT'),
};

/** Sequences that many programs end with. */
const MACROS: Readonly<Record<string, string>> = {
  /** Returns the topmost item. */
  RETURN_TOP: '0 MSTORE 32 0 RETURN',
  /** Reverts with the topmost item. */
  REVERT_TOP: '0 MSTORE 32 0 REVERT',
};

function numbered(first: number, names: string): Record<string, number> {
  return Object.fromEntries(names.split(' ').map((name, index) => [name, first + index]));
}

/**
 * Assembles a program: mnemonics (`DUP1`, `LOG2`, …), numbers, which are pushed with the shortest PUSH1 to
 * PUSH32, `:name` for a JUMPDEST of that name, `@name` to push its offset (PUSH2), and `#` for raw bytes in
 * hexadecimal.
 *
 * @throws {SyntaxError} for an unknown word
 */
export function assemble(source: string): Uint8Array {
  const expanded = source.replace(/\b(RETURN_TOP|REVERT_TOP)\b/g, (name) => MACROS[name] ?? name);
  const bytes: number[] = [];
  const labels = new Map<string, number>();
  const uses: { place: number; label: string }[] = [];
  for (const item of expanded.split(/\s+/).filter((text) => text !== '')) {
    if (item.startsWith(':')) {
      labels.set(item.slice(1), bytes.length);
      bytes.push(0x5b);
    } else if (item.startsWith('@')) {
      uses.push({ place: bytes.length + 1, label: item.slice(1) });
      bytes.push(0x61, 0, 0);
    } else {
      bytes.push(...encode(item));
    }
  }
  for (const { place, label } of uses) {
    const target = labels.get(label);
    if (target === undefined) throw new SyntaxError(`no label ${label}`);
    bytes[place] = target >> 8;
    bytes[place + 1] = target & 0xff;
  }
  return Uint8Array.from(bytes);
}

function encode(item: string): number[] {
  if (item.startsWith('#')) return hexadecimal(item.slice(1));
  const opcode = OPCODES[item] ?? numberedOpcode(item);
  if (opcode !== undefined) return [opcode];
  if (!/^(0x[0-9a-f]+|[0-9]+)$/i.test(item)) throw new SyntaxError(`unknown word ${item}`);
  const bytes = hexadecimal(BigInt(item).toString(16));
  return [0x5f + bytes.length, ...bytes];
}

function numberedOpcode(item: string): number | undefined {
  const match = /^(DUP|SWAP|LOG)(\d+)$/.exec(item);
  if (match === null) return undefined;
  const first = { DUP: 0x7f, SWAP: 0x8f, LOG: 0xa0 }[match[1] as 'DUP' | 'SWAP' | 'LOG'];
  return first + Number(match[2]);
}

function hexadecimal(digits: string): number[] {
  const whole = digits.padStart(digits.length + (digits.length % 2), '0');
  return (whole.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}

/** Init code that deploys a runtime code of at most 65,535 bytes. */
export function initCodeOf(runtime: Uint8Array): Uint8Array {
  const size = `0x${runtime.length.toString(16).padStart(4, '0')}`;
  const head = assemble(`#61${size.slice(2)} #80 #600c 0 CODECOPY 0 RETURN`);
  const code = new Uint8Array(head.length + runtime.length);
  code.set(head);
  code.set(runtime, head.length);
  return code;
}
