import { type CaseChain, casesOf, type PublishedCase, type Requested } from './published-case.ts';

const UNUSED = `0x${'aa'.repeat(20)}`;
const UNUSED_TOO = `0x${'bb'.repeat(20)}`;
const UNKNOWN = `0x${'0'.repeat(56)}deadbeef`;
/** Creation code that returns GASPRICE. */
const GAS_PRICE = '0x3a5f5260205ff3';
const WORD = `0x${'0'.repeat(63)}7`;
const DELEGATION = { chainId: '0x0', address: UNUSED, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' };
const BLOB = `0x01${'0'.repeat(62)}`;

type Row = readonly ['result' | number, Requested];
const result = (params: Requested): Row => ['result', params];
const error = (code: number, params: Requested): Row => [code, params];

const transfer =
  (more: object = {}, ...rest: readonly unknown[]) =>
  ({ sender, other }: CaseChain): readonly unknown[] => [{ from: sender, to: other, ...more }, ...rest];
const called =
  (more: object = {}, ...rest: readonly unknown[]) =>
  ({ sender, contract }: CaseChain): readonly unknown[] => [
    { from: sender, to: contract, input: WORD, ...more },
    ...rest,
  ];
const FEES = { maxFeePerGas: '0x4a817c800', maxPriorityFeePerGas: '0x3b9aca00' };
const PAST = '0x0';

const CALLS: Readonly<Record<string, Row>> = {
  'call-blob-fee-without-hashes': result(transfer({ maxFeePerBlobGas: '0x1' }, 'latest')),
  'call-block-hash-object': result(({ contract, blockHash }) => [
    { to: contract, input: WORD },
    { blockHash },
  ]),
  'call-callenv': result([{ input: '0x435f5260205ff3' }, 'latest']),
  'call-callenv-options-eip1559': result(transfer({ ...FEES, to: undefined, input: GAS_PRICE }, 'latest')),
  'call-contract': result(called({}, 'latest')),
  'call-fork-inactive-access-list': error(-32000, transfer({ accessList: [] }, PAST)),
  'call-fork-inactive-authorization-list': error(-32000, transfer({ authorizationList: [DELEGATION] }, PAST)),
  'call-fork-inactive-blob-fee': error(-32000, transfer({ maxFeePerBlobGas: '0x1' }, PAST)),
  'call-fork-inactive-blob-hashes': error(-32000, transfer({ blobVersionedHashes: [BLOB] }, PAST)),
  'call-fork-inactive-fee-fields-zero': error(
    -32000,
    transfer({ maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }, PAST),
  ),
  'call-fork-inactive-priority-fee': error(-32000, transfer({ maxPriorityFeePerGas: '0x0' }, PAST)),
  'call-gas-price-before-london': result(transfer({ gasPrice: '0x4a817c800' }, PAST)),
  'call-omitted-block': result(called()),
  'call-revert-abi-error': error(3, called({ input: '0x' }, 'latest')),
  'call-revert-abi-panic': error(3, called({ input: '0x' }, 'latest')),
  'call-simple-contract': result(called({}, 'latest')),
  'call-simple-transfer': result(transfer({ value: '0x1' }, 'latest')),
  'call-type-access-list-before-berlin': result(transfer({ type: '0x1' }, PAST)),
  'call-type-blob-before-cancun': result(transfer({ type: '0x3' }, PAST)),
  'call-type-legacy-with-access-list': result(
    transfer({ accessList: [{ address: UNUSED, storageKeys: [] }], type: '0x0' }, 'latest'),
  ),
  'call-type-legacy-with-fee-fields': result(
    transfer({ ...FEES, to: undefined, input: GAS_PRICE, type: '0x0' }, 'latest'),
  ),
  'call-type-set-code-before-prague': result(transfer({ type: '0x4' }, PAST)),
  'call-type-unknown': result(transfer({ type: '0x7f' }, 'latest')),
  'call-unfunded-sender': result([{ from: UNUSED, to: UNUSED_TOO }, 'latest']),
};

const ESTIMATES: Readonly<Record<string, Row>> = {
  'estimate-blockhash': result(({ contract, blockHash }) => [{ to: contract, input: WORD }, { blockHash }]),
  'estimate-eip7623-calldata-floor': result(transfer({ input: `0x${'ff'.repeat(100)}` })),
  'estimate-eip7623-floor-with-authorization': result(
    transfer({ input: `0x${'ff'.repeat(100)}`, authorizationList: [DELEGATION] }),
  ),
  'estimate-failed-call': error(3, called({ input: '0x' })),
  'estimate-fork-inactive-access-list': error(-32000, transfer({ accessList: [] }, PAST)),
  'estimate-fork-inactive-blob-fee': error(-32000, transfer({ maxFeePerBlobGas: '0x1' }, PAST)),
  'estimate-fork-inactive-fee-fields': error(-32000, transfer(FEES, PAST)),
  'estimate-simple-contract': result(called()),
  'estimate-simple-transfer': result(transfer({ value: '0x1' })),
  'estimate-successful-call': result(called()),
  'estimate-type-blob-before-cancun': result(transfer({ type: '0x3' }, PAST)),
  'estimate-unfunded-sender': result([{ from: UNUSED, to: UNUSED_TOO }, 'latest']),
  'estimate-with-eip4844': result(transfer({ maxFeePerBlobGas: '0x1', blobVersionedHashes: [BLOB] })),
  'estimate-with-eip7702': result(transfer({ authorizationList: [DELEGATION] })),
};

const ACCESS_LISTS: Readonly<Record<string, Row>> = {
  'create-al-abi-revert': result(called({ input: '0x' }, 'latest')),
  'create-al-blob-fee-without-hashes': result([
    { from: UNUSED, to: UNUSED_TOO, maxFeePerBlobGas: '0x1' },
    'latest',
  ]),
  'create-al-blockhash': result(({ contract, blockHash }) => [{ to: contract, input: WORD }, { blockHash }]),
  'create-al-contract': result(called({ gasPrice: '0x4a817c800' }, 'latest')),
  'create-al-contract-eip1559': result(called(FEES, 'latest')),
  'create-al-fork-inactive': error(-32000, transfer({}, PAST)),
  'create-al-fork-inactive-blob-fee': error(-32000, transfer({ maxFeePerBlobGas: '0x1' }, PAST)),
  'create-al-fork-inactive-fee-fields': error(-32000, transfer(FEES, PAST)),
  'create-al-multiple-reads': result(called({}, 'latest')),
  'create-al-omitted-block': result(called()),
  'create-al-simple-contract': result(called({}, 'latest')),
  'create-al-simple-transfer': result(transfer({}, 'latest')),
  'create-al-type-set-code-before-prague': result(transfer({ type: '0x4' }, PAST)),
  'create-al-unfunded-sender': result([{ from: UNUSED, to: UNUSED_TOO }, 'latest']),
  'create-al-value-transfer': result(transfer({ value: '0x1' }, 'latest')),
};

const sent =
  (fields: Readonly<Record<string, unknown>>) =>
  ({ signed }: CaseChain): readonly unknown[] => [signed(fields)];

const SENDS: Readonly<Record<string, Row>> = {
  'send-access-list-transaction': result(sent({ type: 'accessList' })),
  'send-already-known': error(1000, ({ signed }) => [signed({ precedes: {} })]),
  'send-authorization-list-tx': result([`0x04${'c0'.repeat(9)}`]),
  'send-blob-tx': result([`0x03${'c0'.repeat(9)}`]),
  'send-dynamic-fee-access-list-transaction': result(
    sent({ gas: 30_000n, accessList: [{ address: new Uint8Array(20), storageKeys: [] }] }),
  ),
  'send-dynamic-fee-transaction': result(sent({})),
  'send-insufficient-funds': error(809, sent({ value: 10n ** 30n })),
  'send-intrinsic-gas-too-low': error(800, sent({ gas: 1n })),
  'send-legacy-transaction': result(sent({ type: 'legacy' })),
  'send-nonce-too-low': error(1, sent({ nonce: 0n })),
  'send-replacement-underpriced': error(1002, ({ signed }) => [signed({ precedes: { value: 2n } })]),
  'send-setcode-tx': result([`0x04${'c0'.repeat(9)}`]),
  'send-tip-above-fee-cap': error(804, sent({ maxPriorityFeePerGas: 10n ** 12n })),
  'send-tx-gas-exceeds-block-limit': error(803, sent({ gas: 10n ** 8n })),
};

/** The published cases of methods that run or send transactions. */
export const EXECUTION_CASES: readonly PublishedCase[] = [
  ...casesOf('eth_call', CALLS),
  ...casesOf('eth_estimateGas', ESTIMATES),
  ...casesOf('eth_createAccessList', ACCESS_LISTS),
  ...casesOf('eth_sendRawTransaction', SENDS),
];

const CALL_TRACER = { tracer: 'callTracer' };
const traced = (hash: keyof CaseChain, config?: object): Row =>
  result((chain) => [chain[hash], ...(config === undefined ? [] : [config])]);
const number = ({ blockNumber }: CaseChain): readonly unknown[] => [blockNumber];
const hash = ({ blockHash }: CaseChain): readonly unknown[] => [blockHash];
const numberOfCalls = ({ blockNumber }: CaseChain): readonly unknown[] => [blockNumber, CALL_TRACER];

/** The published cases of `debug_`. Those of gas dimensions are of a hard fork that the chain does not have. */
export const DEBUG_CASES: readonly PublishedCase[] = [
  ...casesOf('debug_getRawBlock', {
    'get-block-n': result(number),
    'get-genesis': result(['0x0']),
    'get-invalid-number': error(-32602, ['2']),
  }),
  ...casesOf('debug_getRawHeader', {
    'get-block-n': result(number),
    'get-genesis': result(['0x0']),
    'get-invalid-number': error(-32602, ['2']),
  }),
  ...casesOf('debug_getRawReceipts', {
    'get-block-hash': result(hash),
    'get-block-n': result(number),
    'get-genesis': result(['0x0']),
    'get-invalid-number': error(-32602, ['2']),
  }),
  ...casesOf('debug_getRawTransaction', {
    'get-invalid-hash': error(-32602, ['1'.padEnd(64, '0')]),
    'get-notfound-tx': result([UNKNOWN]),
    'get-tx': result(({ legacy }) => [legacy]),
  }),
  ...casesOf('debug_traceBlockByHash', {
    'calltracer-block-with-transactions': result(({ blockHash }) => [blockHash, CALL_TRACER]),
    'trace-block-not-found': error(-32000, [UNKNOWN]),
    'trace-block-with-transactions': result(hash),
    'trace-genesis': error(-32000, ({ genesisHash }) => [genesisHash]),
  }),
  ...casesOf('debug_traceBlockByNumber', {
    'calltracer-block-with-log': result(numberOfCalls),
    'calltracer-block-with-reverted-tx': result(numberOfCalls),
    'calltracer-block-with-transactions': result(numberOfCalls),
    'debug-trace-callTracer': result(numberOfCalls),
    'trace-block-invalid-number': error(-32602, ['3']),
    'trace-block-memory-encoding': result(({ blockNumber }) => [blockNumber, { enableMemory: true }]),
    'trace-block-return-data-behavior': result(({ blockNumber }) => [
      blockNumber,
      { enableReturnData: true },
    ]),
    'trace-block-storage-encoding': result(number),
    'trace-block-storage-snapshot-timing': result(number),
    'trace-block-with-transactions': result(number),
    'trace-genesis': error(-32000, ['0x0']),
  }),
  ...casesOf('debug_traceCall', {
    'calltracer-block-param-hash': result(({ contract, blockHash }) => [
      { to: contract },
      blockHash,
      CALL_TRACER,
    ]),
    'calltracer-invalid-block': error(-32000, called({}, '0xfffffffff', CALL_TRACER)),
    'calltracer-nested': result(called({}, 'latest', CALL_TRACER)),
    'calltracer-only-top-call': result(
      called({}, 'latest', { ...CALL_TRACER, tracerConfig: { onlyTopCall: true } }),
    ),
    'calltracer-revert': result(called({ input: '0x' }, 'latest', CALL_TRACER)),
    'calltracer-state-override': result(
      called({}, 'latest', { ...CALL_TRACER, stateOverrides: { [UNUSED]: { code: '0x00' } } }),
    ),
    'trace-call-omitted-block': result(called()),
    'trace-call-opcode-default': result(called({}, 'latest')),
    'traceCall-callTracer-intrinsic': result(transfer({}, 'latest', CALL_TRACER)),
    'traceCall-structLogs-gas': result(called({}, 'latest')),
  }),
  ...casesOf('debug_traceTransaction', {
    'calltracer-contract-call': traced('logging', CALL_TRACER),
    'calltracer-create': traced('creation', CALL_TRACER),
    'calltracer-nested-calls': traced('logging', CALL_TRACER),
    'calltracer-only-top-call': traced('logging', { ...CALL_TRACER, tracerConfig: { onlyTopCall: true } }),
    'calltracer-only-top-call-with-log': traced('logging', {
      ...CALL_TRACER,
      tracerConfig: { onlyTopCall: true, withLog: true },
    }),
    'calltracer-revert-reason': traced('reverted', CALL_TRACER),
    'calltracer-simple-transfer': traced('legacy', CALL_TRACER),
    'calltracer-with-log': traced('logging', { ...CALL_TRACER, tracerConfig: { withLog: true } }),
    'calltracer-with-log-index': traced('logging', { ...CALL_TRACER, tracerConfig: { withLog: true } }),
    'trace-contract-call': traced('logging'),
    'trace-legacy-transfer': traced('legacy'),
    'trace-unknown-tx': error(-32000, [UNKNOWN]),
  }),
];
