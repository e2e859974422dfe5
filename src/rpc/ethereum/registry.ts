import { ETHEREUM_UNIMPLEMENTED } from '../description/unimplemented.ts';
import { MethodNotFoundError } from '../errors.ts';
import { shorten } from '../json/describe.ts';
import type { MethodDefinition } from '../method.ts';
import { accountMethods } from '../methods/account-methods.ts';
import { getGenesisTime } from '../methods/block-time/getGenesisTime.ts';
import { getLastBlockWallTime } from '../methods/block-time/getLastBlockWallTime.ts';
import { removeBlockTimestampInterval } from '../methods/block-time/removeBlockTimestampInterval.ts';
import { setBlockTimestampInterval } from '../methods/block-time/setBlockTimestampInterval.ts';
import { setNextBlockTimestamp } from '../methods/block-time/setNextBlockTimestamp.ts';
import { setTime } from '../methods/block-time/setTime.ts';
import { dumpState } from '../methods/chain/dumpState.ts';
import { loadState } from '../methods/chain/loadState.ts';
import { reset } from '../methods/chain/reset.ts';
import { rollback } from '../methods/chain/rollback.ts';
import { blobBaseFee } from '../methods/eth/blobBaseFee.ts';
import { blockNumber } from '../methods/eth/blockNumber.ts';
import { coinbase } from '../methods/eth/coinbase.ts';
import { config } from '../methods/eth/config.ts';
import { getBlockTransactionCountByHash } from '../methods/eth/getBlockTransactionCountByHash.ts';
import { getBlockTransactionCountByNumber } from '../methods/eth/getBlockTransactionCountByNumber.ts';
import { getFilterChanges } from '../methods/eth/getFilterChanges.ts';
import { getFilterLogs } from '../methods/eth/getFilterLogs.ts';
import { mining } from '../methods/eth/mining.ts';
import { newBlockFilter } from '../methods/eth/newBlockFilter.ts';
import { newFilter } from '../methods/eth/newFilter.ts';
import { newPendingTransactionFilter } from '../methods/eth/newPendingTransactionFilter.ts';
import { protocolVersion } from '../methods/eth/protocolVersion.ts';
import { subscribe } from '../methods/eth/subscribe.ts';
import { syncing } from '../methods/eth/syncing.ts';
import { uninstallFilter } from '../methods/eth/uninstallFilter.ts';
import { unsubscribe } from '../methods/eth/unsubscribe.ts';
import { addAccount } from '../methods/impersonation/addAccount.ts';
import { autoImpersonateAccount } from '../methods/impersonation/autoImpersonateAccount.ts';
import { impersonateAccount } from '../methods/impersonation/impersonateAccount.ts';
import { removeAccount } from '../methods/impersonation/removeAccount.ts';
import { stopImpersonatingAccount } from '../methods/impersonation/stopImpersonatingAccount.ts';
import { startMiner } from '../methods/miner/start.ts';
import { stopMiner } from '../methods/miner/stop.ts';
import { getAutomine } from '../methods/mining/getAutomine.ts';
import { getIntervalMining } from '../methods/mining/getIntervalMining.ts';
import { intervalMine } from '../methods/mining/intervalMine.ts';
import { setAutomine } from '../methods/mining/setAutomine.ts';
import { setBlockGasLimit } from '../methods/mining/setBlockGasLimit.ts';
import { setIntervalMining } from '../methods/mining/setIntervalMining.ts';
import { listening } from '../methods/net/listening.ts';
import { peerCount } from '../methods/net/peerCount.ts';
import { otterscanMethods } from '../methods/otterscan-methods.ts';
import { dealERC20 } from '../methods/patches/dealERC20.ts';
import { setCode } from '../methods/patches/setCode.ts';
import { setERC20Allowance } from '../methods/patches/setERC20Allowance.ts';
import { setNextBlockPrevRandao } from '../methods/patches/setNextBlockPrevRandao.ts';
import { setStorageAt } from '../methods/patches/setStorageAt.ts';
import { dropAllTransactions } from '../methods/pool/dropAllTransactions.ts';
import { dropTransaction } from '../methods/pool/dropTransaction.ts';
import { profileMethods } from '../methods/profile-methods.ts';
import { impersonateSignature } from '../methods/refused/impersonateSignature.ts';
import { setChainId } from '../methods/refused/setChainId.ts';
import { setCoinbase } from '../methods/refused/setCoinbase.ts';
import { setRpcUrl } from '../methods/refused/setRpcUrl.ts';
import { type MethodRegistry, registryOf } from '../methods/registry.ts';
import { discover } from '../methods/rpc/discover.ts';
import { modules } from '../methods/rpc/modules.ts';
import { addArtifact } from '../methods/test-node/addArtifact.ts';
import { addCompilationResult } from '../methods/test-node/addCompilationResult.ts';
import { getBlobByHash } from '../methods/test-node/getBlobByHash.ts';
import { getBlobsByTransactionHash } from '../methods/test-node/getBlobsByTransactionHash.ts';
import { setLoggingEnabled } from '../methods/test-node/setLoggingEnabled.ts';
import { traceMethods } from '../methods/trace-methods.ts';
import { sha3 } from '../methods/web3/sha3.ts';
import { ETHEREUM_PROFILE } from '../profiles/ethereum-profile.ts';
import { feeHistory } from './blocks/feeHistory.ts';
import { getTransactionBySenderAndNonce } from './blocks/getTransactionBySenderAndNonce.ts';
import {
  getUncleByBlockHashAndIndex,
  getUncleByBlockNumberAndIndex,
  getUncleCountByBlockHash,
  getUncleCountByBlockNumber,
} from './blocks/uncles.ts';
import { call } from './calls/call.ts';
import { createAccessList } from './calls/createAccessList.ts';
import { estimateGas } from './calls/estimateGas.ts';
import { accounts } from './client/accounts.ts';
import { baseFee } from './client/baseFee.ts';
import { capabilities } from './client/capabilities.ts';
import { chainId } from './client/chainId.ts';
import { clientVersion } from './client/clientVersion.ts';
import { gasPrice } from './client/gasPrice.ts';
import { hashrate } from './client/hashrate.ts';
import { maxPriorityFeePerGas } from './client/maxPriorityFeePerGas.ts';
import { networkVersion } from './client/version.ts';
import { addBalance, setBalance } from './control/balances.ts';
import { setMinGasPrice, setNextBlockBaseFeePerGas } from './control/fees.ts';
import { increaseTime } from './control/increaseTime.ts';
import { metadata } from './control/metadata.ts';
import { mine, mineAt } from './control/mine.ts';
import { mineDetailed } from './control/mineDetailed.ts';
import { nodeInfo } from './control/nodeInfo.ts';
import { removePoolTransactions } from './control/removePoolTransactions.ts';
import { reorganize } from './control/reorganize.ts';
import { setNonce } from './control/setNonce.ts';
import { revert, snapshot } from './control/snapshot.ts';
import { poolContent } from './pool/content.ts';
import { poolContentFrom } from './pool/contentFrom.ts';
import { poolInspection } from './pool/inspect.ts';
import { pendingTransactions } from './pool/pendingTransactions.ts';
import { poolStatus } from './pool/status.ts';
import { fillTransaction } from './sending/fillTransaction.ts';
import { importRawKey, lockAccount, newAccount, unlockAccount } from './sending/personal.ts';
import { sendRawTransaction, sendRawTransactionSync } from './sending/sendRawTransaction.ts';
import {
  sendTransaction,
  sendTransactionSync,
  sendTransactionWithPassphrase,
  sendUnsignedTransaction,
} from './sending/sendTransaction.ts';
import { sign, signPersonal, signTypedData } from './sending/sign.ts';
import { signTransaction, signTransactionWithPassphrase } from './sending/signTransaction.ts';
import { simulate } from './simulation/simulate.ts';
import { getProof } from './state/getProof.ts';

/** What answers alike on both profiles. */
const SHARED: readonly MethodDefinition[] = [
  ...[
    sha3,
    listening,
    peerCount,
    protocolVersion,
    syncing,
    coinbase,
    mining,
    blobBaseFee,
    blockNumber,
    config,
  ],
  ...[getBlockTransactionCountByHash, getBlockTransactionCountByNumber],
  ...[
    newFilter,
    newBlockFilter,
    newPendingTransactionFilter,
    uninstallFilter,
    getFilterChanges,
    getFilterLogs,
    subscribe,
    unsubscribe,
  ],
  ...[startMiner, stopMiner, intervalMine, setAutomine, getAutomine, setIntervalMining, getIntervalMining],
  ...[setBlockGasLimit, setNextBlockTimestamp, setTime, setBlockTimestampInterval],
  ...[removeBlockTimestampInterval, getGenesisTime, getLastBlockWallTime],
  ...[addArtifact, addCompilationResult],
  ...[dropTransaction, dropAllTransactions, setLoggingEnabled, getBlobByHash, getBlobsByTransactionHash],
  ...[setChainId, setCoinbase, impersonateSignature, setRpcUrl, rollback, reset, dumpState, loadState],
  ...[impersonateAccount, stopImpersonatingAccount, autoImpersonateAccount, addAccount, removeAccount],
  ...[setCode, setStorageAt, dealERC20, setERC20Allowance, setNextBlockPrevRandao],
  ...[discover, modules],
];

/** What answers in another way than on `/`, or not there at all. */
const OWN: readonly MethodDefinition[] = [
  ...[chainId, networkVersion, clientVersion, accounts, gasPrice, baseFee, maxPriorityFeePerGas, hashrate],
  ...[capabilities, getProof],
  ...profileMethods(ETHEREUM_PROFILE),
  ...[call, estimateGas, createAccessList, fillTransaction, simulate],
  ...[getTransactionBySenderAndNonce],
  ...[getUncleCountByBlockHash, getUncleCountByBlockNumber],
  ...[getUncleByBlockHashAndIndex, getUncleByBlockNumberAndIndex, feeHistory],
  ...[sendRawTransaction, sendRawTransactionSync, sendTransaction, sendTransactionSync],
  ...[sendUnsignedTransaction, signTransaction, sign, signPersonal, signTypedData],
  ...[newAccount, importRawKey, lockAccount, unlockAccount],
  ...[sendTransactionWithPassphrase, signTransactionWithPassphrase],
  ...[poolStatus, poolContent, poolContentFrom, poolInspection, pendingTransactions],
  ...[mine, mineAt, mineDetailed, increaseTime, snapshot, revert, setMinGasPrice, setNextBlockBaseFeePerGas],
  ...[nodeInfo, metadata, removePoolTransactions, reorganize, setBalance, addBalance, setNonce],
  ...accountMethods(ETHEREUM_PROFILE),
  ...traceMethods(ETHEREUM_PROFILE),
  ...otterscanMethods(ETHEREUM_PROFILE),
];

/** Every method of `/ethereum`. */
export const ETHEREUM_METHODS: MethodRegistry = registryOf([...OWN, ...SHARED]);

/** The error for a name that is no method of `/ethereum`, with the reason where the name is known. */
export function unknownEthereumMethod(name: string): MethodNotFoundError {
  const reason = ETHEREUM_UNIMPLEMENTED.get(name);
  return new MethodNotFoundError(
    reason === undefined
      ? `the method ${shorten(name)} does not exist/is not available`
      : `the method ${name} is not implemented: ${reason}`,
  );
}

/** The error for whatever is asked at `/ethereum` of a chain that knows nothing of Ethereum. */
export function withoutEthereum(): MethodNotFoundError {
  return new MethodNotFoundError(
    'this chain takes no Ethereum transactions, and has no methods here: a chain that does begins with ' +
      '`ledgerd start --ethereum`; the methods of this one are at /',
  );
}
