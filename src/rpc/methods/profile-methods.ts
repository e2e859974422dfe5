import type { MethodDefinition } from '../method.ts';
import type { Profile } from '../profiles/profile.ts';
import { getAccount } from './eth/getAccount.ts';
import { getAccountInfo } from './eth/getAccountInfo.ts';
import { getBalance } from './eth/getBalance.ts';
import { getBlockByHash } from './eth/getBlockByHash.ts';
import { getBlockByNumber } from './eth/getBlockByNumber.ts';
import { getBlockReceipts } from './eth/getBlockReceipts.ts';
import { getCode } from './eth/getCode.ts';
import { getHeaderByHash } from './eth/getHeaderByHash.ts';
import { getHeaderByNumber } from './eth/getHeaderByNumber.ts';
import { getLogs } from './eth/getLogs.ts';
import { getRawTransactionByBlockHashAndIndex } from './eth/getRawTransactionByBlockHashAndIndex.ts';
import { getRawTransactionByBlockNumberAndIndex } from './eth/getRawTransactionByBlockNumberAndIndex.ts';
import { getRawTransactionByHash } from './eth/getRawTransactionByHash.ts';
import { getStorageAt } from './eth/getStorageAt.ts';
import { getStorageValues } from './eth/getStorageValues.ts';
import { getTransactionByBlockHashAndIndex } from './eth/getTransactionByBlockHashAndIndex.ts';
import { getTransactionByBlockNumberAndIndex } from './eth/getTransactionByBlockNumberAndIndex.ts';
import { getTransactionByHash } from './eth/getTransactionByHash.ts';
import { getTransactionCount } from './eth/getTransactionCount.ts';
import { getTransactionReceipt } from './eth/getTransactionReceipt.ts';

/** Returns the methods of both profiles, as one of them has them. */
export function profileMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...[getBalance, getStorageAt, getTransactionCount, getCode],
    ...[getStorageValues, getAccount, getAccountInfo],
    ...[
      getBlockByHash,
      getBlockByNumber,
      getBlockReceipts,
      getHeaderByHash,
      getHeaderByNumber,
      getLogs,
      getRawTransactionByBlockHashAndIndex,
      getRawTransactionByBlockNumberAndIndex,
      getRawTransactionByHash,
      getTransactionByBlockHashAndIndex,
      getTransactionByBlockNumberAndIndex,
      getTransactionByHash,
      getTransactionReceipt,
    ],
  ].map((method) => method(profile));
}
