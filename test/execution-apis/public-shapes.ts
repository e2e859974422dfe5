/**
 * The shapes that Ethereum's public Execution APIs give to objects and results, as of 2026: which fields they
 * require, which they allow, and how values are written. The names of the forms are those of our schemas.
 */

/** One object: the form of each field. */
export interface PublicShape {
  readonly required: Readonly<Record<string, string>>;
  readonly optional: Readonly<Record<string, string>>;
}

const block: PublicShape = {
  required: {
    hash: 'Hash',
    parentHash: 'Hash',
    sha3Uncles: 'Hash',
    miner: 'Address',
    stateRoot: 'Hash',
    transactionsRoot: 'Hash',
    receiptsRoot: 'Hash',
    logsBloom: 'LogsBloom',
    number: 'Quantity',
    gasLimit: 'Quantity',
    gasUsed: 'Quantity',
    timestamp: 'Quantity',
    extraData: 'Data',
    mixHash: 'Hash',
    nonce: 'BlockNonce',
    size: 'Quantity',
    transactions: 'array of Transaction or array of Hash',
    uncles: 'array of Hash',
  },
  optional: {
    difficulty: 'Quantity',
    totalDifficulty: 'Quantity',
    baseFeePerGas: 'Quantity',
    withdrawalsRoot: 'Hash',
    withdrawals: 'array of Withdrawal',
    blobGasUsed: 'Quantity',
    excessBlobGas: 'Quantity',
    parentBeaconBlockRoot: 'Hash',
  },
};

/** A legacy transaction, signed and placed in a block: the kind that has no fields which this ledger lacks. */
const transaction: PublicShape = {
  required: {
    blockHash: 'Hash',
    blockNumber: 'Quantity',
    blockTimestamp: 'Quantity',
    from: 'Address',
    hash: 'Hash',
    transactionIndex: 'Quantity',
    type: 'Quantity',
    nonce: 'Quantity',
    gas: 'Quantity',
    value: 'Quantity',
    input: 'Data',
    gasPrice: 'Quantity',
    v: 'Quantity',
    r: 'Quantity',
    s: 'Quantity',
  },
  optional: { to: 'Address or null', chainId: 'Quantity' },
};

const log: PublicShape = {
  required: { transactionHash: 'Hash' },
  optional: {
    removed: 'boolean',
    logIndex: 'Quantity',
    transactionIndex: 'Quantity',
    blockHash: 'Hash',
    blockNumber: 'Quantity',
    blockTimestamp: 'Quantity',
    address: 'Address',
    data: 'Data',
    topics: 'array of Hash',
  },
};

const receipt: PublicShape = {
  required: {
    blockHash: 'Hash',
    blockNumber: 'Quantity',
    from: 'Address',
    cumulativeGasUsed: 'Quantity',
    gasUsed: 'Quantity',
    logs: 'array of Log',
    logsBloom: 'LogsBloom',
    transactionHash: 'Hash',
    transactionIndex: 'Quantity',
    effectiveGasPrice: 'Quantity',
  },
  optional: {
    type: 'Quantity',
    to: 'Address or null',
    contractAddress: 'Address or null',
    status: 'Quantity',
    root: 'Hash',
    blobGasUsed: 'Quantity',
    blobGasPrice: 'Quantity',
  },
};

const syncStatus: PublicShape = {
  required: {},
  optional: { startingBlock: 'Quantity', currentBlock: 'Quantity', highestBlock: 'Quantity' },
};

/** The objects, by the names of our schemas. */
export const PUBLIC_SHAPES: Readonly<Record<string, PublicShape>> = {
  Block: block,
  Transaction: transaction,
  Log: log,
  Receipt: receipt,
  SyncStatus: syncStatus,
};

const FILTER_RESULTS = 'array of Log or array of Hash';

/** Result forms of the methods that this ledger shares with Ethereum. */
export const PUBLIC_RESULTS: Readonly<Record<string, string>> = {
  eth_accounts: 'array of Address',
  eth_blockNumber: 'Quantity',
  eth_call: 'Data',
  eth_chainId: 'Quantity',
  eth_coinbase: 'Address',
  eth_estimateGas: 'Quantity',
  eth_gasPrice: 'Quantity',
  eth_getBalance: 'Quantity',
  eth_getBlockByHash: 'Block or null',
  eth_getBlockByNumber: 'Block or null',
  eth_getBlockTransactionCountByHash: 'Quantity or null',
  eth_getBlockTransactionCountByNumber: 'Quantity or null',
  eth_getCode: 'Data',
  eth_getFilterChanges: FILTER_RESULTS,
  eth_getFilterLogs: FILTER_RESULTS,
  eth_getLogs: FILTER_RESULTS,
  eth_getStorageAt: 'Data',
  eth_getTransactionByBlockHashAndIndex: 'Transaction or null',
  eth_getTransactionByBlockNumberAndIndex: 'Transaction or null',
  eth_getTransactionByHash: 'Transaction or null',
  eth_getTransactionCount: 'Quantity',
  eth_getTransactionReceipt: 'Receipt or null',
  eth_newBlockFilter: 'Quantity',
  eth_newFilter: 'Quantity',
  eth_newPendingTransactionFilter: 'Quantity',
  eth_sendRawTransaction: 'Hash',
  eth_sendTransaction: 'Hash',
  eth_sign: 'Data',
  eth_syncing: 'SyncStatus or boolean',
  eth_uninstallFilter: 'boolean',
  net_version: 'string',
};
