import type { MethodDefinition } from '../method.ts';
import type { Profile } from '../profiles/profile.ts';
import { getAccount } from './eth/getAccount.ts';
import { getAccountInfo } from './eth/getAccountInfo.ts';
import { getBalance } from './eth/getBalance.ts';
import { getCode } from './eth/getCode.ts';
import { getStorageAt } from './eth/getStorageAt.ts';
import { getStorageValues } from './eth/getStorageValues.ts';
import { getTransactionCount } from './eth/getTransactionCount.ts';

/** Returns the methods of both profiles, as one of them has them. */
export function profileMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...[getBalance, getStorageAt, getTransactionCount, getCode],
    ...[getStorageValues, getAccount, getAccountInfo],
  ].map((method) => method(profile));
}
