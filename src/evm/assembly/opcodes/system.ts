/** RETURN, REVERT and SELFDESTRUCT; calls and creations have files of their own. */

import {
  accessCost,
  addTransactionFlags,
  findAccount,
  isEmptyAccount,
  setBalance,
  touch,
  transfer,
} from '../accounts';
import { burn } from '../burned';
import { maskAddress } from '../calls';
import { setOutput } from '../ends';
import { isStatic, ownAccount } from '../frames';
import { charge, COLD_ACCOUNT, NEW_ACCOUNT } from '../gas';
import { STATIC_VIOLATION } from '../halt';
import { onlyNewContractsDie } from '../hardfork';
import * as layout from '../layout';
import { expand, windowStart } from '../memory';
import { traceSelfdestruct } from '../tracing';
import { clearWord, isZero, WORD_BYTES } from '../word';

const zero: usize = memory.data(32, 16);

/** RETURN and REVERT: the topmost items are offset and length of the output. Returns the gas that is left. */
export function output(top: usize, gas: i64): i64 {
  const offset = top - WORD_BYTES;
  const length = top - 2 * WORD_BYTES;
  const left = expand(offset, length, gas);
  if (left >= 0) setOutput(windowStart(offset, length), <usize>load<u32>(length));
  return left;
}

/**
 * SELFDESTRUCT: gives the balance to the topmost item and dooms the account, from Cancun on only one that the
 * same transaction created (EIP-6780). What a doomed account gives to itself is burned.
 */
export function selfdestruct(top: usize, gas: i64): i64 {
  if (isStatic()) return -(<i64>STATIC_VIOLATION);
  const account = ownAccount();
  const beneficiary = findAccount(maskAddress(top - WORD_BYTES));
  const balance = account + layout.ACCOUNT_BALANCE;
  let cost = accessCost(beneficiary) == COLD_ACCOUNT ? COLD_ACCOUNT : 0;
  if (!isZero(balance) && isEmptyAccount(beneficiary)) cost += NEW_ACCOUNT;
  const left = charge(gas, cost);
  if (left < 0) return left;

  const isNew = (load<u32>(account, layout.ACCOUNT_TRANSACTION_FLAGS) & layout.ACCOUNT_IS_NEW) != 0;
  const dies = isNew || !onlyNewContractsDie;
  traceSelfdestruct(account + layout.ACCOUNT_ADDRESS, beneficiary + layout.ACCOUNT_ADDRESS, balance);
  touch(account);
  if (account != beneficiary) {
    transfer(account, beneficiary, balance);
  } else if (dies && !isZero(balance)) {
    burn(balance);
    clearWord(zero);
    setBalance(account, zero);
  }
  if (dies) addTransactionFlags(account, layout.ACCOUNT_IS_DOOMED | layout.ACCOUNT_IS_TOUCHED);
  return left;
}
