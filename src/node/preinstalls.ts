import { readFileSync } from 'node:fs';
import type { EthereumGenesis } from '../ledger/index.ts';
import {
  type Address,
  concatBytes,
  hexToBytes,
  keccak256,
  numberToBytes,
  toAddress,
  utf8ToBytes,
} from '../protocol/index.ts';

/** A contract that tools expect on every chain. */
export interface Preinstall {
  readonly name: string;
  readonly address: Address;
  /** Keccak-256 of the code. */
  readonly codeHash: Uint8Array;
  /** As it is known on Ethereum. */
  readonly code: Uint8Array;
}

const WORD_BYTES = 32;

/** Permit2's code holds two words that depend on its chain, at these places. */
const PERMIT2 = { name: 'Permit2', chainIdAt: 6_945, domainSeparatorAt: 6_983 } as const;
const PERMIT2_DOMAIN = 'EIP712Domain(string name,uint256 chainId,address verifyingContract)';

/** The contracts of `data/preinstalls.txt`, in its order. */
export function knownPreinstalls(): Preinstall[] {
  const text = readFileSync(new URL('../../data/preinstalls.txt', import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [name = '', address = '', codeHash = '', code = ''] = line.split(' ');
    return {
      name,
      address: toAddress(hexBytes(address)),
      codeHash: hexBytes(codeHash),
      code: hexBytes(code),
    };
  });
}

/**
 * The contracts that a chain which knows Ethereum begins with, so that tools find them where they look for them.
 *
 * @param chainId of the chain, which Permit2's code holds
 */
export function preinstallsOf(chainId: number): EthereumGenesis['contracts'] {
  return knownPreinstalls().map(({ name, address, code }) => ({
    address,
    code: name === PERMIT2.name ? permit2For(chainId, address, code) : code,
  }));
}

/** Permit2's code of another chain: the code of chain 1 with the chain's id, and its domain separator (EIP-712). */
function permit2For(chainId: number, address: Address, code: Uint8Array): Uint8Array {
  const id = numberToBytes(BigInt(chainId), WORD_BYTES);
  const domain = concatBytes(textHash(PERMIT2_DOMAIN), textHash(PERMIT2.name), id, word(address));
  const changed = code.slice();
  changed.set(id, PERMIT2.chainIdAt);
  changed.set(keccak256(domain), PERMIT2.domainSeparatorAt);
  return changed;
}

const textHash = (text: string): Uint8Array => keccak256(utf8ToBytes(text));

/** Bytes at the end of 32. */
function word(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(WORD_BYTES);
  padded.set(bytes, WORD_BYTES - bytes.length);
  return padded;
}

function hexBytes(prefixed: string): Uint8Array {
  return hexToBytes(prefixed.slice(2));
}
