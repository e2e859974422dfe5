/**
 * Bytecode by hand, for tests: opcodes by name, pushes of any size, and jump targets that are filled in
 * later.
 */

/** Numbers of the opcodes that tests name. */
export const OPCODES = {
  stop: 0x00,
  add: 0x01,
  sub: 0x03,
  isZero: 0x15,
  keccak256: 0x20,
  address: 0x30,
  callDataLoad: 0x35,
  callDataCopy: 0x37,
  codeCopy: 0x39,
  extCodeCopy: 0x3c,
  returnDataSize: 0x3d,
  returnDataCopy: 0x3e,
  pop: 0x50,
  memoryLoad: 0x51,
  memoryStore: 0x52,
  memoryStore8: 0x53,
  storageLoad: 0x54,
  storageStore: 0x55,
  jump: 0x56,
  jumpIf: 0x57,
  gas: 0x5a,
  jumpDestination: 0x5b,
  transientLoad: 0x5c,
  transientStore: 0x5d,
  memoryCopy: 0x5e,
  push1: 0x60,
  duplicate1: 0x80,
  swap1: 0x90,
  log0: 0xa0,
  create: 0xf0,
  call: 0xf1,
  callCode: 0xf2,
  return: 0xf3,
  delegateCall: 0xf4,
  create2: 0xf5,
  staticCall: 0xfa,
  revert: 0xfd,
  invalid: 0xfe,
  selfDestruct: 0xff,
} as const;

/** Writes code from its first byte on. */
export class BytecodeWriter {
  readonly #bytes: number[] = [];

  /** Bytes so far: the offset of the next byte. */
  get size(): number {
    return this.#bytes.length;
  }

  /** The code so far. */
  code(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  /** Writes opcodes, or any other bytes. */
  op(...opcodes: readonly number[]): void {
    this.#bytes.push(...opcodes);
  }

  /** Pushes a number with the shortest PUSH1 to PUSH32. */
  push(value: number | bigint): void {
    const digits = value.toString(16);
    const bytes = digits.padStart(digits.length + (digits.length % 2), '0').match(/../g) ?? [];
    this.op(OPCODES.push1 + bytes.length - 1, ...bytes.map((byte) => Number.parseInt(byte, 16)));
  }

  /** Pushes a jump target of two bytes that `land` fills in; returns where they are. */
  pushTarget(): number {
    this.op(OPCODES.push1 + 1, 0, 0);
    return this.size - 2;
  }

  /** Writes the JUMPDEST of a target that `pushTarget` has left open. */
  land(target: number): void {
    this.#bytes[target] = this.size >> 8;
    this.#bytes[target + 1] = this.size & 0xff;
    this.op(OPCODES.jumpDestination);
  }

  /** Stores bytes in memory from offset 0 on, 32 at a time. */
  storeBytes(bytes: Uint8Array): void {
    for (let offset = 0; offset < bytes.length; offset += 32) {
      const part = new Uint8Array(32);
      part.set(bytes.subarray(offset, offset + 32));
      this.op(OPCODES.push1 + 31, ...part);
      this.push(offset);
      this.op(OPCODES.memoryStore);
    }
  }
}
