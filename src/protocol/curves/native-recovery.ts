import { createRequire } from 'node:module';
import { bytesToHex, hexToBytes } from '../bytes/bytes.ts';
import { invariant } from '../errors.ts';
import { hashedAddress } from '../hashing/keccak256.ts';

/**
 * Recovers the coordinates of the key that signed a hash: no bytes if there is none. r and s are below the group's
 * order, and not 0.
 */
export type RecoverKey = (hash: Uint8Array, r: Uint8Array, s: Uint8Array, isOdd: boolean) => Uint8Array;

/** The used part of the package secp256k1: Bitcoin Core's library, compiled for this machine. */
interface NativeLibrary {
  /** Throws an Error for an impossible signature. */
  ecdsaRecover(signature: Uint8Array, recovery: number, hash: Uint8Array, isCompressed: boolean): Uint8Array;
}

/** The library's message without a key; any other failure is a defect. */
const NO_KEY = 'Public key could not be recover';

const WORD_BYTES = 32;

/** A signature of go-ethereum's tests, and the address of the key that made it. */
const KNOWN = {
  hash: hexToBytes('18c547e4f7b0f325ad1e56f57e26c745b09a3e503d86e00e5255ff7f715d3d1c'),
  r: hexToBytes('73b1693892219d736caba55bdb67216e485557ea6b6af75f37096c9aa6a5a75f'),
  s: hexToBytes('eeb940b1d03b21e36b0e47e79769f095fe2ab855bd91e3a38756b7d75a9c4549'),
  address: 'a94f5374fce5edbc8e2a8697c15331677e6ebf0b',
};

/**
 * Loads the native library; undefined if the package has no binary for this platform.
 *
 * @throws {InvariantError} for a binary that does not recover a known key
 */
export function loadNativeRecovery(): RecoverKey | undefined {
  const library = loadLibrary();
  if (library === undefined) return undefined;
  const recover: RecoverKey = (hash, r, s, isOdd) => {
    const signature = new Uint8Array(2 * WORD_BYTES);
    signature.set(r);
    signature.set(s, WORD_BYTES);
    try {
      // The first byte says that both coordinates follow.
      return library.ecdsaRecover(signature, isOdd ? 1 : 0, hash, false).subarray(1);
    } catch (error) {
      if (!(error instanceof Error) || error.message !== NO_KEY) throw error;
      return new Uint8Array();
    }
  };
  const known = hashedAddress(recover(KNOWN.hash, KNOWN.r, KNOWN.s, true));
  invariant(bytesToHex(known) === KNOWN.address, 'the native library recovers the key of a known signature');
  return recover;
}

/** Loads the package without its fallback, which is slower than ours. */
function loadLibrary(): NativeLibrary | undefined {
  const load = createRequire(import.meta.url);
  try {
    return load('secp256k1/bindings.js') as NativeLibrary; // its functions are those of its documentation
  } catch {
    return undefined;
  }
}
