/** Meanings of panic codes (Solidity documentation, "Panic via assert and Error via require"). */
const PANIC_REASONS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
]);

/** Returns the meaning of a code of `Panic(uint256)`. */
export function panicReason(code: bigint): string {
  return PANIC_REASONS.get(code) ?? `unknown panic code: 0x${code.toString(16)}`;
}
