import { type Address, bytesToHex, equalBytes } from '../../protocol/index.ts';
import { type ChainReader, stateKey } from '../../store/index.ts';

/** What an address has: balance in Wei, nonce, and code, empty where there is none. */
export interface AccountInfo {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
}

/** What is compared: the states after two blocks, of which the first is the earlier one. */
export interface StatesBetween {
  readonly store: ChainReader;
  readonly first: number;
  readonly last: number;
}

/**
 * The addresses whose account or storage is not the same after two blocks, in no order: what came back to what it was
 * in between is not among them.
 *
 * @param found called with each of them; it may throw to end the search
 * @param checkTime throws when it takes too long
 * @throws StoreError STORE_NOT_KEPT
 */
export function modifiedAccounts(
  { store, first, last }: StatesBetween,
  found: (address: Address) => void,
  checkTime: () => void,
): void {
  const known = new Set<string>();
  const [earlier, later] = [store.before(first + 1), store.before(last + 1)];
  for (const key of store.overwrittenKeys(first + 1, last)) {
    checkTime();
    const address = stateKey.addressIn(key);
    if (address === undefined || known.has(bytesToHex(address))) continue;
    const [before, after] = [earlier.state(key), later.state(key)];
    const isSame = before === undefined || after === undefined ? before === after : equalBytes(before, after);
    if (isSame) continue;
    known.add(bytesToHex(address));
    found(address);
  }
}
