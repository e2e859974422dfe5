/** Contracts created since the last settlement, in order; what is reverted leaves the list. */

import { CREATIONS_FULL } from './halt';
import { fail } from './host';
import { recordNumber } from './journal';
import {
  ACCOUNT_CREATION,
  CREATION_ACCOUNT,
  CREATION_BYTES,
  CREATION_IS_DESTROYED,
  CREATIONS,
  CREATIONS_CAPACITY,
  RECORD_CREATION,
  RECORD_DESTRUCTION,
} from './layout';

export let creationCount: u32 = 0;

/** Notes that a contract comes into being. */
export function appendCreation(account: usize): void {
  if (creationCount >= CREATIONS_CAPACITY) fail(CREATIONS_FULL);
  recordNumber(RECORD_CREATION, account, load<u32>(account, ACCOUNT_CREATION));
  const creation = CREATIONS + <usize>creationCount * CREATION_BYTES;
  store<u32>(creation, account, CREATION_ACCOUNT);
  store<u32>(creation, 0, CREATION_IS_DESTROYED);
  creationCount++;
  store<u32>(account, creationCount, ACCOUNT_CREATION);
}

/** Undoes the latest creation, that of `account`, whose former creation was `former`. */
export function dropCreation(account: usize, former: u32): void {
  creationCount--;
  store<u32>(account, former, ACCOUNT_CREATION);
}

/** Notes that an account is destroyed; for one that is older than the list there is nothing to note. */
export function markCreationDestroyed(account: usize): void {
  const number = load<u32>(account, ACCOUNT_CREATION);
  if (!number) return;
  const creation = CREATIONS + <usize>(number - 1) * CREATION_BYTES;
  recordNumber(RECORD_DESTRUCTION, creation, 0);
  store<u32>(creation, 1, CREATION_IS_DESTROYED);
}

export function emptyCreations(): void {
  for (let index: u32 = 0; index < creationCount; index++) {
    const account = <usize>load<u32>(CREATIONS + <usize>index * CREATION_BYTES, CREATION_ACCOUNT);
    store<u32>(account, 0, ACCOUNT_CREATION);
  }
  creationCount = 0;
}
