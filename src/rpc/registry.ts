import { accountMethods } from './accounts/methods.ts';
import { MethodNotFoundError } from './errors.ts';
import { shorten } from './json/describe.ts';
import { type MethodDefinition, namesOf } from './method.ts';
import { getGenesisTime } from './methods/block-time/getGenesisTime.ts';
import { getLastBlockWallTime } from './methods/block-time/getLastBlockWallTime.ts';
import { removeBlockTimestampInterval } from './methods/block-time/removeBlockTimestampInterval.ts';
import { setBlockTimestampInterval } from './methods/block-time/setBlockTimestampInterval.ts';
import { setNextBlockTimestamp } from './methods/block-time/setNextBlockTimestamp.ts';
import { setTime } from './methods/block-time/setTime.ts';
import { dumpState } from './methods/chain/dumpState.ts';
import { loadState } from './methods/chain/loadState.ts';
import { reorganize } from './methods/chain/reorganize.ts';
import { reset } from './methods/chain/reset.ts';
import { revert } from './methods/chain/revert.ts';
import { rollback } from './methods/chain/rollback.ts';
import { snapshot } from './methods/chain/snapshot.ts';
import { baseFee } from './methods/eth/baseFee.ts';
import { blobBaseFee } from './methods/eth/blobBaseFee.ts';
import { blockNumber } from './methods/eth/blockNumber.ts';
import { call } from './methods/eth/call.ts';
import { capabilities } from './methods/eth/capabilities.ts';
import { chainId } from './methods/eth/chainId.ts';
import { coinbase } from './methods/eth/coinbase.ts';
import { config } from './methods/eth/config.ts';
import { createAccessList } from './methods/eth/createAccessList.ts';
import { estimateGas } from './methods/eth/estimateGas.ts';
import { feeHistory } from './methods/eth/feeHistory.ts';
import { gasPrice } from './methods/eth/gasPrice.ts';
import { getAccountInfo } from './methods/eth/getAccountInfo.ts';
import { getBalance } from './methods/eth/getBalance.ts';
import { getBlockByHash } from './methods/eth/getBlockByHash.ts';
import { getBlockByNumber } from './methods/eth/getBlockByNumber.ts';
import { getBlockReceipts } from './methods/eth/getBlockReceipts.ts';
import { getBlockTransactionCountByHash } from './methods/eth/getBlockTransactionCountByHash.ts';
import { getBlockTransactionCountByNumber } from './methods/eth/getBlockTransactionCountByNumber.ts';
import { getCode } from './methods/eth/getCode.ts';
import { getFilterChanges } from './methods/eth/getFilterChanges.ts';
import { getFilterLogs } from './methods/eth/getFilterLogs.ts';
import { getHeaderByHash } from './methods/eth/getHeaderByHash.ts';
import { getHeaderByNumber } from './methods/eth/getHeaderByNumber.ts';
import { getLogs } from './methods/eth/getLogs.ts';
import { getRawTransactionByBlockHashAndIndex } from './methods/eth/getRawTransactionByBlockHashAndIndex.ts';
import { getRawTransactionByBlockNumberAndIndex } from './methods/eth/getRawTransactionByBlockNumberAndIndex.ts';
import { getRawTransactionByHash } from './methods/eth/getRawTransactionByHash.ts';
import { getStorageAt } from './methods/eth/getStorageAt.ts';
import { getStorageValues } from './methods/eth/getStorageValues.ts';
import { getTransactionByBlockHashAndIndex } from './methods/eth/getTransactionByBlockHashAndIndex.ts';
import { getTransactionByBlockNumberAndIndex } from './methods/eth/getTransactionByBlockNumberAndIndex.ts';
import { getTransactionByHash } from './methods/eth/getTransactionByHash.ts';
import { getTransactionBySenderAndNonce } from './methods/eth/getTransactionBySenderAndNonce.ts';
import { getTransactionCount } from './methods/eth/getTransactionCount.ts';
import { getTransactionReceipt } from './methods/eth/getTransactionReceipt.ts';
import { maxPriorityFeePerGas } from './methods/eth/maxPriorityFeePerGas.ts';
import { mining } from './methods/eth/mining.ts';
import { newBlockFilter } from './methods/eth/newBlockFilter.ts';
import { newFilter } from './methods/eth/newFilter.ts';
import { newPendingTransactionFilter } from './methods/eth/newPendingTransactionFilter.ts';
import { pendingTransactions } from './methods/eth/pendingTransactions.ts';
import { protocolVersion } from './methods/eth/protocolVersion.ts';
import { sendRawTransaction, sendRawTransactionSync } from './methods/eth/sendRawTransaction.ts';
import { sendTransaction, sendTransactionSync } from './methods/eth/sendTransaction.ts';
import { sendUnsignedTransaction } from './methods/eth/sendUnsignedTransaction.ts';
import { sign } from './methods/eth/sign.ts';
import { signTransaction } from './methods/eth/signTransaction.ts';
import { signTypedData } from './methods/eth/signTypedData.ts';
import { subscribe } from './methods/eth/subscribe.ts';
import { syncing } from './methods/eth/syncing.ts';
import { uninstallFilter } from './methods/eth/uninstallFilter.ts';
import { unsubscribe } from './methods/eth/unsubscribe.ts';
import { increaseTime } from './methods/evm/increaseTime.ts';
import { mineAt } from './methods/evm/mine.ts';
import { addAccount } from './methods/impersonation/addAccount.ts';
import { autoImpersonateAccount } from './methods/impersonation/autoImpersonateAccount.ts';
import { impersonateAccount } from './methods/impersonation/impersonateAccount.ts';
import { removeAccount } from './methods/impersonation/removeAccount.ts';
import { stopImpersonatingAccount } from './methods/impersonation/stopImpersonatingAccount.ts';
import { checkRegistration } from './methods/ledger/checkRegistration.ts';
import { getAddressReference } from './methods/ledger/getAddressReference.ts';
import { getChain } from './methods/ledger/getChain.ts';
import { requestRegistrationTask } from './methods/ledger/requestRegistrationTask.ts';
import { submitRegistrationSolution } from './methods/ledger/submitRegistrationSolution.ts';
import { startMiner } from './methods/miner/start.ts';
import { stopMiner } from './methods/miner/stop.ts';
import { getAutomine } from './methods/mining/getAutomine.ts';
import { getIntervalMining } from './methods/mining/getIntervalMining.ts';
import { intervalMine } from './methods/mining/intervalMine.ts';
import { mine } from './methods/mining/mine.ts';
import { mineDetailed } from './methods/mining/mineDetailed.ts';
import { setAutomine } from './methods/mining/setAutomine.ts';
import { setBlockGasLimit } from './methods/mining/setBlockGasLimit.ts';
import { setIntervalMining } from './methods/mining/setIntervalMining.ts';
import { setMinGasPrice } from './methods/mining/setMinGasPrice.ts';
import { setNextBlockBaseFeePerGas } from './methods/mining/setNextBlockBaseFeePerGas.ts';
import { listening } from './methods/net/listening.ts';
import { peerCount } from './methods/net/peerCount.ts';
import { version } from './methods/net/version.ts';
import { addBalance } from './methods/patches/addBalance.ts';
import { dealERC20 } from './methods/patches/dealERC20.ts';
import { setBalance } from './methods/patches/setBalance.ts';
import { setCode } from './methods/patches/setCode.ts';
import { setERC20Allowance } from './methods/patches/setERC20Allowance.ts';
import { setNextBlockPrevRandao } from './methods/patches/setNextBlockPrevRandao.ts';
import { setNonce } from './methods/patches/setNonce.ts';
import { setStorageAt } from './methods/patches/setStorageAt.ts';
import { importRawKey } from './methods/personal/importRawKey.ts';
import { listAccounts } from './methods/personal/listAccounts.ts';
import { listRawAccounts } from './methods/personal/listRawAccounts.ts';
import { lockAccount } from './methods/personal/lockAccount.ts';
import { newAccount } from './methods/personal/newAccount.ts';
import { sendTransactionWithPassphrase } from './methods/personal/sendTransaction.ts';
import { signPersonal } from './methods/personal/sign.ts';
import { signTransactionWithPassphrase } from './methods/personal/signTransaction.ts';
import { unlockAccount } from './methods/personal/unlockAccount.ts';
import { poolContent } from './methods/pool/content.ts';
import { poolContentFrom } from './methods/pool/contentFrom.ts';
import { dropAllTransactions } from './methods/pool/dropAllTransactions.ts';
import { dropTransaction } from './methods/pool/dropTransaction.ts';
import { poolInspection } from './methods/pool/inspect.ts';
import { removePoolTransactions } from './methods/pool/removePoolTransactions.ts';
import { poolStatus } from './methods/pool/status.ts';
import { impersonateSignature } from './methods/refused/impersonateSignature.ts';
import { setChainId } from './methods/refused/setChainId.ts';
import { setCoinbase } from './methods/refused/setCoinbase.ts';
import { setRpcUrl } from './methods/refused/setRpcUrl.ts';
import { discover } from './methods/rpc/discover.ts';
import { modules } from './methods/rpc/modules.ts';
import { addArtifact } from './methods/test-node/addArtifact.ts';
import { addCompilationResult } from './methods/test-node/addCompilationResult.ts';
import { getBlobByHash } from './methods/test-node/getBlobByHash.ts';
import { getBlobsByTransactionHash } from './methods/test-node/getBlobsByTransactionHash.ts';
import { metadata } from './methods/test-node/metadata.ts';
import { setLoggingEnabled } from './methods/test-node/setLoggingEnabled.ts';
import { clientVersion } from './methods/web3/clientVersion.ts';
import { sha3 } from './methods/web3/sha3.ts';
import { otterscanMethods } from './otterscan/methods.ts';
import { LEDGER_OBJECTS } from './otterscan/profile-objects.ts';
import { traceMethods } from './tracing/methods.ts';
import { LEDGER_TRACES } from './tracing/trace-view.ts';
import { UNIMPLEMENTED } from './unimplemented.ts';

/** Methods by each of their names. A `Map`, so that no name of a method ever meets the prototype of an object. */
export type MethodRegistry = ReadonlyMap<string, MethodDefinition>;

/** Every method of the interface, by their sections; those for clients of today come last. */
export const METHODS: MethodRegistry = registryOf([
  ...[clientVersion, sha3, version, listening, peerCount],
  ...[protocolVersion, syncing, coinbase, mining, gasPrice, chainId],
  ...[blockNumber, getBalance, getStorageAt, getTransactionCount, getCode],
  ...[getBlockTransactionCountByHash, getBlockTransactionCountByNumber, call, estimateGas],
  ...[getBlockByHash, getBlockByNumber, getTransactionByHash, getTransactionByBlockHashAndIndex],
  ...[getTransactionByBlockNumberAndIndex, getTransactionReceipt, pendingTransactions, sendRawTransaction],
  ...[newFilter, newBlockFilter, newPendingTransactionFilter, uninstallFilter],
  ...[getFilterChanges, getFilterLogs, getLogs, subscribe, unsubscribe],
  ...[checkRegistration, requestRegistrationTask, submitRegistrationSolution, getAddressReference],
  ...[startMiner, stopMiner, newAccount, listAccounts, listRawAccounts],
  ...[lockAccount, unlockAccount, sign, sendTransaction, sendTransactionWithPassphrase, mineAt, increaseTime],
  ...[mine, mineDetailed, intervalMine, setAutomine, getAutomine, setIntervalMining, getIntervalMining],
  ...[setBlockGasLimit, setMinGasPrice, setNextBlockBaseFeePerGas],
  ...[setNextBlockTimestamp, setTime, setBlockTimestampInterval, removeBlockTimestampInterval],
  ...[getGenesisTime, getLastBlockWallTime],
  ...[dropTransaction, dropAllTransactions, removePoolTransactions],
  ...[poolStatus, poolContent, poolContentFrom, poolInspection],
  ...[addArtifact, addCompilationResult],
  ...[metadata, setLoggingEnabled, getBlobByHash, getBlobsByTransactionHash],
  ...[setChainId, setCoinbase, impersonateSignature, setRpcUrl],
  ...[snapshot, revert, rollback, reorganize, reset, dumpState, loadState],
  ...[setBalance, addBalance, setCode, setStorageAt, setNonce],
  ...[dealERC20, setERC20Allowance, setNextBlockPrevRandao],
  ...[discover],
  ...[maxPriorityFeePerGas, baseFee, blobBaseFee, config, capabilities, modules],
  ...[createAccessList, feeHistory, getAccountInfo, getStorageValues, getChain],
  ...[signPersonal, signTypedData],
  ...[signTransaction, signTransactionWithPassphrase, sendRawTransactionSync, sendTransactionSync],
  ...[impersonateAccount, stopImpersonatingAccount, autoImpersonateAccount],
  ...[sendUnsignedTransaction, addAccount, removeAccount, importRawKey],
  ...[getBlockReceipts, getHeaderByNumber, getHeaderByHash, getTransactionBySenderAndNonce],
  ...[getRawTransactionByHash, getRawTransactionByBlockHashAndIndex, getRawTransactionByBlockNumberAndIndex],
  ...accountMethods('ledger'),
  ...traceMethods(LEDGER_TRACES),
  ...otterscanMethods(LEDGER_OBJECTS),
]);

/** Makes a registry of methods. */
export function registryOf(methods: readonly MethodDefinition[]): MethodRegistry {
  return new Map(methods.flatMap((method) => namesOf(method).map((name) => [name, method] as const)));
}

/** The error for a name that is not a method, with the reason where the name is known. */
export function unknownMethod(name: string): MethodNotFoundError {
  const reason = UNIMPLEMENTED.get(name);
  return new MethodNotFoundError(
    reason === undefined
      ? `the method ${shorten(name)} does not exist/is not available`
      : `the method ${name} is not implemented: ${reason}`,
  );
}
