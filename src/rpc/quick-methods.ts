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
]);
