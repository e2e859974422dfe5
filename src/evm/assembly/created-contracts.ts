/** The list of contracts created since the last settlement, in order, without reverted ones. */

import { CREATIONS_FULL } from './halt';
import { fail } from './host';
import { recordNumber } from './journal';
import * as layout from './layout';

export let creationCount: u32 = 0;

/** Appends a new contract. */
export function appendCreation(account: usize): void {
  if (creationCount >= layout.CREATIONS_CAPACITY) fail(CREATIONS_FULL);
  recordNumber(layout.RECORD_CREATION, account, load<u32>(account, layout.ACCOUNT_CREATION));
  const creation = layout.CREATIONS + <usize>creationCount * layout.CREATION_BYTES;
  store<u32>(creation, account, layout.CREATION_ACCOUNT);
  store<u32>(creation, 0, layout.CREATION_IS_DESTROYED);
  creationCount++;
  store<u32>(account, creationCount, layout.ACCOUNT_CREATION);
}

/** Reverts the latest creation, that of `account`; `previous` is its previous entry of the list. */
export function dropCreation(account: usize, previous: u32): void {
  creationCount--;
  store<u32>(account, previous, layout.ACCOUNT_CREATION);
}

/** Marks an account as destroyed; ignores one that is not in the list. */
export function markCreationDestroyed(account: usize): void {
  const number = load<u32>(account, layout.ACCOUNT_CREATION);
  if (!number) return;
  const creation = layout.CREATIONS + <usize>(number - 1) * layout.CREATION_BYTES;
  recordNumber(layout.RECORD_DESTRUCTION, creation, 0);
  store<u32>(creation, 1, layout.CREATION_IS_DESTROYED);
}

export function emptyCreations(): void {
  for (let index: u32 = 0; index < creationCount; index++) {
    const account = <usize>load<u32>(layout.CREATIONS + <usize>index * layout.CREATION_BYTES, layout.CREATION_ACCOUNT);
    store<u32>(account, 0, layout.ACCOUNT_CREATION);
  }
  creationCount = 0;
}
