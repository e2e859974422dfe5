/** Delegations of accounts to the code of other accounts (EIP-7702). */

import { addTransactionFlags, findAccount, setNonce } from './accounts';
import { codeOf, deployCode, removeCode } from './code';
import { REFUND_AUTHORIZATION } from './gas';
import { followsDelegations } from './hardfork';
import * as layout from './layout';
import { addRefund } from './transaction-state';
import { isZero, reverseBytes } from './word';

/** The code of an account with a delegation: three bytes of prefix, and an address. */
const DELEGATION_BYTES: u32 = 23;
const PREFIX_BYTES: usize = 3;
/** The first two bytes of the prefix, 0xef01, as a number in memory order; the third is 0. */
const PREFIX_START: u16 = 0x01ef;
/** Bytes of a word before its address. */
const ADDRESS_OFFSET: usize = 12;

const word: usize = memory.data(32, 16);

/** True if code is a delegation, in hard forks that follow them. */
@inline
export function isDelegation(code: usize): bool {
  return load<u32>(code, layout.CODE_LENGTH) == DELEGATION_BYTES && hasPrefix(code);
}

function hasPrefix(code: usize): bool {
  const start = <usize>load<u32>(code, layout.CODE_START);
  return followsDelegations && load<u16>(start) == PREFIX_START && load<u8>(start, 2) == 0;
}

/** Returns the account with the code that a delegation names. */
export function delegateOf(code: usize): usize {
  // The bytes before the address are part of the block, and make way for the zeros of the word.
  const address = <usize>load<u32>(code, layout.CODE_START) + PREFIX_BYTES;
  reverseBytes(word, address - ADDRESS_OFFSET);
  store<u64>(word, load<u64>(word, 16) & 0xffffffff, 16);
  store<u64>(word, 0, 24);
  return findAccount(word);
}

/**
 * Applies an authorization of an account to run the code of `target`; the zero address removes the delegation. It has
 * no effect, except that the account is warm, if the account has other code or another nonce.
 */
export function authorize(authority: usize, target: usize, nonce: u64): void {
  const account = findAccount(authority);
  addTransactionFlags(account, layout.ACCOUNT_IS_WARM);
  const flags = load<u32>(account, layout.ACCOUNT_FLAGS);
  const hasCode = (flags & layout.ACCOUNT_HAS_CODE) != 0;
  if (hasCode && !isDelegation(codeOf(account))) return;
  if (load<u64>(account, layout.ACCOUNT_NONCE) != nonce) return;
  if (flags & layout.ACCOUNT_EXISTS) addRefund(REFUND_AUTHORIZATION);
  if (!isZero(target)) deployDelegation(account, target);
  else if (hasCode) removeCode(account);
  setNonce(account, nonce + 1);
}

function deployDelegation(account: usize, target: usize): void {
  reverseBytes(word, target);
  const code = word + ADDRESS_OFFSET - PREFIX_BYTES;
  store<u16>(code, PREFIX_START);
  store<u8>(code, 0, 2);
  deployCode(account, code, DELEGATION_BYTES);
}
