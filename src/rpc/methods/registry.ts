import { UNIMPLEMENTED } from '../description/unimplemented.ts';
import { MethodNotFoundError } from '../errors.ts';
import { shorten } from '../json/describe.ts';
import { type MethodDefinition, namesOf } from '../method.ts';
import { LEDGER_PROFILE } from '../profiles/ledger-profile.ts';
import { accountMethods } from './account-methods.ts';
import { getGenesisTime } from './block-time/getGenesisTime.ts';
import { getLastBlockWallTime } from './block-time/getLastBlockWallTime.ts';
import { removeBlockTimestampInterval } from './block-time/removeBlockTimestampInterval.ts';
import { setBlockTimestampInterval } from './block-time/setBlockTimestampInterval.ts';
import { setNextBlockTimestamp } from './block-time/setNextBlockTimestamp.ts';
import { setTime } from './block-time/setTime.ts';
import { dumpState } from './chain/dumpState.ts';
import { loadState } from './chain/loadState.ts';
import { reorganize } from './chain/reorganize.ts';
import { reset } from './chain/reset.ts';
import { rollback } from './chain/rollback.ts';
import { revert, snapshot } from './chain/snapshot.ts';
import { baseFee } from './eth/baseFee.ts';
import { blobBaseFee } from './eth/blobBaseFee.ts';
import { blockNumber } from './eth/blockNumber.ts';
import { call } from './eth/call.ts';
import { capabilities } from './eth/capabilities.ts';
import { chainId } from './eth/chainId.ts';
import { coinbase } from './eth/coinbase.ts';
import { config } from './eth/config.ts';
import { createAccessList } from './eth/createAccessList.ts';
import { estimateGas } from './eth/estimateGas.ts';
import { feeHistory } from './eth/feeHistory.ts';
import { gasPrice } from './eth/gasPrice.ts';
import { getBlockTransactionCountByHash } from './eth/getBlockTransactionCountByHash.ts';
import { getBlockTransactionCountByNumber } from './eth/getBlockTransactionCountByNumber.ts';
import { getFilterChanges } from './eth/getFilterChanges.ts';
import { getFilterLogs } from './eth/getFilterLogs.ts';
import { getTransactionBySenderAndNonce } from './eth/getTransactionBySenderAndNonce.ts';
import { maxPriorityFeePerGas } from './eth/maxPriorityFeePerGas.ts';
import { mining } from './eth/mining.ts';
import { newBlockFilter } from './eth/newBlockFilter.ts';
import { newFilter } from './eth/newFilter.ts';
import { newPendingTransactionFilter } from './eth/newPendingTransactionFilter.ts';
import { pendingTransactions } from './eth/pendingTransactions.ts';
import { protocolVersion } from './eth/protocolVersion.ts';
import { sendRawTransaction, sendRawTransactionSync } from './eth/sendRawTransaction.ts';
import { sendTransaction, sendTransactionSync } from './eth/sendTransaction.ts';
import { sendUnsignedTransaction } from './eth/sendUnsignedTransaction.ts';
import { sign } from './eth/sign.ts';
import { signTransaction } from './eth/signTransaction.ts';
import { signTypedData } from './eth/signTypedData.ts';
import { subscribe } from './eth/subscribe.ts';
import { syncing } from './eth/syncing.ts';
import { uninstallFilter } from './eth/uninstallFilter.ts';
import { unsubscribe } from './eth/unsubscribe.ts';
import { increaseTime } from './evm/increaseTime.ts';
import { mineAt } from './evm/mine.ts';
import { addAccount } from './impersonation/addAccount.ts';
import { autoImpersonateAccount } from './impersonation/autoImpersonateAccount.ts';
import { impersonateAccount } from './impersonation/impersonateAccount.ts';
import { removeAccount } from './impersonation/removeAccount.ts';
import { stopImpersonatingAccount } from './impersonation/stopImpersonatingAccount.ts';
import { checkRegistration } from './ledger/checkRegistration.ts';
import { getAddressReference } from './ledger/getAddressReference.ts';
import { getChain } from './ledger/getChain.ts';
import { requestRegistrationTask } from './ledger/requestRegistrationTask.ts';
import { submitRegistrationSolution } from './ledger/submitRegistrationSolution.ts';
import { startMiner } from './miner/start.ts';
import { stopMiner } from './miner/stop.ts';
import { getAutomine } from './mining/getAutomine.ts';
import { getIntervalMining } from './mining/getIntervalMining.ts';
import { intervalMine } from './mining/intervalMine.ts';
import { mine } from './mining/mine.ts';
import { mineDetailed } from './mining/mineDetailed.ts';
import { setAutomine } from './mining/setAutomine.ts';
import { setBlockGasLimit } from './mining/setBlockGasLimit.ts';
import { setIntervalMining } from './mining/setIntervalMining.ts';
import { setMinGasPrice } from './mining/setMinGasPrice.ts';
import { setNextBlockBaseFeePerGas } from './mining/setNextBlockBaseFeePerGas.ts';
import { listening } from './net/listening.ts';
import { peerCount } from './net/peerCount.ts';
import { version } from './net/version.ts';
import { otterscanMethods } from './otterscan-methods.ts';
import { addBalance } from './patches/addBalance.ts';
import { dealERC20 } from './patches/dealERC20.ts';
import { setBalance } from './patches/setBalance.ts';
import { setCode } from './patches/setCode.ts';
import { setERC20Allowance } from './patches/setERC20Allowance.ts';
import { setNextBlockPrevRandao } from './patches/setNextBlockPrevRandao.ts';
import { setNonce } from './patches/setNonce.ts';
import { setStorageAt } from './patches/setStorageAt.ts';
import { importRawKey } from './personal/importRawKey.ts';
import { listAccounts } from './personal/listAccounts.ts';
import { listRawAccounts } from './personal/listRawAccounts.ts';
import { lockAccount } from './personal/lockAccount.ts';
import { newAccount } from './personal/newAccount.ts';
import { sendTransactionWithPassphrase } from './personal/sendTransaction.ts';
import { signPersonal } from './personal/sign.ts';
import { signTransactionWithPassphrase } from './personal/signTransaction.ts';
import { unlockAccount } from './personal/unlockAccount.ts';
import { poolContent } from './pool/content.ts';
import { poolContentFrom } from './pool/contentFrom.ts';
import { dropAllTransactions } from './pool/dropAllTransactions.ts';
import { dropTransaction } from './pool/dropTransaction.ts';
import { poolInspection } from './pool/inspect.ts';
import { removePoolTransactions } from './pool/removePoolTransactions.ts';
import { poolStatus } from './pool/status.ts';
import { profileMethods } from './profile-methods.ts';
import { impersonateSignature } from './refused/impersonateSignature.ts';
import { setChainId } from './refused/setChainId.ts';
import { setCoinbase } from './refused/setCoinbase.ts';
import { setRpcUrl } from './refused/setRpcUrl.ts';
import { discover } from './rpc/discover.ts';
import { modules } from './rpc/modules.ts';
import { addArtifact } from './test-node/addArtifact.ts';
import { addCompilationResult } from './test-node/addCompilationResult.ts';
import { getBlobByHash } from './test-node/getBlobByHash.ts';
import { getBlobsByTransactionHash } from './test-node/getBlobsByTransactionHash.ts';
import { metadata } from './test-node/metadata.ts';
import { setLoggingEnabled } from './test-node/setLoggingEnabled.ts';
import { traceMethods } from './trace-methods.ts';
import { clientVersion } from './web3/clientVersion.ts';
import { sha3 } from './web3/sha3.ts';

/** Methods by each of their names. A `Map`, so that no name of a method ever meets the prototype of an object. */
export type MethodRegistry = ReadonlyMap<string, MethodDefinition>;

/** Every method of the interface, by their sections; those for clients of today come last. */
export const METHODS: MethodRegistry = registryOf([
  ...[clientVersion, sha3, version, listening, peerCount],
  ...[protocolVersion, syncing, coinbase, mining, gasPrice, chainId],
  blockNumber,
  ...profileMethods(LEDGER_PROFILE),
  ...[getBlockTransactionCountByHash, getBlockTransactionCountByNumber, call, estimateGas],
  ...[pendingTransactions, sendRawTransaction],
  ...[newFilter, newBlockFilter, newPendingTransactionFilter, uninstallFilter],
  ...[getFilterChanges, getFilterLogs, subscribe, unsubscribe],
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
  ...[createAccessList, feeHistory, getChain],
  ...[signPersonal, signTypedData],
  ...[signTransaction, signTransactionWithPassphrase, sendRawTransactionSync, sendTransactionSync],
  ...[impersonateAccount, stopImpersonatingAccount, autoImpersonateAccount],
  ...[sendUnsignedTransaction, addAccount, removeAccount, importRawKey],
  ...[getTransactionBySenderAndNonce],
  ...accountMethods(LEDGER_PROFILE),
  ...traceMethods(LEDGER_PROFILE),
  ...otterscanMethods(LEDGER_PROFILE),
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
