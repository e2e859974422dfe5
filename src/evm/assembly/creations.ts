/** Contracts created since the last settlement, in order; what is reverted leaves the list. */

import { CREATIONS_FULL } from './halt';
import { fail } from './host';
import { recordNumber } from './journal';
import * as layout from './layout';

export let creationCount: u32 = 0;

/** Notes that a contract comes into being. */
export function appendCreation(account: usize): void {
  if (creationCount >= layout.CREATIONS_CAPACITY) fail(CREATIONS_FULL);
  recordNumber(layout.RECORD_CREATION, account, load<u32>(account, layout.ACCOUNT_CREATION));
  const creation = layout.CREATIONS + <usize>creationCount * layout.CREATION_BYTES;
  store<u32>(creation, account, layout.CREATION_ACCOUNT);
  store<u32>(creation, 0, layout.CREATION_IS_DESTROYED);
  creationCount++;
  store<u32>(account, creationCount, layout.ACCOUNT_CREATION);
}

/** Undoes the latest creation, that of `account`, whose former creation was `former`. */
export function dropCreation(account: usize, former: u32): void {
  creationCount--;
  store<u32>(account, former, layout.ACCOUNT_CREATION);
}

/** Notes that an account is destroyed; for one that is older than the list there is nothing to note. */
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
