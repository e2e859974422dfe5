/** The table of accounts: loaded through the host at the first touch, changed under the journal. */

import { COLD_ACCOUNT, WARM } from './gas';
import { generation } from './generation';
import { ACCOUNTS_FULL } from './halt';
import { precompileCount, remotePrecompile } from './hardfork';
import { hashWord } from './hashing';
import { fail, loadAccount } from './host';
import { appendRecord, recordNumber, recordWord } from './journal';
import {
  ACCOUNT_ADDRESS,
  ACCOUNT_BALANCE,
  ACCOUNT_BYTES,
  ACCOUNT_CELL,
  ACCOUNT_CODE_HASH,
  ACCOUNT_NONCE,
  ACCOUNT_EXISTS,
  ACCOUNT_FLAGS,
  ACCOUNT_GENERATION,
  ACCOUNT_HAS_CODE,
  ACCOUNT_IS_TOUCHED,
  ACCOUNT_IS_WARM,
  ACCOUNT_SETTLED_BALANCE,
  ACCOUNT_SETTLED_CODE_HASH,
  ACCOUNT_SETTLED_NONCE,
  ACCOUNT_SETTLED_FLAGS,
  ACCOUNT_TRANSACTION_FLAGS,
  ACCOUNTS,
  ACCOUNTS_CAPACITY,
  ACCOUNTS_INDEX,
  ACCOUNTS_INDEX_CELLS,
  RECORD_BALANCE,
  RECORD_NONCE,
  RECORD_FLAGS,
  RECORD_OLD_WORD,
  RECORD_TRANSACTION_FLAGS,
} from './layout';
import { add, clearWords, copyWord, equals, fitsLimb, isZero, subtract } from './word';

export let accountCount: u32 = 0;
const newBalance: usize = memory.data(32, 16);

/** Returns the entry of an address (a word whose highest 12 bytes are zero). */
export function findAccount(address: usize): usize {
  let cell = hashWord(address, 0) & (ACCOUNTS_INDEX_CELLS - 1);
  let number = load<u32>(ACCOUNTS_INDEX + (<usize>cell << 2));
  while (number) {
    const account = ACCOUNTS + <usize>(number - 1) * ACCOUNT_BYTES;
    if (equals(account + ACCOUNT_ADDRESS, address)) {
      if (load<u32>(account, ACCOUNT_GENERATION) != generation) beginGeneration(account);
      return account;
    }
    cell = (cell + 1) & (ACCOUNTS_INDEX_CELLS - 1);
    number = load<u32>(ACCOUNTS_INDEX + (<usize>cell << 2));
  }
  return addAccount(address, cell);
}

function beginGeneration(account: usize): void {
  store<u32>(account, generation, ACCOUNT_GENERATION);
  store<u32>(account, 0, ACCOUNT_TRANSACTION_FLAGS);
}

function addAccount(address: usize, cell: u32): usize {
  if (accountCount >= ACCOUNTS_CAPACITY) fail(ACCOUNTS_FULL);
  const account = ACCOUNTS + <usize>accountCount * ACCOUNT_BYTES;
  clearWords(account, ACCOUNT_BYTES);
  copyWord(account + ACCOUNT_ADDRESS, address);
  store<u32>(account, cell, ACCOUNT_CELL);
  store<u32>(account, generation, ACCOUNT_GENERATION);
  loadAccount(account);
  settleAccount(account);
  accountCount++;
  store<u32>(ACCOUNTS_INDEX + (<usize>cell << 2), accountCount);
  return account;
}

/** Empties the table, in time proportional to what it holds. */
export function emptyAccounts(): void {
  for (let index: u32 = 0; index < accountCount; index++) {
    const cell = load<u32>(ACCOUNTS + <usize>index * ACCOUNT_BYTES, ACCOUNT_CELL);
    store<u32>(ACCOUNTS_INDEX + (<usize>cell << 2), 0);
  }
  accountCount = 0;
}

/** Makes the current values the settled ones. */
export function settleAccount(account: usize): void {
  copyWord(account + ACCOUNT_SETTLED_BALANCE, account + ACCOUNT_BALANCE);
  copyWord(account + ACCOUNT_SETTLED_CODE_HASH, account + ACCOUNT_CODE_HASH);
  store<u64>(account, load<u64>(account, ACCOUNT_NONCE), ACCOUNT_SETTLED_NONCE);
  store<u32>(account, load<u32>(account, ACCOUNT_FLAGS), ACCOUNT_SETTLED_FLAGS);
}

/** Tests whether an account has no code, no nonce and no balance (EIP-161), be it stored or not. */
export function isEmptyAccount(account: usize): bool {
  return (
    !(load<u32>(account, ACCOUNT_FLAGS) & ACCOUNT_HAS_CODE) &&
    !load<u64>(account, ACCOUNT_NONCE) &&
    isZero(account + ACCOUNT_BALANCE)
  );
}

/** Changes the flags that outlive the transaction. */
export function setFlags(account: usize, flags: u32): void {
  const old = load<u32>(account, ACCOUNT_FLAGS);
  if (old == flags) return;
  recordNumber(RECORD_FLAGS, account, old);
  store<u32>(account, flags, ACCOUNT_FLAGS);
}

/** Adds flags of the running transaction; returns whether they were new. */
export function addTransactionFlags(account: usize, flags: u32): bool {
  const old = load<u32>(account, ACCOUNT_TRANSACTION_FLAGS);
  if ((old & flags) == flags) return false;
  recordNumber(RECORD_TRANSACTION_FLAGS, account, old);
  store<u32>(account, old | flags, ACCOUNT_TRANSACTION_FLAGS);
  return true;
}

/** Touches an account: should it be empty at the end of the transaction, it ceases to exist (EIP-161). */
@inline
export function touch(account: usize): void {
  addTransactionFlags(account, ACCOUNT_IS_TOUCHED);
}

/** Changes a balance within a transaction. */
export function setBalance(account: usize, balance: usize): void {
  recordWord(RECORD_BALANCE, account, account + ACCOUNT_BALANCE);
  copyWord(account + ACCOUNT_BALANCE, balance);
  setFlags(account, load<u32>(account, ACCOUNT_FLAGS) | ACCOUNT_EXISTS);
  touch(account);
}

/** Changes a balance for the host: the account exists afterwards exactly if it is not empty. */
export function setBalanceOutside(account: usize, balance: usize): void {
  recordWord(RECORD_BALANCE, account, account + ACCOUNT_BALANCE);
  copyWord(account + ACCOUNT_BALANCE, balance);
  updateExistence(account);
}

/** Changes a nonce for the host: the account exists afterwards exactly if it is not empty. */
export function setNonceOutside(account: usize, nonce: u64): void {
  writeNonce(account, nonce);
  updateExistence(account);
}

/** Makes an account exist exactly if it is not empty. */
function updateExistence(account: usize): void {
  const others = load<u32>(account, ACCOUNT_FLAGS) & ~ACCOUNT_EXISTS;
  setFlags(account, isEmptyAccount(account) ? others : others | ACCOUNT_EXISTS);
}

/** Changes a nonce within a transaction. */
export function setNonce(account: usize, nonce: u64): void {
  writeNonce(account, nonce);
  setFlags(account, load<u32>(account, ACCOUNT_FLAGS) | ACCOUNT_EXISTS);
  touch(account);
}

function writeNonce(account: usize, nonce: u64): void {
  store<u64>(appendRecord(RECORD_NONCE, account), load<u64>(account, ACCOUNT_NONCE), RECORD_OLD_WORD);
  store<u64>(account, nonce, ACCOUNT_NONCE);
}

/** Moves a value that the sender has; the receiver is touched. The value may be the sender's own balance. */
export function transfer(from: usize, to: usize, value: usize): void {
  touch(to);
  if (from == to || isZero(value)) return;
  add(newBalance, to + ACCOUNT_BALANCE, value);
  setBalance(to, newBalance);
  subtract(newBalance, from + ACCOUNT_BALANCE, value);
  setBalance(from, newBalance);
}

/** Cost of an access to an account, which is warm from then on (EIP-2929). */
@inline
export function accessCost(account: usize): i64 {
  if (load<u32>(account, ACCOUNT_TRANSACTION_FLAGS) & ACCOUNT_IS_WARM) return WARM;
  return firstAccessCost(account);
}

function firstAccessCost(account: usize): i64 {
  addTransactionFlags(account, ACCOUNT_IS_WARM);
  return precompileNumber(account + ACCOUNT_ADDRESS) ? WARM : COLD_ACCOUNT;
}

/** Number of the precompiled contract at an address, or 0. */
@inline
export function precompileNumber(address: usize): u32 {
  const number = load<u64>(address);
  const isPrecompile = number <= precompileCount || number == remotePrecompile;
  return isPrecompile && fitsLimb(address) ? <u32>number : 0;
}
