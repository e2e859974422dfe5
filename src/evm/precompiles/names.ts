import { type Address, toAddress } from '../../protocol/index.ts';
import type { Hardfork } from '../hardfork.ts';
import { precompileAt } from './registry.ts';

/** A precompiled contract of a fork. */
export interface NamedPrecompile {
  /** As EIP-7910 names it. */
  readonly name: string;
  readonly address: Address;
}

const ADDRESS_BYTES = 20;

/** The names of all precompiled contracts, by the low 16 bits of their addresses, which have no others. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0x01, 'ECREC'],
  [0x02, 'SHA256'],
  [0x03, 'RIPEMD160'],
  [0x04, 'ID'],
  [0x05, 'MODEXP'],
  [0x06, 'BN254_ADD'],
  [0x07, 'BN254_MUL'],
  [0x08, 'BN254_PAIRING'],
  [0x09, 'BLAKE2F'],
  [0x0a, 'KZG_POINT_EVALUATION'],
  [0x0b, 'BLS12_G1ADD'],
  [0x0c, 'BLS12_G1MSM'],
  [0x0d, 'BLS12_G2ADD'],
  [0x0e, 'BLS12_G2MSM'],
  [0x0f, 'BLS12_PAIRING_CHECK'],
  [0x10, 'BLS12_MAP_FP_TO_G1'],
  [0x11, 'BLS12_MAP_FP2_TO_G2'],
  [0x100, 'P256VERIFY'],
]);

/** The precompiled contracts that a fork has, in the order of their addresses. */
export function precompilesOf(hardfork: Hardfork): readonly NamedPrecompile[] {
  return [...NAMES]
    .filter(([number]) => precompileAt(number, hardfork) !== undefined)
    .map(([number, name]) => ({ name, address: addressOf(number) }));
}

function addressOf(number: number): Address {
  const bytes = new Uint8Array(ADDRESS_BYTES);
  new DataView(bytes.buffer).setUint16(ADDRESS_BYTES - 2, number);
  return toAddress(bytes);
}
