/** The table of accounts: loaded through the host at the first touch, changed under the journal. */

import { COLD_ACCOUNT, WARM } from './gas';
import { ACCOUNTS_FULL } from './halt';
import {
  coinbaseIsWarm,
  precompileBound,
  precompileCount,
  precompilesAreOverridden,
  remotePrecompile,
} from './hardfork';
import { hashWord } from './hashing';
import { fail, loadAccount, overriddenPrecompile } from './host';
import { appendRecord, recordNumber, recordWord } from './journal';
import * as layout from './layout';
import { clearIndex, growIndex, isIndexFull } from './table-index';
import { burn, generation } from './transaction-state';
import { add, clearWord, clearWords, copyWord, equals, fitsLimb, isZero, lessThan, subtract } from './word';

export let accountCount: u32 = 0;
let indexCells: u32 = layout.INDEX_CELLS_MIN;
const newBalance: usize = memory.data(32, 16);

/** Returns the entry of an address, which is a word with 12 leading zero bytes. */
export function findAccount(address: usize): usize {
  const hash = hashWord(address);
  let cell = hash & (indexCells - 1);
  let number = load<u32>(layout.ACCOUNTS_INDEX + (<usize>cell << 2));
  while (number) {
    const account = layout.ACCOUNTS + <usize>(number - 1) * layout.ACCOUNT_BYTES;
    if (equals(account + layout.ACCOUNT_ADDRESS, address)) {
      if (load<u32>(account, layout.ACCOUNT_GENERATION) != generation) beginGeneration(account);
      return account;
    }
    cell = (cell + 1) & (indexCells - 1);
    number = load<u32>(layout.ACCOUNTS_INDEX + (<usize>cell << 2));
  }
  return addAccount(address, hash, cell);
}

function beginGeneration(account: usize): void {
  store<u32>(account, generation, layout.ACCOUNT_GENERATION);
  store<u32>(account, 0, layout.ACCOUNT_TRANSACTION_FLAGS);
}

function addAccount(address: usize, hash: u32, cell: u32): usize {
  if (accountCount >= layout.ACCOUNTS_CAPACITY) fail(ACCOUNTS_FULL);
  const account = layout.ACCOUNTS + <usize>accountCount * layout.ACCOUNT_BYTES;
  clearWords(account, layout.ACCOUNT_BYTES);
  copyWord(account + layout.ACCOUNT_ADDRESS, address);
  store<u32>(account, hash, layout.ACCOUNT_HASH);
  store<u32>(account, generation, layout.ACCOUNT_GENERATION);
  loadAccount(account);
  settleAccount(account);
  accountCount++;
  store<u32>(layout.ACCOUNTS_INDEX + (<usize>cell << 2), accountCount);
  if (isIndexFull(indexCells, accountCount)) growAccounts();
  return account;
}

function growAccounts(): void {
  const hashes = layout.ACCOUNTS + layout.ACCOUNT_HASH;
  indexCells = growIndex(layout.ACCOUNTS_INDEX, indexCells, hashes, layout.ACCOUNT_BYTES, accountCount);
}

/** Empties the table, in time proportional to its entries. */
export function emptyAccounts(): void {
  indexCells = clearIndex(layout.ACCOUNTS_INDEX, indexCells);
  accountCount = 0;
}

/** Copies the current values to the settled ones. */
export function settleAccount(account: usize): void {
  copyWord(account + layout.ACCOUNT_SETTLED_BALANCE, account + layout.ACCOUNT_BALANCE);
  copyWord(account + layout.ACCOUNT_SETTLED_CODE_HASH, account + layout.ACCOUNT_CODE_HASH);
  store<u64>(account, load<u64>(account, layout.ACCOUNT_NONCE), layout.ACCOUNT_SETTLED_NONCE);
  store<u32>(account, load<u32>(account, layout.ACCOUNT_FLAGS), layout.ACCOUNT_SETTLED_FLAGS);
}

/** True if an account has no code, nonce and balance (EIP-161), whether or not it exists. */
export function isEmptyAccount(account: usize): bool {
  return (
    !(load<u32>(account, layout.ACCOUNT_FLAGS) & layout.ACCOUNT_HAS_CODE) &&
    !load<u64>(account, layout.ACCOUNT_NONCE) &&
    isZero(account + layout.ACCOUNT_BALANCE)
  );
}

/** Sets the flags that outlive the transaction. */
export function setFlags(account: usize, flags: u32): void {
  const old = load<u32>(account, layout.ACCOUNT_FLAGS);
  if (old == flags) return;
  recordNumber(layout.RECORD_FLAGS, account, old);
  store<u32>(account, flags, layout.ACCOUNT_FLAGS);
}

/** Adds flags of the running transaction. Returns true if any was new. */
export function addTransactionFlags(account: usize, flags: u32): bool {
  const old = load<u32>(account, layout.ACCOUNT_TRANSACTION_FLAGS);
  if ((old & flags) == flags) return false;
  recordNumber(layout.RECORD_TRANSACTION_FLAGS, account, old);
  store<u32>(account, old | flags, layout.ACCOUNT_TRANSACTION_FLAGS);
  return true;
}

/** Touches an account: if it is empty at the end of the transaction, it is removed (EIP-161). */
@inline
export function touch(account: usize): void {
  addTransactionFlags(account, layout.ACCOUNT_IS_TOUCHED);
}

/** Sets a balance within a transaction. */
export function setBalance(account: usize, balance: usize): void {
  recordWord(layout.RECORD_BALANCE, account, account + layout.ACCOUNT_BALANCE);
  copyWord(account + layout.ACCOUNT_BALANCE, balance);
  setFlags(account, load<u32>(account, layout.ACCOUNT_FLAGS) | layout.ACCOUNT_EXISTS);
  touch(account);
}

/** Sets a balance for the host, between transactions. The account then exists exactly if it is not empty. */
export function setBalanceFromHost(account: usize, balance: usize): void {
  recordWord(layout.RECORD_BALANCE, account, account + layout.ACCOUNT_BALANCE);
  copyWord(account + layout.ACCOUNT_BALANCE, balance);
  updateExistence(account);
}

/** Sets a nonce for the host, between transactions. The account then exists exactly if it is not empty. */
export function setNonceFromHost(account: usize, nonce: u64): void {
  writeNonce(account, nonce);
  updateExistence(account);
}

/** Makes an account exist exactly if it is not empty. */
function updateExistence(account: usize): void {
  const others = load<u32>(account, layout.ACCOUNT_FLAGS) & ~layout.ACCOUNT_EXISTS;
  setFlags(account, isEmptyAccount(account) ? others : others | layout.ACCOUNT_EXISTS);
}

/** Sets a nonce within a transaction. */
export function setNonce(account: usize, nonce: u64): void {
  writeNonce(account, nonce);
  setFlags(account, load<u32>(account, layout.ACCOUNT_FLAGS) | layout.ACCOUNT_EXISTS);
  touch(account);
}

function writeNonce(account: usize, nonce: u64): void {
  store<u64>(
    appendRecord(layout.RECORD_NONCE, account),
    load<u64>(account, layout.ACCOUNT_NONCE),
    layout.RECORD_OLD_WORD,
  );
  store<u64>(account, nonce, layout.ACCOUNT_NONCE);
}

/** Burns the balance of an account. */
export function burnBalance(account: usize): void {
  burn(account + layout.ACCOUNT_BALANCE);
  clearWord(newBalance);
  setBalance(account, newBalance);
}

/** Returns true if a balance and a value have a sum of more than 256 bits, else leaves the sum in `newBalance`. */
export function overflows(account: usize, value: usize): bool {
  add(newBalance, account + layout.ACCOUNT_BALANCE, value);
  return lessThan(newBalance, value);
}

/**
 * Transfers a value that the sender has, and touches the receiver. `value` may point to the sender's balance. Returns
 * false, and moves nothing, if the receiver would have more than 256 bits: only those of a remote chain have so much.
 */
export function transfer(from: usize, to: usize, value: usize): bool {
  touch(to);
  if (from == to || isZero(value)) return true;
  if (overflows(to, value)) return false;
  setBalance(to, newBalance);
  subtract(newBalance, from + layout.ACCOUNT_BALANCE, value);
  setBalance(from, newBalance);
  return true;
}

/** Returns the gas of an access to an account and makes it warm (EIP-2929). */
@inline
export function accessCost(account: usize): i64 {
  if (load<u32>(account, layout.ACCOUNT_TRANSACTION_FLAGS) & layout.ACCOUNT_IS_WARM) return WARM;
  return firstAccessCost(account);
}

function firstAccessCost(account: usize): i64 {
  addTransactionFlags(account, layout.ACCOUNT_IS_WARM);
  const address = account + layout.ACCOUNT_ADDRESS;
  return isPrecompileOfHardfork(address) || isWarmCoinbase(address) ? WARM : COLD_ACCOUNT;
}

/** True for the coinbase where it is warm from the start (EIP-3651). It is loaded only if the transaction reads it. */
function isWarmCoinbase(address: usize): bool {
  return coinbaseIsWarm && equals(address, layout.BLOCK_COINBASE);
}

/** True for the addresses that are warm from the start, even if an override moves their contract (as in geth). */
function isPrecompileOfHardfork(address: usize): bool {
  const number = load<u64>(address);
  return number != 0 && (number <= precompileCount || number == remotePrecompile) && fitsLimb(address);
}

/** Returns the number of the precompiled contract that runs at an address, or 0. */
@inline
export function precompileNumber(address: usize): u32 {
  const number = load<u64>(address);
  const isCandidate = number <= precompileBound || number == remotePrecompile;
  return isCandidate ? resolvePrecompile(address, number) : 0;
}

function resolvePrecompile(address: usize, number: u64): u32 {
  if (precompilesAreOverridden) return overriddenPrecompile(address);
  return fitsLimb(address) ? <u32>number : 0;
}
