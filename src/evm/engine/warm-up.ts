import type { TimerOptions } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { type Address, type Hash, keccak256, toAddress, toHash } from '../../protocol/index.ts';
import type { Hardfork } from '../hardfork.ts';
import type { AccountState, Host, Message } from '../types.ts';
import { Engine } from './engine.ts';

/** Milliseconds from the start of a node to the warm-up of the EVM, so that the first calls run before it. */
const EVM_WARM_UP_DELAY_MS = 50;
/** Rounds of a warm-up of the EVM; each takes some milliseconds. */
const EVM_WARM_UP_ROUNDS_MAX = 20;

/** Runs per round: some milliseconds, enough for the optimising compiler to consider the run loop. */
const RUNS = 5;
/** Pause between rounds: the compiler runs in other threads. */
const PAUSE_MILLISECONDS = 4;
/** Greatest share of a pause in which an idle program is busy. */
const IDLE_SHARE = 0.25;
/** Minimum speed-up of optimised code. */
const SPEED_UP = 2.5;
/** A round is faster than the fastest one before if it takes at most this part of its time. */
const PROGRESS = 0.9;
/** Rounds without progress after which the compiler is done: it optimises function by function. */
const LAST_ROUNDS = 4;
const GAS = 10_000_000n;
const CONTRACT: Address = toAddress(new Uint8Array(20).fill(0xcc));
const CALLER: Address = toAddress(new Uint8Array(20).fill(0xca));

/** Called with input, it returns; else a loop of 200 iterations with the instructions that contracts use most. */
const PROGRAM: readonly number[] = [
  [0x36, 0x60, 73, 0x57], // CALLDATASIZE PUSH1 return JUMPI
  [0x60, 200, 0x5b], // PUSH1 200 JUMPDEST
  [0x80, 0x60, 0, 0x52], // DUP1 PUSH1 0 MSTORE
  [0x60, 64, 0x60, 0, 0x20], // PUSH1 64 PUSH1 0 KECCAK256
  [0x81, 0x81, 0x02, 0x81, 0x02], // DUP2 DUP2 MUL DUP2 MUL
  [0x82, 0x82, 0x04, 0x81, 0x06], // DUP3 DUP3 DIV DUP2 MOD
  [0x60, 128, 0x1c, 0x82, 0x04], // PUSH1 128 SHR DUP3 DIV
  [0x82, 0x82, 0x82, 0x09, 0x08], // DUP3 DUP3 DUP3 MULMOD ADDMOD
  [0x60, 3, 0x0a, 0x60, 7, 0x1b], // PUSH1 3 EXP PUSH1 7 SHL
  [0x82, 0x55, 0x81, 0x54, 0x50], // DUP3 SSTORE DUP2 SLOAD POP: a new slot
  [0x60, 32, 0x60, 0, 0x60, 32, 0x60, 0], // PUSH1 32 PUSH1 0 PUSH1 32 PUSH1 0
  [0x30, 0x5a, 0xfa, 0x50], // ADDRESS GAS STATICCALL POP
  [0x60, 32, 0x60, 32, 0xa1], // PUSH1 32 PUSH1 32 LOG1 with the hash as its topic
  [0x60, 1, 0x90, 0x03, 0x80, 0x60, 6, 0x57, 0], // PUSH1 1 SWAP1 SUB DUP1 PUSH1 loop JUMPI STOP
  [0x5b, 0x60, 0, 0x35, 0x60, 0, 0x52, 0x60, 32, 0x60, 0, 0xf3], // JUMPDEST and return of the input
].flat();

const CODE = Uint8Array.from(PROGRAM);
const CODE_HASH: Hash = toHash(keccak256(CODE));
const STATE: AccountState = { balance: 0n, nonce: 1n, codeHash: CODE_HASH };

/** A state with the contract of the warm-up only. */
const WARM_UP_HOST: Host = {
  account: (address) => (address[0] === CONTRACT[0] ? STATE : undefined),
  storage: () => undefined,
  mayHaveStorage: () => true,
  hasStorage: () => false,
  code: () => CODE,
  blockHash: () => undefined,
  createAddress: () => CONTRACT,
};

const MESSAGE: Message = {
  caller: CALLER,
  to: CONTRACT,
  value: 0n,
  data: new Uint8Array(0),
  gas: GAS,
  gasPrice: 0n,
  payForGas: false,
};

/** True once the engine is optimised, or the maximum of rounds has run. */
let isWarm = false;

/**
 * Makes V8 optimise the engine's run loop, for all engines of the process, while the program is idle. An execution that
 * begins before that stays slow until it ends.
 *
 * @returns a function that ends the warm-up
 */
export function startWarmUp(hardfork: Hardfork): () => void {
  const ending = new AbortController();
  // Ignored: an execution reports the same failure.
  warmUp(hardfork, ending.signal).catch(() => undefined);
  return () => ending.abort();
}

/**
 * Runs a program until rounds are faster than the slowest one by the minimum speed-up and get no faster, or up to a
 * maximum of rounds.
 */
async function warmUp(hardfork: Hardfork, signal: AbortSignal): Promise<void> {
  if (isWarm) return;
  const rest = { signal, ref: false };
  await idle(EVM_WARM_UP_DELAY_MS, rest);
  const engine = await Engine.create({ hardfork, host: WARM_UP_HOST });
  let slowest = 0;
  let fastest = Number.POSITIVE_INFINITY;
  let last = 0;
  for (let round = 0; round < EVM_WARM_UP_ROUNDS_MAX && !isWarm; round++) {
    const start = performance.now();
    for (let run = 0; run < RUNS; run++) {
      engine.execute(MESSAGE);
      engine.discard();
    }
    engine.clear();
    const time = performance.now() - start;
    slowest = Math.max(slowest, time);
    if (time <= fastest * PROGRESS) last = round + LAST_ROUNDS;
    fastest = Math.min(fastest, time);
    isWarm = fastest * SPEED_UP < slowest && round >= last;
    await idle(PAUSE_MILLISECONDS, rest);
  }
  isWarm = true;
}

/** Waits for a pause in which the program was idle: a round would delay the requests of a busy one. */
async function idle(milliseconds: number, rest: TimerOptions): Promise<void> {
  const { eventLoopUtilization } = performance;
  for (let share = 1; share > IDLE_SHARE; ) {
    const before = eventLoopUtilization();
    await setTimeout(milliseconds, undefined, rest);
    share = eventLoopUtilization(before).utilization;
  }
}
