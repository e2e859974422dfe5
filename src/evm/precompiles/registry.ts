import { type Address, toAddress } from '../../protocol/index.ts';
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
import { identity } from './identity.ts';
import { modexp, modexpOfOsaka } from './modexp.ts';
import { p256Verify } from './p256-verify.ts';
import { pointEvaluation } from './point-evaluation.ts';
import type { Precompile } from './precompile.ts';
import { ripemd160 } from './ripemd160.ts';
import { sha256 } from './sha256.ts';

export type { Precompile } from './precompile.ts';

/** Contracts in the order of their addresses, which begin with 1; `undefined` where there is none. */
type Contracts = readonly (Precompile | undefined)[];

const HASHES = [ecrecover, sha256, ripemd160, identity];
const BN254 = [bn254Add, bn254Mul, bn254Pairing];
const BLS12_381 = [
  bls12G1Add,
  bls12G1Msm,
  bls12G2Add,
  bls12G2Msm,
  bls12PairingCheck,
  bls12MapFpToG1,
  bls12MapFp2ToG2,
];

const P256_ADDRESS = 0x100;
const ADDRESS_BYTES = 20;

const ISTANBUL: Contracts = [...HASHES, modexp, ...BN254, blake2f];
const CANCUN: Contracts = [...ISTANBUL, pointEvaluation];
const PRAGUE: Contracts = [...CANCUN, ...BLS12_381];
const OSAKA_NEIGHBOURS: Contracts = PRAGUE.map((contract) =>
  contract === modexp ? modexpOfOsaka : contract,
);
const OSAKA: Contracts = [
  ...OSAKA_NEIGHBOURS,
  ...new Array<undefined>(P256_ADDRESS - 1 - OSAKA_NEIGHBOURS.length).fill(undefined),
  p256Verify,
];

const CONTRACTS: Readonly<Record<Hardfork, Contracts>> = {
  london: ISTANBUL,
  paris: ISTANBUL,
  shanghai: ISTANBUL,
  cancun: CANCUN,
  prague: PRAGUE,
  osaka: OSAKA,
};

/** The precompiled contract at an address, given as a number; `undefined` where the fork has none. */
export function precompileAt(address: number, hardfork: Hardfork): Precompile | undefined {
  return CONTRACTS[hardfork][address - 1];
}

/** A precompiled contract of a fork. */
export interface NamedPrecompile {
  /** As EIP-7910 names it. */
  readonly name: string;
  readonly address: Address;
}

/** Lists the precompiled contracts that a fork has, in the order of their addresses. */
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
