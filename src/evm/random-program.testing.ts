import { type Address, toAddress } from '../protocol/index.ts';
import { BytecodeWriter, OPCODES } from './bytecode.testing.ts';

/**
 * Random programs of the machine, weighted towards code that is valid and has effects: a program that halts
 * in its first instructions compares nothing. Everything follows from the seed.
 */

/** A source of numbers that a seed determines. */
export interface Random {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  /** One of the values. */
  pick<T>(values: readonly [T, ...T[]]): T;
}

/** Creates a source of numbers (the generator Mulberry32) from a seed of 32 bits. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: <T>(values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0] };
}

/** ISZERO and NOT. */
const UNARY_OPCODES = [0x15, 0x19] as const;
/** ADD to SMOD, EXP, SIGNEXTEND, comparisons, AND to XOR, BYTE, SHL, SHR, SAR. */
const BINARY_OPCODES = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a,
  0x1b, 0x1c, 0x1d,
] as const;
/** ADDMOD and MULMOD. */
const TERNARY_OPCODES = [0x08, 0x09] as const;
/** Opcodes that push a fact of the frame, the transaction or the block. */
const ENVIRONMENT_OPCODES = [
  0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x58, 0x59,
  0x5a, 0x5f,
] as const;
/** BALANCE, EXTCODESIZE, EXTCODEHASH. */
const ACCOUNT_OPCODES = [0x31, 0x3b, 0x3f] as const;

/** Slots that programs read and write, of the storage and of the transient storage. */
export const SLOTS: readonly [bigint, ...bigint[]] = [0n, 1n, 2n, 3n, 2n ** 255n];

/** The precompiled contracts SHA-256, RIPEMD-160 and the identity. */
const PRECOMPILES = [2, 3, 4] as const;
/** Addresses of the contracts of a scenario are this number and those after it. */
const CONTRACT_ADDRESS_START = 0xc0de_0000;
/** An address without an account. */
const ABSENT_ADDRESS = 0xdead_0000;

/** Address of a number, as 20 big-endian bytes. */
export function numberedAddress(value: number): Address {
  const bytes = new Uint8Array(20);
  new DataView(bytes.buffer).setUint32(16, value);
  return toAddress(bytes);
}

/** Address of the contract `index` of a scenario. */
export function contractAddressOf(index: number): Address {
  return numberedAddress(CONTRACT_ADDRESS_START + index);
}

/** What a program may refer to. */
interface ProgramOptions {
  readonly random: Random;
  /** How many contracts there are. */
  readonly contracts: number;
  /** The first of the contracts that the program mostly refers to: those from it on. */
  readonly firstCallee: number;
  /** How many more times code may hold code to create. */
  readonly creationDepth: number;
}

/** Writes one program: statements that leave the stack as they found it, and an ending. */
class ProgramWriter extends BytecodeWriter {
  readonly #random: Random;
  readonly #options: ProgramOptions;

  constructor(options: ProgramOptions) {
    super();
    this.#options = options;
    this.#random = options.random;
  }

  /** Writes some statements and an ending. */
  body(statements: number): void {
    for (let count = 0; count < statements; count += 1) this.#statement(2);
    this.#ending();
  }

  /** Ends init code by returning other code, which it carries. */
  returnCode(runtime: Uint8Array): void {
    this.storeBytes(runtime);
    this.push(runtime.length);
    this.push(0);
    this.op(OPCODES.return);
  }

  /** Pushes an operand of arithmetic: small, an edge, or something that the program has at hand. */
  #operand(): void {
    switch (this.#random.below(8)) {
      case 0:
        this.push(this.#random.below(3));
        break;
      case 1:
        this.push(2n ** BigInt(this.#random.below(256)) - BigInt(this.#random.below(2)));
        break;
      case 2:
        this.push(2n ** 256n - 1n - BigInt(this.#random.below(300)));
        break;
      case 3:
        this.push(this.#random.pick(SLOTS));
        this.op(this.#random.pick([OPCODES.storageLoad, OPCODES.transientLoad]));
        break;
      case 4:
        this.push(this.#random.below(200));
        this.op(this.#random.pick([OPCODES.memoryLoad, OPCODES.callDataLoad]));
        break;
      case 5:
        this.op(this.#random.pick(ENVIRONMENT_OPCODES));
        break;
      case 6:
        this.#address();
        this.op(this.#random.pick(ACCOUNT_OPCODES));
        break;
      default:
        this.push(this.#random.below(1000));
        break;
    }
  }

  /** Pushes an address: mostly of a contract that the caller does not follow, since cycles use up all gas. */
  #address(): void {
    const { contracts, firstCallee } = this.#options;
    const kind = this.#random.below(24);
    if (kind < 16 && firstCallee < contracts) {
      this.push(CONTRACT_ADDRESS_START + firstCallee + this.#random.below(contracts - firstCallee));
    } else if (kind < 20) this.push(this.#random.pick(PRECOMPILES));
    else if (kind < 22) this.push(ABSENT_ADDRESS);
    else if (kind < 23) this.op(OPCODES.address);
    else this.push(CONTRACT_ADDRESS_START + this.#random.below(contracts));
  }

  /** Pushes a size and then an offset, as most opcodes on memory want them. */
  #region(sizeLimit = 100): void {
    this.push(this.#random.below(sizeLimit));
    this.push(this.#random.below(200));
  }

  #statement(nesting: number): void {
    const kind = this.#random.below(100);
    if (kind < 26) this.#arithmetic();
    else if (kind < 38) this.#store();
    else if (kind < 52) this.#memory();
    else if (kind < 68) this.#call();
    else if (kind < 75) this.#create();
    else if (kind < 80) this.#log();
    else if (kind < 88) this.#stackMoves();
    else if (kind < 93 && nesting > 0) this.#branch(nesting - 1);
    else if (kind < 98 && nesting > 0) this.#loop(nesting - 1);
    else if (kind === 99) this.#mistake();
  }

  /** Puts the value on top of the stack into memory or a storage. */
  #keep(): void {
    const kind = this.#random.below(10);
    this.push(kind < 6 ? 32 * this.#random.below(6) : this.#random.pick(SLOTS));
    if (kind < 6) this.op(OPCODES.memoryStore);
    else if (kind < 9) this.op(OPCODES.storageStore);
    else this.op(OPCODES.transientStore);
  }

  #arithmetic(): void {
    this.#operand();
    for (let count = 1 + this.#random.below(4); count > 0; count -= 1) {
      const kind = this.#random.below(10);
      if (kind === 0) {
        this.op(this.#random.pick(UNARY_OPCODES));
        continue;
      }
      this.#operand();
      if (kind < 3) {
        this.#operand();
        this.op(this.#random.pick(TERNARY_OPCODES));
      } else {
        if (this.#random.below(2)) this.op(OPCODES.swap1);
        this.op(this.#random.pick(BINARY_OPCODES));
      }
    }
    this.#keep();
  }

  #store(): void {
    this.#random.below(2) ? this.push(this.#random.below(3)) : this.#operand();
    this.push(this.#random.pick(SLOTS));
    this.op(this.#random.below(4) ? OPCODES.storageStore : OPCODES.transientStore);
  }

  #memory(): void {
    const kind = this.#random.below(7);
    if (kind === 0) {
      this.#operand();
      this.push(this.#random.below(300));
      this.op(this.#random.pick([OPCODES.memoryStore, OPCODES.memoryStore8]));
    } else if (kind === 1) {
      this.#region();
      this.op(OPCODES.keccak256);
      this.#keep();
    } else if (kind === 2) {
      // The size must not exceed what there is to copy from: too much halts the frame (EIP-211).
      this.#random.below(8) ? this.op(OPCODES.returnDataSize) : this.push(this.#random.below(40));
      this.push(0);
      this.push(this.#random.below(200));
      this.op(OPCODES.returnDataCopy);
    } else {
      this.#region();
      this.push(this.#random.below(200));
      if (kind === 6) this.#address();
      this.op(
        [OPCODES.memoryCopy, OPCODES.callDataCopy, OPCODES.codeCopy, OPCODES.extCodeCopy][kind - 3] ?? 0,
      );
    }
  }

  #call(): void {
    const opcode = this.#random.pick([
      OPCODES.call,
      OPCODES.call,
      OPCODES.staticCall,
      OPCODES.delegateCall,
      OPCODES.callCode,
    ]);
    this.#region(80);
    this.#region();
    if (opcode === OPCODES.call || opcode === OPCODES.callCode) {
      this.push(this.#random.below(3) ? 0 : this.#random.below(50));
    }
    this.#address();
    this.#random.below(4) ? this.push(this.#random.below(150_000)) : this.op(OPCODES.gas);
    this.op(opcode);
    this.#keep();
  }

  #create(): void {
    const { random, creationDepth } = this.#options;
    if (creationDepth === 0) return;
    const options = { ...this.#options, creationDepth: creationDepth - 1 };
    const runtime = new ProgramWriter(options);
    runtime.body(1 + random.below(3));
    const initialisation = new ProgramWriter(options);
    for (let count = random.below(3); count > 0; count -= 1) initialisation.#statement(1);
    if (random.below(6)) initialisation.returnCode(runtime.code());
    else initialisation.#ending();
    const code = initialisation.code();
    this.storeBytes(code);
    const isSalted = random.below(2) === 1;
    if (isSalted) this.push(random.below(2));
    this.push(code.length);
    this.push(0);
    this.push(random.below(3) ? 0 : random.below(20));
    this.op(isSalted ? OPCODES.create2 : OPCODES.create);
    if (random.below(2)) this.#callCreated();
    else this.#keep();
  }

  /** Calls the contract whose address is on top of the stack, without data, and drops the result. */
  #callCreated(): void {
    this.push(0);
    for (let count = 0; count < 4; count += 1) this.op(OPCODES.duplicate1);
    this.op(OPCODES.duplicate1 + 5, OPCODES.gas, OPCODES.call, OPCODES.pop, OPCODES.pop);
  }

  #log(): void {
    const topics = this.#random.below(5);
    for (let count = 0; count < topics; count += 1) this.#operand();
    this.#region();
    this.op(OPCODES.log0 + topics);
  }

  #stackMoves(): void {
    const depth = 2 + this.#random.below(15);
    for (let count = 0; count < depth; count += 1) this.push(this.#random.below(100_000));
    for (let count = this.#random.below(5); count > 0; count -= 1) {
      this.op(OPCODES.swap1 + this.#random.below(depth - 1));
    }
    this.op(OPCODES.duplicate1 + this.#random.below(depth));
    this.#keep();
    for (let count = 0; count < depth; count += 1) this.op(OPCODES.pop);
  }

  #branch(nesting: number): void {
    this.#operand();
    if (this.#random.below(2)) this.op(OPCODES.isZero);
    const target = this.pushTarget();
    this.op(OPCODES.jumpIf);
    this.#statement(nesting);
    if (this.#random.below(2)) {
      const end = this.pushTarget();
      this.op(OPCODES.jump);
      this.land(target);
      this.#statement(nesting);
      this.land(end);
    } else {
      this.land(target);
    }
  }

  #loop(nesting: number): void {
    this.push(1 + this.#random.below(6));
    const start = this.size;
    this.op(OPCODES.jumpDestination);
    this.#statement(nesting);
    this.push(1);
    this.op(OPCODES.swap1, OPCODES.sub, OPCODES.duplicate1);
    this.push(start);
    this.op(OPCODES.jumpIf, OPCODES.pop);
  }

  /** Something that halts the frame, or may do so. */
  #mistake(): void {
    switch (this.#random.below(4)) {
      case 0:
        this.op(OPCODES.pop, OPCODES.pop, OPCODES.add);
        break;
      case 1:
        this.push(this.#random.below(this.size + 1));
        this.op(OPCODES.jump);
        break;
      case 2:
        this.op(this.#random.pick([0x0c, 0x1e, 0x21, 0xb0, 0xc0, 0xef, OPCODES.invalid]));
        break;
      default:
        this.push(2n ** 40n);
        this.op(OPCODES.memoryLoad, OPCODES.pop);
        break;
    }
  }

  #ending(): void {
    const kind = this.#random.below(20);
    if (kind < 4) {
      this.op(OPCODES.stop);
    } else if (kind < 6) {
      this.#address();
      this.op(OPCODES.selfDestruct);
    } else if (kind === 6) {
      this.op(OPCODES.invalid);
    } else if (kind > 8) {
      this.#region();
      this.op(kind < 12 ? OPCODES.revert : OPCODES.return);
    }
  }
}

/**
 * Writes a random program of about as many statements.
 *
 * @param contracts - how many contracts there are to refer to
 * @param firstCallee - the first of those that the program mostly refers to
 */
export function randomProgram(
  random: Random,
  contracts: number,
  firstCallee: number,
  statements: number,
): Uint8Array {
  const writer = new ProgramWriter({ random, contracts, firstCallee, creationDepth: 2 });
  writer.body(statements);
  return writer.code();
}

/** Random bytes, a third of them zero. */
export function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => (random.below(3) ? random.below(256) : 0));
}
