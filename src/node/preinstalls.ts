import { readFileSync } from 'node:fs';
import { lazily } from '../caching/lazily.ts';
import type { EthereumGenesis } from '../ledger/index.ts';
import {
  type Address,
  concatBytes,
  equalBytes,
  hexToBytes,
  keccak256,
  numberToBytes,
  toAddress,
  utf8ToBytes,
} from '../protocol/index.ts';

const WORD_BYTES = 32;

/** Offsets of the two chain-dependent words in the code of Permit2. */
const PERMIT2 = { name: 'Permit2', chainIdAt: 6_945, domainSeparatorAt: 6_983 } as const;
const PERMIT2_DOMAIN = 'EIP712Domain(string name,uint256 chainId,address verifyingContract)';

/** Returns the contracts in `data/preinstalls.txt`, in order. */
export const knownPreinstalls = lazily(() => {
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
});

/** Returns the name of the contract that tools expect at an address; undefined for any other address. */
export function preinstallName(address: Address): string | undefined {
  return knownPreinstalls().find((known) => equalBytes(known.address, address))?.name;
}

/** Returns the preinstalled contracts of an Ethereum chain. Permit2's code depends on the chain id. */
export function preinstallsOf(chainId: number): EthereumGenesis['contracts'] {
  return knownPreinstalls().map(({ name, address, code }) => ({
    address,
    code: name === PERMIT2.name ? permit2For(chainId, address, code) : code,
  }));
}

/** Returns Permit2's code on a chain: the code of chain 1 with the chain's id and domain separator (EIP-712). */
function permit2For(chainId: number, address: Address, code: Uint8Array): Uint8Array {
  const id = numberToBytes(BigInt(chainId), WORD_BYTES);
  const domain = concatBytes(textHash(PERMIT2_DOMAIN), textHash(PERMIT2.name), id, word(address));
  const changed = code.slice();
  changed.set(id, PERMIT2.chainIdAt);
  changed.set(keccak256(domain), PERMIT2.domainSeparatorAt);
  return changed;
}

const textHash = (text: string): Uint8Array => keccak256(utf8ToBytes(text));

/** Pads bytes to 32 on the left. */
function word(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(WORD_BYTES);
  padded.set(bytes, WORD_BYTES - bytes.length);
  return padded;
}

function hexBytes(prefixed: string): Uint8Array {
  return hexToBytes(prefixed.slice(2));
}
