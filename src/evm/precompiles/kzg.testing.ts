/** Proofs of point evaluations by another library and with another project's copy of the trusted setup. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { lazily } from '../../caching/lazily.ts';

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;

interface TrustedSetup {
  /** The generators times the powers of the secret, compressed, as hex with a prefix. */
  readonly g1_monomial: readonly string[];
  readonly g2_monomial: readonly string[];
}

/** The setup of Ethereum's KZG ceremony, from another project. */
function readTrustedSetup(): TrustedSetup {
  const manifest = createRequire(import.meta.url).resolve('viem/package.json');
  return JSON.parse(readFileSync(join(dirname(manifest), 'trusted-setups/mainnet.json'), 'utf8'));
}

const trustedSetup = lazily(readTrustedSetup);

/** A point of the setup. */
export function setupPoint(group: 'g1', index: number): typeof G1.BASE;
export function setupPoint(group: 'g2', index: number): typeof G2.BASE;
export function setupPoint(group: 'g1' | 'g2', index: number): typeof G1.BASE | typeof G2.BASE {
  const text = trustedSetup()[`${group}_monomial`][index]?.slice(2) ?? '';
  return group === 'g1' ? G1.fromHex(text) : G2.fromHex(text);
}

/** The used part of another library, which is compiled for Linux on x64. */
interface KzgLibrary {
  blobToKzgCommitment(blob: Uint8Array): Uint8Array;
  computeBlobKzgProof(blob: Uint8Array, commitment: Uint8Array): Uint8Array;
  computeCellsAndKzgProofs(blob: Uint8Array): { readonly proofs: readonly Uint8Array[] };
}

/** Loads a library that makes the proofs of blobs, which takes two seconds. */
export function loadKzgLibrary(): KzgLibrary {
  const { DasContextJs } = createRequire(import.meta.url)('@crate-crypto/node-eth-kzg-linux-x64-gnu') as {
    DasContextJs: { create(options: { usePrecomp: boolean }): KzgLibrary };
  };
  return DasContextJs.create({ usePrecomp: false });
}

/** Verifies a proof in the form of EIP-4844's text, which is not the contract's. Throws for malformed numbers. */
export function verifyProof(commitment: string, z: string, y: string, proof: string): boolean {
  const [zNumber, yNumber] = [BigInt(z), BigInt(y)];
  const order = bls12_381.fields.Fr.ORDER;
  if (zNumber >= order || yNumber >= order) throw new TypeError('C_KZG_BADARGS');
  const [committed, proven] = [commitment, proof].map((text) => {
    try {
      const point = G1.fromHex(text.slice(2));
      if (!point.is0()) point.assertValidity();
      return point;
    } catch (error) {
      throw new TypeError('C_KZG_BADARGS', { cause: error });
    }
  }) as [typeof G1.BASE, typeof G1.BASE];
  // e(C - y G1, -G2) e(P, secret G2 - z G2) = 1
  const pairs = [
    { g1: committed.subtract(G1.BASE.multiplyUnsafe(yNumber)), g2: G2.BASE.negate() },
    { g1: proven, g2: setupPoint('g2', 1).subtract(G2.BASE.multiplyUnsafe(zNumber)) },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  const { Fp12 } = bls12_381.fields;
  return pairs.length === 0 || Fp12.eql(bls12_381.pairingBatch(pairs, true), Fp12.ONE);
}
