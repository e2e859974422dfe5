/** LOG0 to LOG4, RETURN, REVERT and SELFDESTRUCT. All return the gas left. */

import {
  accessCost,
  addTransactionFlags,
  burnBalance,
  findAccount,
  isEmptyAccount,
  touch,
  transfer,
} from '../accounts';
import { maskAddress } from '../call';
import { setOutput } from '../frame-return';
import { frame, isStatic, ownAccount } from '../frames';
import { charge, COLD_ACCOUNT, LOG_BYTE, NEW_ACCOUNT } from '../gas';
import { BALANCE_OVERFLOW, STATIC_VIOLATION } from '../halt';
import { destroysOnlyNewContracts } from '../hardfork';
import * as layout from '../layout';
import { appendLog } from '../logs';
import { expand, rangeStart } from '../memory';
import { traceSelfdestruct } from '../tracing';
import { isZero, WORD_BYTES } from '../word';

/** Appends a log: the topmost items are offset and length of the data, then the topics. */
export function log(top: usize, topicCount: u32, gas: i64): i64 {
  if (isStatic()) return -(<i64>STATIC_VIOLATION);
  const offset = top - WORD_BYTES;
  const length = top - 2 * WORD_BYTES;
  const expanded = expand(offset, length, gas);
  if (expanded < 0) return expanded;
  const left = charge(expanded, <i64>(LOG_BYTE * load<u64>(length)));
  if (left < 0) return left;
  const data = rangeStart(offset, length);
  appendLog(frame + layout.FRAME_ADDRESS, topicCount, top - 3 * WORD_BYTES, data, <usize>load<u32>(length));
  return left;
}

/** RETURN and REVERT: the topmost items are offset and length of the output. */
export function output(top: usize, gas: i64): i64 {
  const offset = top - WORD_BYTES;
  const length = top - 2 * WORD_BYTES;
  const left = expand(offset, length, gas);
  if (left >= 0) setOutput(rangeStart(offset, length), <usize>load<u32>(length));
  return left;
}

/**
 * SELFDESTRUCT: transfers the balance to the topmost item and marks the account for destruction, from Cancun on only if
 * the same transaction created it (EIP-6780). Burns the balance of a marked account that is its own beneficiary.
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
  const isDestroyed = isNew || !destroysOnlyNewContracts;
  traceSelfdestruct(account + layout.ACCOUNT_ADDRESS, beneficiary + layout.ACCOUNT_ADDRESS, balance);
  touch(account);
  if (account != beneficiary) {
    if (!transfer(account, beneficiary, balance)) return -(<i64>BALANCE_OVERFLOW);
  } else if (isDestroyed && !isZero(balance)) {
    burnBalance(account);
  }
  if (isDestroyed) addTransactionFlags(account, layout.ACCOUNT_IS_SELFDESTRUCTED | layout.ACCOUNT_IS_TOUCHED);
  return left;
}
