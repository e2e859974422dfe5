import { type Address, bytesToHex, toAddress } from '../../protocol/index.ts';
import type { Hardfork } from '../hardfork.ts';
import { blake2f } from './blake2f.ts';
import {
  bls12G1Add,
  bls12G1Msm,
  bls12G2Add,
  bls12G2Msm,
  bls12MapFp2ToG2,
  bls12MapFpToG1,
  bls12PairingCheck,
} from './bls12-381.ts';
import { bn254Add, bn254Mul, bn254Pairing } from './bn254.ts';
import { ecrecover } from './ecrecover.ts';
import { identity, ripemd160, sha256 } from './hashes.ts';
import { modexp, modexpOfOsaka } from './modexp.ts';
import { p256Verify } from './p256-verify.ts';
import { pointEvaluation } from './point-evaluation.ts';
import type { Precompile } from './precompile.ts';

const P256_ADDRESS = 0x100;
const ADDRESS_BYTES = 20;

/** Contracts in the order of their addresses, which start at 1. */
const ISTANBUL: readonly Precompile[] = [
  ecrecover,
  sha256,
  ripemd160,
  identity,
  modexp,
  bn254Add,
  bn254Mul,
  bn254Pairing,
  blake2f,
];
const CANCUN = [...ISTANBUL, pointEvaluation];
const PRAGUE = [
  ...CANCUN,
  bls12G1Add,
  bls12G1Msm,
  bls12G2Add,
  bls12G2Msm,
  bls12PairingCheck,
  bls12MapFpToG1,
  bls12MapFp2ToG2,
];
const OSAKA: (Precompile | undefined)[] = PRAGUE.map((contract) =>
  contract === modexp ? modexpOfOsaka : contract,
);
OSAKA[P256_ADDRESS - 1] = p256Verify;

/** The contracts of all hard forks, in a fixed order. */
export const ALL_CONTRACTS: readonly Precompile[] = [...PRAGUE, modexpOfOsaka, p256Verify];

const CONTRACTS: Readonly<Record<Hardfork, readonly (Precompile | undefined)[]>> = {
  london: ISTANBUL,
  paris: ISTANBUL,
  shanghai: ISTANBUL,
  cancun: CANCUN,
  prague: PRAGUE,
  osaka: OSAKA,
};

/** Returns the precompiled contract at an address, as a number; undefined if the hard fork has none. */
export function precompileAt(address: number, hardfork: Hardfork): Precompile | undefined {
  return CONTRACTS[hardfork][address - 1];
}

/** Numbers of precompiled contracts, by the hexadecimal digits of the addresses at which they run. */
export type PrecompileNumbers = ReadonlyMap<string, number>;

const NUMBERS = new Map<Hardfork, PrecompileNumbers>();

/** Returns the precompiled contracts of a hard fork; the number of each is that of its address. */
export function precompileNumbersOf(hardfork: Hardfork): PrecompileNumbers {
  const known = NUMBERS.get(hardfork);
  if (known !== undefined) return known;
  const numbers = CONTRACTS[hardfork].flatMap((contract, index) =>
    contract === undefined ? [] : [[bytesToHex(addressOf(index + 1)), index + 1] as const],
  );
  const made = new Map(numbers);
  NUMBERS.set(hardfork, made);
  return made;
}

/** A precompiled contract of a hard fork. */
export interface NamedPrecompile extends Pick<Precompile, 'name'> {
  readonly address: Address;
}

/** Lists the precompiled contracts of a hard fork, in the order of their addresses. */
export function precompilesOf(hardfork: Hardfork): readonly NamedPrecompile[] {
  return CONTRACTS[hardfork].flatMap((contract, index) =>
    contract === undefined ? [] : [{ name: contract.name, address: addressOf(index + 1) }],
  );
}

function addressOf(number: number): Address {
  const bytes = new Uint8Array(ADDRESS_BYTES);
  new DataView(bytes.buffer).setUint16(ADDRESS_BYTES - 2, number);
  return toAddress(bytes);
}
