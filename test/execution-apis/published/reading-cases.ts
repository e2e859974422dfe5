import { type CaseChain, casesOf, type PublishedCase, type Requested } from './published-case.ts';

const UNKNOWN = `0x${'0'.repeat(56)}deadbeef`;
const UNUSED = `0x${'aa'.repeat(20)}`;
const ZERO_HASH = `0x${'0'.repeat(64)}`;

type Row = readonly ['result' | number, Requested];
const result = (params: Requested): Row => ['result', params];
const ofContract =
  (...more: readonly unknown[]) =>
  ({ contract }: CaseChain): readonly unknown[] => [contract, ...more];
const ofSender =
  (...more: readonly unknown[]) =>
  ({ sender }: CaseChain): readonly unknown[] => [sender, ...more];
const NONE: Row = result([]);

/** Rows of a transaction that is looked up by its hash, by type. */
const BY_TYPE = {
  accessList: result(({ accessList }) => [accessList]),
  dynamicFee: result(({ dynamicFee }) => [dynamicFee]),
  creation: result(({ creation }) => [creation]),
  logging: result(({ logging }) => [logging]),
  legacy: result(({ legacy }) => [legacy]),
  unknown: result([UNKNOWN]),
} as const;

const BALANCES = {
  'get-balance': result(ofSender('latest')),
  'get-balance-block-hash-object': result(({ sender, blockHash }) => [sender, { blockHash }]),
  'get-balance-block-hash-object-require-canonical': result(({ sender, blockHash }) => [
    sender,
    { blockHash, requireCanonical: true },
  ]),
  'get-balance-block-number-object': result(({ sender, blockNumber }) => [sender, { blockNumber }]),
  'get-balance-blockhash': result(({ sender, blockHash }) => [sender, blockHash]),
  'get-balance-default-block': result(ofSender()),
  'get-balance-unknown-account': result([UNUSED, 'latest']),
};

const STORAGE = {
  'get-storage': result(ofContract('0x0', 'latest')),
  'get-storage-default-block': result(ofContract('0x0')),
  'get-storage-invalid-key': [-32602, ofContract('0xasdf', 'latest')] as const,
  'get-storage-invalid-key-too-large': [-32602, ofContract(`${ZERO_HASH}0`, 'latest')] as const,
  'get-storage-unknown-account': result([UNUSED, '0x0', 'latest']),
};

const STORAGE_VALUES = {
  'get-storage-values': result(({ contract }) => [{ [contract]: [ZERO_HASH] }, 'latest']),
  'get-storage-values-default-block': result(({ contract }) => [{ [contract]: [ZERO_HASH] }]),
  'get-storage-values-empty-request': [-32602, [{}, 'latest']] as const,
  'get-storage-values-multiple-addresses': result(({ contract }) => [
    { [contract]: [ZERO_HASH], [UNUSED]: [ZERO_HASH, UNKNOWN] },
    'latest',
  ]),
  'get-storage-values-unknown-account': result([{ [UNUSED]: [ZERO_HASH] }, 'latest']),
};

const PROOFS = {
  'get-account-proof': result(ofContract([], 'latest')),
  'get-account-proof-block-hash-object': result(({ contract, blockHash }) => [contract, [], { blockHash }]),
  'get-account-proof-blockhash': result(({ contract, blockHash }) => [contract, [], blockHash]),
  'get-account-proof-default-block': result(ofContract([])),
  'get-account-proof-latest': result(ofContract([], 'latest')),
  'get-account-proof-with-storage': result(ofContract(['0x0'], 'latest')),
};

const RECEIPTS = {
  'get-block-receipts-0': result(['0x0']),
  'get-block-receipts-by-hash': result(({ blockHash }) => [blockHash]),
  'get-block-receipts-empty': result(['earliest']),
  'get-block-receipts-future': result(['0x99']),
  'get-block-receipts-latest': result(['latest']),
  'get-block-receipts-n': result(({ blockNumber }) => [blockNumber]),
  'get-block-receipts-not-found': result([UNKNOWN]),
};

const BLOCKS_BY_NUMBER = Object.fromEntries(
  ['cancun', 'london', 'merge', 'prague', 'shanghai'].map((fork) => [
    `get-block-${fork}-fork`,
    result(({ blockNumber }) => [blockNumber, true]),
  ]),
);

const LOGS = {
  'contract-addr': result(({ contract }) => [{ fromBlock: '0x1', toBlock: '0x2', address: contract }]),
  'filter-error-fully-future-block-range': [-32602, [{ fromBlock: '0x38', toBlock: '0x3a' }]] as const,
  'filter-error-future-block-range': [-32602, [{ fromBlock: '0x1', toBlock: '0x38' }]] as const,
  'filter-error-future-block-to-latest': [-32602, [{ fromBlock: '0x38', toBlock: 'latest' }]] as const,
  'filter-error-invalid-blockHash-and-range': [
    -32602,
    ({ blockHash }: CaseChain) => [{ blockHash, fromBlock: '0x1', toBlock: '0x2' }],
  ] as const,
  'filter-error-reversed-block-range': [-32602, [{ fromBlock: '0x2', toBlock: '0x1' }]] as const,
  'filter-with-blockHash': result(({ blockHash }) => [{ blockHash }]),
  'filter-with-blockHash-and-topics': result(({ blockHash }) => [{ blockHash, topics: [[UNKNOWN]] }]),
  'no-topics': result([{ fromBlock: '0x1', toBlock: '0x2', topics: [] }]),
  'topic-exact-match': result([{ fromBlock: '0x1', toBlock: '0x2', topics: [UNKNOWN] }]),
  'topic-null-wildcard': result([{ fromBlock: '0x1', toBlock: '0x2', topics: [null, [UNKNOWN]] }]),
  'topic-wildcard': result([{ fromBlock: '0x1', toBlock: '0x2', topics: [[], [UNKNOWN]] }]),
};

const TRANSACTIONS = {
  'get-access-list': BY_TYPE.accessList,
  'get-blob-tx': BY_TYPE.unknown,
  'get-dynamic-fee': BY_TYPE.dynamicFee,
  'get-legacy-input': BY_TYPE.logging,
  'get-setcode-tx': BY_TYPE.unknown,
};

/** The published cases of methods that read the state, blocks and transactions; types 3 and 4 are unknown hashes. */
export const READING_CASES: readonly PublishedCase[] = [
  ...casesOf('eth_getBalance', BALANCES),
  ...casesOf('eth_getCode', {
    'get-code': result(ofContract('latest')),
    'get-code-default-block': result(ofContract()),
    'get-code-eip7702-delegation': result(ofSender('latest')),
    'get-code-unknown-account': result([UNUSED, 'latest']),
  }),
  ...casesOf('eth_getStorageAt', STORAGE),
  ...casesOf('eth_getStorageValues', STORAGE_VALUES),
  ...casesOf('eth_getTransactionCount', {
    'get-account-nonce': result(ofSender('latest')),
    'get-nonce': result(ofSender('latest')),
    'get-nonce-default-block': result(ofSender()),
    'get-nonce-unknown-account': result([UNUSED, 'latest']),
  }),
  ...casesOf('eth_getProof', PROOFS),
  ...casesOf('eth_getBlockByHash', {
    'get-block-by-empty-hash': result([ZERO_HASH, true]),
    'get-block-by-hash': result(({ blockHash }) => [blockHash, true]),
    'get-block-by-notfound-hash': result([UNKNOWN, true]),
  }),
  ...casesOf('eth_getBlockByNumber', {
    ...BLOCKS_BY_NUMBER,
    'get-block-eip7685-requests': result(({ blockNumber }) => [blockNumber, false]),
    'get-block-n': result(({ blockNumber }) => [blockNumber, true]),
    'get-block-n-hex': result(({ blockNumber }) => [blockNumber, true]),
    'get-block-n-number': result([1, true]),
    'get-block-notfound': result(['0x3e8', true]),
    'get-finalized': result(['finalized', true]),
    'get-genesis': result(['0x0', true]),
    'get-latest': result(['latest', true]),
    'get-safe': result(['safe', true]),
  }),
  ...casesOf('eth_getBlockReceipts', RECEIPTS),
  ...casesOf('eth_getBlockTransactionCountByHash', {
    'get-block-n': result(({ blockHash }) => [blockHash]),
    'get-genesis': result(({ genesisHash }) => [genesisHash]),
  }),
  ...casesOf('eth_getBlockTransactionCountByNumber', {
    'get-block-n': result(({ blockNumber }) => [blockNumber]),
    'get-genesis': result(['0x0']),
  }),
  ...casesOf('eth_getLogs', LOGS),
  ...casesOf('eth_getTransactionByBlockHashAndIndex', {
    'get-block-n': result(({ blockHash }) => [blockHash, '0x0']),
  }),
  ...casesOf('eth_getTransactionByBlockNumberAndIndex', {
    'get-block-n': result(({ blockNumber }) => [blockNumber, '0x0']),
  }),
  ...casesOf('eth_getTransactionByHash', {
    ...TRANSACTIONS,
    'get-authlist-tx': BY_TYPE.unknown,
    'get-legacy-create': BY_TYPE.creation,
    'get-legacy-tx': BY_TYPE.legacy,
  }),
  ...casesOf('eth_getTransactionReceipt', {
    ...TRANSACTIONS,
    'get-auth-list': BY_TYPE.unknown,
    'get-legacy-contract': BY_TYPE.creation,
    'get-legacy-receipt': BY_TYPE.legacy,
    'get-notfound-tx': BY_TYPE.unknown,
  }),
  ...casesOf('eth_blobBaseFee', { 'get-current-blobfee': NONE }),
  ...casesOf('eth_baseFee', { 'get-current-basefee': NONE }),
  ...casesOf('eth_blockNumber', { 'simple-test': NONE }),
  ...casesOf('eth_capabilities', {
    'get-capabilities': NONE,
    'get-capabilities-disabled-stateproofs': NONE,
    'get-capabilities-disabled-trienodes': NONE,
  }),
  ...casesOf('eth_chainId', { 'get-chain-id': NONE }),
  ...casesOf('eth_config', {
    'get-config': NONE,
    'get-config-with-next-fork': NONE,
    'get-current-config': NONE,
  }),
  ...casesOf('eth_feeHistory', { 'fee-history': result(['0x1', '0x2', [95, 99]]) }),
  ...casesOf('eth_gasPrice', { 'get-current-gas-price': NONE }),
  ...casesOf('eth_maxPriorityFeePerGas', { 'get-current-tip': NONE }),
  ...casesOf('eth_syncing', { 'check-syncing': NONE }),
  ...casesOf('txpool_content', { 'get-content': NONE }),
  ...casesOf('txpool_contentFrom', { 'get-content-from-address': result(ofSender()) }),
  ...casesOf('txpool_status', { 'get-status': NONE }),
];
