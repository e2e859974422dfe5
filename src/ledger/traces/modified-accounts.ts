import { type Address, bytesToHex, equalBytes } from '../../protocol/index.ts';
import { type ChainReader, stateKey } from '../../store/index.ts';

/** An account: balance in wei, nonce and code, which may be empty. */
export interface AccountInfo {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
}

/** The compared states: those after two blocks, the earlier one first. */
export interface StatesBetween {
  readonly store: ChainReader;
  readonly first: number;
  readonly last: number;
}

/**
 * Finds the addresses whose account or storage differs after two blocks, in no order. Addresses that changed back in
 * between are not among them.
 * @param found called with each address; may throw to end the search
 * @param checkTime throws after the time limit
 * @throws StoreError STORE_NOT_KEPT
 */
export function modifiedAccounts(
  { store, first, last }: StatesBetween,
  found: (address: Address) => void,
  checkTime: () => void,
): void {
  const known = new Set<string>();
  const earlier = store.before(first + 1);
  const later = store.before(last + 1);
  for (const key of store.overwrittenKeys(first + 1, last)) {
    checkTime();
    const address = stateKey.addressIn(key);
    if (address === undefined || known.has(bytesToHex(address))) continue;
    const before = earlier.state(key);
    const after = later.state(key);
    const isSame = before === undefined || after === undefined ? before === after : equalBytes(before, after);
    if (isSame) continue;
    known.add(bytesToHex(address));
    found(address);
  }
}
