import { bytesToHex, hexToBytes, toHash } from '../../protocol/index.ts';
import type { Hardfork } from '../index.ts';
import { createRandom, randomBytes } from './random.testing.ts';
import { numberedAddress, randomProgram, SLOTS } from './random-program.testing.ts';

/** A transaction and the contracts that it may meet. */
export interface Scenario {
  readonly hardfork: Hardfork;
  /** Codes of the contracts at `contractAddressOf(0)` and so on. */
  readonly contracts: readonly Uint8Array[];
  /** The called contract; undefined for a creation, which has its init code in `data`. */
  readonly target: number | undefined;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly gas: bigint;
}

export const SENDER = numberedAddress(0x5e0de5);
export const COINBASE = numberedAddress(0xc01bba5e);
export const SENDER_BALANCE = 10n ** 18n;
/** The nonce that the sender's transaction has used up. */
export const SENDER_NONCE = 2n;
export const CONTRACT_BALANCE = 1_000n;
export const GAS_PRICE = 10n;

export const BLOCK = {
  number: 1_000n,
  timestamp: 1_700_000_000n,
  gasLimit: 30_000_000n,
  baseFee: 7n,
  blobBaseFee: 1n,
  randomness: toHash(new Uint8Array(32).fill(0xa5)),
};

const CONTRACTS = 4;

/** The storage that contract `index` starts with, by slot. */
export function initialStorage(index: number): readonly (readonly [slot: bigint, value: bigint])[] {
  return SLOTS.slice(0, index % (SLOTS.length + 1)).map((slot, position) => [slot, BigInt(position + 1)]);
}

/** The scenario of a seed. */
export function randomScenario(seed: number, hardfork: Hardfork): Scenario {
  const random = createRandom(seed);
  const program = (firstCallee: number, statements: number) =>
    randomProgram({ random, hardfork, contracts: CONTRACTS, firstCallee }, statements);
  const contracts = Array.from({ length: CONTRACTS }, (_, index) => program(index + 1, 3 + random.below(14)));
  const creates = random.below(8) === 0;
  return {
    hardfork,
    contracts,
    target: creates ? undefined : random.below(2),
    data: creates ? program(0, 6) : randomBytes(random, random.below(80)),
    value: random.below(3) ? 0n : BigInt(random.below(100)),
    gas: BigInt(random.pick([150_000, 1_000_000, 3_000_000]) + random.below(50_000)),
  };
}

/** A scenario as a file holds it; bytes are hexadecimal. */
export interface StoredScenario {
  readonly hardfork: Hardfork;
  readonly contracts: readonly string[];
  readonly target: number | null;
  readonly data: string;
  readonly value: string;
  readonly gas: string;
}

/** The form for a file. */
export function storeScenario({ contracts, target, data, value, gas, ...rest }: Scenario): StoredScenario {
  return {
    ...rest,
    contracts: contracts.map((code) => bytesToHex(code)),
    target: target ?? null,
    data: bytesToHex(data),
    value: value.toString(),
    gas: gas.toString(),
  };
}

/** The scenario of a file. */
export function loadScenario({ hardfork, contracts, target, data, value, gas }: StoredScenario): Scenario {
  return {
    hardfork,
    contracts: contracts.map((code) => hexToBytes(code)),
    target: target ?? undefined,
    data: hexToBytes(data),
    value: BigInt(value),
    gas: BigInt(gas),
  };
}
