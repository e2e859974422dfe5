import { MethodNotFoundError } from './errors.ts';
import { shorten } from './json/describe.ts';
import type { MethodDefinition } from './method.ts';
import { blockNumber } from './methods/eth/blockNumber.ts';
import { call } from './methods/eth/call.ts';
import { chainId } from './methods/eth/chainId.ts';
import { coinbase } from './methods/eth/coinbase.ts';
import { estimateGas } from './methods/eth/estimateGas.ts';
import { gasPrice } from './methods/eth/gasPrice.ts';
import { getBalance } from './methods/eth/getBalance.ts';
import { getBlockByHash } from './methods/eth/getBlockByHash.ts';
import { getBlockByNumber } from './methods/eth/getBlockByNumber.ts';
import { getBlockTransactionCountByHash } from './methods/eth/getBlockTransactionCountByHash.ts';
import { getBlockTransactionCountByNumber } from './methods/eth/getBlockTransactionCountByNumber.ts';
import { getCode } from './methods/eth/getCode.ts';
import { getFilterChanges } from './methods/eth/getFilterChanges.ts';
import { getFilterLogs } from './methods/eth/getFilterLogs.ts';
import { getLogs } from './methods/eth/getLogs.ts';
import { getStorageAt } from './methods/eth/getStorageAt.ts';
import { getTransactionByBlockHashAndIndex } from './methods/eth/getTransactionByBlockHashAndIndex.ts';
import { getTransactionByBlockNumberAndIndex } from './methods/eth/getTransactionByBlockNumberAndIndex.ts';
import { getTransactionByHash } from './methods/eth/getTransactionByHash.ts';
import { getTransactionCount } from './methods/eth/getTransactionCount.ts';
import { getTransactionReceipt } from './methods/eth/getTransactionReceipt.ts';
import { mining } from './methods/eth/mining.ts';
import { newBlockFilter } from './methods/eth/newBlockFilter.ts';
import { newFilter } from './methods/eth/newFilter.ts';
import { newPendingTransactionFilter } from './methods/eth/newPendingTransactionFilter.ts';
import { pendingTransactions } from './methods/eth/pendingTransactions.ts';
import { protocolVersion } from './methods/eth/protocolVersion.ts';
import { sendRawTransaction } from './methods/eth/sendRawTransaction.ts';
import { sendTransaction } from './methods/eth/sendTransaction.ts';
import { sign } from './methods/eth/sign.ts';
import { syncing } from './methods/eth/syncing.ts';
import { uninstallFilter } from './methods/eth/uninstallFilter.ts';
import { increaseTime } from './methods/evm/increaseTime.ts';
import { mine } from './methods/evm/mine.ts';
import { getAddressReference } from './methods/ledger/getAddressReference.ts';
import { requestRegistrationTask } from './methods/ledger/requestRegistrationTask.ts';
import { submitRegistrationSolution } from './methods/ledger/submitRegistrationSolution.ts';
import { startMiner } from './methods/miner/start.ts';
import { stopMiner } from './methods/miner/stop.ts';
import { listening } from './methods/net/listening.ts';
import { peerCount } from './methods/net/peerCount.ts';
import { version } from './methods/net/version.ts';
import { accounts, listAccounts } from './methods/personal/listAccounts.ts';
import { listRawAccounts } from './methods/personal/listRawAccounts.ts';
import { lockAccount } from './methods/personal/lockAccount.ts';
import { newAccount } from './methods/personal/newAccount.ts';
import { sendTransactionWithPassphrase } from './methods/personal/sendTransaction.ts';
import { unlockAccount } from './methods/personal/unlockAccount.ts';
import { discover, discoverByOpenRpc } from './methods/rpc/discover.ts';
import { clientVersion } from './methods/web3/clientVersion.ts';
import { sha3 } from './methods/web3/sha3.ts';
import { UNIMPLEMENTED } from './unimplemented.ts';

/** Methods by name. A `Map`, so that no name of a method ever meets the prototype of an object. */
export type MethodRegistry = ReadonlyMap<string, MethodDefinition>;

/** Every method of the interface, by the sections 4.1 to 4.4 and 4.6 of the specification. */
export const METHODS: MethodRegistry = new Map(
  [
    ...[clientVersion, sha3, version, listening, peerCount],
    ...[protocolVersion, syncing, coinbase, mining, gasPrice, chainId],
    ...[blockNumber, getBalance, getStorageAt, getTransactionCount, getCode],
    ...[getBlockTransactionCountByHash, getBlockTransactionCountByNumber, call, estimateGas],
    ...[getBlockByHash, getBlockByNumber, getTransactionByHash, getTransactionByBlockHashAndIndex],
    ...[getTransactionByBlockNumberAndIndex, getTransactionReceipt, pendingTransactions, sendRawTransaction],
    ...[newFilter, newBlockFilter, newPendingTransactionFilter, uninstallFilter],
    ...[getFilterChanges, getFilterLogs, getLogs],
    ...[requestRegistrationTask, submitRegistrationSolution, getAddressReference],
    ...[startMiner, stopMiner, newAccount, listAccounts, accounts, listRawAccounts],
    ...[lockAccount, unlockAccount, sign, sendTransaction, sendTransactionWithPassphrase, mine, increaseTime],
    ...[discover, discoverByOpenRpc],
  ].map((method) => [method.name, method]),
);

/** @throws MethodNotFoundError for a name that is not a method, with the reason where the name is known */
export function findMethod(methods: MethodRegistry, name: string): MethodDefinition {
  const method = methods.get(name);
  if (method !== undefined) return method;
  const reason = UNIMPLEMENTED.get(name);
  throw new MethodNotFoundError(
    reason === undefined
      ? `the method ${shorten(name)} does not exist/is not available`
      : `the method ${name} is not implemented: ${reason}`,
  );
}
