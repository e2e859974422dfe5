import { eddsa } from '@noble/curves/abstract/edwards.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha3_512 } from '@noble/hashes/sha3.js';

/** Ed25519 as the published test vectors have it: with SHA3-512 where RFC 8032 has SHA-512. */
const scheme = eddsa(ed25519.Point, sha3_512, { adjustScalarBytes: clamp });

/** Seeds and public keys of the format's published test vectors. */
export const VECTOR_KEYS = [
  {
    seed: '3d8b49e55990a8102bedd9db4e6091d713ffbfefe3ac79ae4e7182e008b1bbea',
    publicKey: '892bb89d324f289d77eb2994bdcb31e4bcb9d1e6b9a8f5d960f7b096c6d83863',
  },
  {
    seed: 'b46fe82232f5912acec09e955a0b21150fc2e3ccbaf0c1e97aea94c64a8ceac3',
    publicKey: '8d19197ade27addc2c8e27985e0299c683853a38a8787cdf3f348ae48b9275ce',
  },
  {
    seed: '7a40389a1844d7514d7b17d333f0423406e6c5a7eee69fb4cdc3bfd57a4de693',
    publicKey: '173c42b751b9a012a2b6bee1f1de2916566c48127f2d7e6b6c0c268cb31c2021',
  },
] as const;

/** Signs a message; `seed` is 64 hex digits, the signature has 64 bytes. */
export function signMessage(seed: string, message: Uint8Array): Uint8Array {
  return scheme.sign(message, Buffer.from(seed, 'hex'));
}

/** The public key of a seed, 64 hex digits each. */
export function publicKeyOf(seed: string): string {
  return Buffer.from(scheme.getPublicKey(Buffer.from(seed, 'hex'))).toString('hex');
}

/** RFC 8032, section 5.1.5: a multiple of the cofactor with its highest bit set. */
function clamp(scalar: Uint8Array): Uint8Array {
  const clamped = Uint8Array.from(scalar);
  clamped[0] = (clamped[0] ?? 0) & 0xf8;
  clamped[31] = ((clamped[31] ?? 0) & 0x7f) | 0x40;
  return clamped;
}
