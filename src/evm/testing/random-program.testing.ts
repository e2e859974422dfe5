import { type Address, toAddress } from '../../protocol/index.ts';
import type { Hardfork } from '../index.ts';
import { BytecodeWriter, OPCODES } from './bytecode.testing.ts';
import {
  ABSENT_OPCODES,
  ACCOUNT_OPCODES,
  BINARY_OPCODES,
  type OpcodeGroups,
  opcodeGroups,
  TERNARY_OPCODES,
} from './opcode-groups.testing.ts';
import type { Random } from './random.testing.ts';
import { randomPrecompileCall } from './random-precompile.testing.ts';

/**
 * Random EVM programs, weighted towards code that is valid and has effects: a program that halts
 * in its first instructions compares nothing. Everything follows from the seed.
 */

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

/** Addresses and numbers that a program may refer to, and the opcodes that it may use. */
export interface ProgramOptions {
  readonly random: Random;
  readonly hardfork: Hardfork;
  /** Number of contracts. */
  readonly contracts: number;
  /** The first of the contracts that the program mostly refers to: those from it on. */
  readonly firstCallee: number;
  /** Remaining nesting depth of init code within code. */
  readonly creationDepth: number;
}

/** Writes one program: statements that leave the stack as they found it, and an ending. */
class ProgramWriter extends BytecodeWriter {
  readonly #random: Random;
  readonly #options: ProgramOptions;
  readonly #groups: OpcodeGroups;

  constructor(options: ProgramOptions) {
    super();
    this.#options = options;
    this.#random = options.random;
    this.#groups = opcodeGroups(options.hardfork);
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
        this.op(this.#isTransient(2) ? OPCODES.transientLoad : OPCODES.storageLoad);
        break;
      case 4:
        this.push(this.#random.below(200));
        this.op(this.#random.pick([OPCODES.memoryLoad, OPCODES.callDataLoad]));
        break;
      case 5:
        this.op(this.#random.pick(this.#groups.environment));
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

  /** True at random, once in `times` on average, if the hard fork has transient storage. */
  #isTransient(times: number): boolean {
    return this.#random.below(times) === 0 && this.#groups.hasTransientStorage;
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
    else if (kind < 51) this.#memory();
    else if (kind < 64) this.#call();
    else if (kind < 68) this.#precompile();
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
    else this.op(this.#isTransient(4) ? OPCODES.transientStore : OPCODES.storageStore);
  }

  #arithmetic(): void {
    this.#operand();
    for (let count = 1 + this.#random.below(4); count > 0; count -= 1) {
      const kind = this.#random.below(10);
      if (kind === 0) {
        this.op(this.#random.pick(this.#groups.unary));
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
    this.op(this.#isTransient(4) ? OPCODES.transientStore : OPCODES.storageStore);
  }

  #memory(): void {
    const kind = this.#random.below(8);
    if (kind === 7) {
      this.#grow();
    } else if (kind === 0) {
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
        [this.#copyOpcode(), OPCODES.callDataCopy, OPCODES.codeCopy, OPCODES.extCodeCopy][kind - 3] ?? 0,
      );
    }
  }

  /** MCOPY where the hard fork has it. */
  #copyOpcode(): number {
    return this.#groups.hasTransientStorage ? OPCODES.memoryCopy : OPCODES.codeCopy;
  }

  /** Makes memory grow, sometimes far. */
  #grow(): void {
    this.push(this.#random.below(this.#random.pick([5_000, 5_000, 200_000, 5_000_000])));
    this.op(OPCODES.memoryLoad, OPCODES.pop);
  }

  /** Calls a precompiled contract with an input of its kind, mostly with enough gas. */
  #precompile(): void {
    const { address, input } = randomPrecompileCall(this.#random, this.#options.hardfork);
    const opcode = this.#random.pick([OPCODES.staticCall, OPCODES.call, OPCODES.delegateCall]);
    this.storeBytes(input);
    this.#region(300);
    this.push(input.length);
    this.push(0);
    if (opcode === OPCODES.call) this.push(this.#random.below(4) ? 0 : 1);
    this.push(address);
    this.#random.below(4) ? this.op(OPCODES.gas) : this.push(this.#random.below(10_000));
    this.op(opcode);
    this.#keep();
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

  /** Calls the contract with the address on top of the stack, without data, and drops the result. */
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
        this.#absentOpcode();
        break;
      default:
        this.push(2n ** 40n);
        this.op(OPCODES.memoryLoad, OPCODES.pop);
        break;
    }
  }

  #absentOpcode(): void {
    const [first, last] = this.#random.pick(ABSENT_OPCODES);
    this.op(first + this.#random.below(last - first + 1));
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

/** Writes a random program of about as many statements, which may create contracts that create contracts. */
export function randomProgram(
  options: Omit<ProgramOptions, 'creationDepth'>,
  statements: number,
): Uint8Array {
  const writer = new ProgramWriter({ ...options, creationDepth: 2 });
  writer.body(statements);
  return writer.code();
}
