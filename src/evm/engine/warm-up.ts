import type { TimerOptions } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { EVM_WARM_UP_DELAY_MS, EVM_WARM_UP_ROUNDS_MAX } from '../../limits.ts';
import { type Address, type Hash, keccak256, toAddress, toHash } from '../../protocol/index.ts';
import type { Hardfork } from '../hardfork.ts';
import type { AccountState, Host, Message } from '../types.ts';
import { Engine } from './engine.ts';

/** Runs per round: some milliseconds, enough for the optimising compiler to consider the run loop. */
const RUNS = 5;
/** Pause between rounds: the compiler runs in other threads. */
const PAUSE_MILLISECONDS = 4;
/** Greatest share of a pause in which an idle program is busy. */
const IDLE_SHARE = 0.25;
/** Minimum speed-up of an optimised run loop. */
const SPEED_UP = 2.5;
const GAS = 10_000_000n;
const CONTRACT: Address = toAddress(new Uint8Array(20).fill(0xcc));
const CALLER: Address = toAddress(new Uint8Array(20).fill(0xca));

/** A loop of 200 iterations with the instructions that contracts use most. */
const PROGRAM: readonly number[] = [
  [0x60, 200], // PUSH1 200
  [0x5b], // JUMPDEST
  [0x80, 0x60, 0, 0x52], // DUP1 PUSH1 0 MSTORE
  [0x60, 32, 0x60, 0, 0x20], // PUSH1 32 PUSH1 0 KECCAK256
  [0x81, 0x81, 0x02], // DUP2 DUP2 MUL
  [0x82, 0x82, 0x04, 0x06], // DUP3 DUP3 DIV MOD
  [0x81, 0x81, 0x09], // DUP2 DUP2 MULMOD
  [0x60, 3, 0x1c, 0x60, 0, 0x55], // PUSH1 3 SHR PUSH1 0 SSTORE
  [0x60, 0, 0x54, 0x50], // PUSH1 0 SLOAD POP
  [0x60, 1, 0x90, 0x03, 0x80, 0x60, 2, 0x57], // PUSH1 1 SWAP1 SUB DUP1 PUSH1 2 JUMPI
].flat();

const CODE = Uint8Array.from(PROGRAM);
const CODE_HASH: Hash = toHash(keccak256(CODE));
const STATE: AccountState = { balance: 0n, nonce: 1n, codeHash: CODE_HASH };

/** A state with the contract of the warm-up only. */
const WARM_UP_HOST: Host = {
  account: (address) => (address[0] === CONTRACT[0] ? STATE : undefined),
  storage: () => undefined,
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

/** True once the run loop is optimised, or the maximum of rounds has run. */
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
 * Runs a program until a round is faster than the slowest one by the minimum speed-up, or up to a maximum of rounds.
 */
async function warmUp(hardfork: Hardfork, signal: AbortSignal): Promise<void> {
  if (isWarm) return;
  const rest = { signal, ref: false };
  await idle(EVM_WARM_UP_DELAY_MS, rest);
  const engine = await Engine.create({ hardfork, host: WARM_UP_HOST });
  let slowest = 0;
  for (let round = 0; round < EVM_WARM_UP_ROUNDS_MAX && !isWarm; round++) {
    const start = performance.now();
    for (let run = 0; run < RUNS; run++) engine.execute(MESSAGE);
    const time = performance.now() - start;
    slowest = Math.max(slowest, time);
    isWarm = time * SPEED_UP < slowest;
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
