import type { Hardfork } from '../hardfork.ts';
import { blake2f } from './blake2f.ts';
import { bn254Add, bn254Mul, bn254Pairing } from './bn254.ts';
import { prepareBn254 } from './bn254-points.ts';
import { ecrecover } from './ecrecover.ts';
import { identity } from './identity.ts';
import { modexp } from './modexp.ts';
import type { Precompile } from './precompile.ts';
import { ripemd160 } from './ripemd160.ts';
import { sha256 } from './sha256.ts';

export type { Precompile } from './precompile.ts';

/** The contracts in the order of their addresses, which begin with 1. */
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

/** A fork that adds contracts has a longer row. */
const CONTRACTS: Readonly<Record<Hardfork, readonly Precompile[]>> = {
  london: ISTANBUL,
  paris: ISTANBUL,
  shanghai: ISTANBUL,
  cancun: ISTANBUL,
};

/** The precompiled contract at an address, given as a number; `undefined` where the fork has none. */
export function precompileAt(address: number, hardfork: Hardfork): Precompile | undefined {
  return CONTRACTS[hardfork][address - 1];
}

/** Prepares the libraries of the contracts: to be awaited once before the first of them runs. */
export function preparePrecompiles(): Promise<void> {
  return prepareBn254();
}
