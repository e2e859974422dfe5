/**
 * Methods whose work is a few look-ups, whatever their parameters: they are answered at once. All others may take
 * long and take turns.
 */
export const QUICK_METHODS: ReadonlySet<string> = new Set([
  'web3_clientVersion',
  'net_version',
  'net_listening',
  'net_peerCount',
  'eth_protocolVersion',
  'eth_syncing',
  'eth_coinbase',
  'eth_mining',
  'eth_gasPrice',
  'eth_chainId',
  'eth_blockNumber',
  'eth_getBalance',
  'eth_getStorageAt',
  'eth_getTransactionCount',
  'eth_getCode',
  'eth_networkId',
  'eth_maxPriorityFeePerGas',
  'eth_blobBaseFee',
  'eth_baseFee',
  'eth_config',
  'eth_capabilities',
  'eth_getAccountInfo',
  'ledger_getChain',
]);

/** Methods that change the chain, or make it go on: what only asks does not hold them up. */
export const SEND_METHODS: ReadonlySet<string> = new Set([
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  'personal_sendTransaction',
  'personal_newAccount',
  'ledger_submitRegistrationSolution',
  'miner_start',
  'miner_stop',
  'evm_mine',
  'evm_increaseTime',
]);
