import type { LedgerQueries } from '../../ledger/index.ts';
import { type Address, bytesToNumber, hexToBytes, numberToBytes, toAddress } from '../../protocol/index.ts';

/** Gas of one call by which the node asks a contract about itself. */
const PROBE_GAS_MAX = 100_000n;

const SELECTOR_BYTES = 4;
const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;

/** A state whose contracts are called. */
export type ProbedState = Pick<LedgerQueries, 'accounts' | 'calls'>;

/**
 * Calls a function of a contract, and returns its output; undefined if it fails, or there is no code.
 * @param selector in hexadecimal
 */
export function probe(
  { accounts, calls }: ProbedState,
  contract: Address,
  selector: string,
  ...words: readonly bigint[]
): Uint8Array | undefined {
  if (accounts.codeAt(contract).length === 0) return undefined;
  const data = new Uint8Array(SELECTOR_BYTES + words.length * WORD_BYTES);
  data.set(hexToBytes(selector));
  for (const [index, word] of words.entries()) {
    data.set(numberToBytes(word, WORD_BYTES), SELECTOR_BYTES + index * WORD_BYTES);
  }
  return calls.probe(contract, data, PROBE_GAS_MAX);
}

/** Does the same for a function that returns a number. */
export function probeNumber(...given: Parameters<typeof probe>): bigint | undefined {
  const output = probe(...given);
  return output === undefined || output.length < WORD_BYTES
    ? undefined
    : bytesToNumber(output.subarray(0, WORD_BYTES));
}

/** Does the same for a function that returns the address of a contract; undefined for an address without code. */
export function probeContract(...given: Parameters<typeof probe>): Address | undefined {
  const [state] = given;
  const number = probeNumber(...given);
  return number === undefined ? undefined : contractOf(state, number);
}

/** Returns the contract that a word names; undefined where there is no code. */
export function contractOf({ accounts }: ProbedState, word: bigint): Address | undefined {
  if (word === 0n || word >> BigInt(ADDRESS_BYTES * 8) !== 0n) return undefined;
  const address = toAddress(numberToBytes(word, ADDRESS_BYTES));
  return accounts.codeAt(address).length === 0 ? undefined : address;
}
