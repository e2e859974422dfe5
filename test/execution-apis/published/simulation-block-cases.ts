import {
  blobCall,
  C0,
  C1,
  C2,
  CODE,
  call,
  coded,
  data,
  error,
  placed,
  plain,
  quantity,
  type Row,
  result,
  rich,
  state,
  TRACED,
  VALIDATION,
  word,
} from './simulation-requests.ts';

/** Cases about blocks. */
export const BLOCKS: Readonly<Record<string, Row>> = {
  'add-more-non-defined-BlockStateCalls-than-fit': placed(-38020, [{ number: 10 }, {}, { number: 11 }]),
  'add-more-non-defined-BlockStateCalls-than-fit-but-now-with-fit': placed('result', [
    { number: 10 },
    {},
    { number: 15 },
  ]),
  'block-num-order-38020': placed(-38020, [{ number: 20 }, { number: 10 }]),
  'block-override-reflected-in-contract-simple': placed(-38021, [
    { number: 10, time: 5 },
    { number: 15, time: 20 },
  ]),
  'block-override-reflected-in-contract': placed(-38021, [
    { number: 5, time: 3, baseFeePerGas: '0xa', calls: [plain], stateOverrides: coded(CODE.number) },
  ]),
  'block-timestamp-auto-increment': placed(-38021, [{ time: 11 }, {}, { time: 12 }, {}]),
  'block-timestamp-non-increment': placed(-38021, [{ time: 12 }, { time: 12 }]),
  'block-timestamp-order-38021': placed(-38021, [{ time: 12 }, { time: 11 }]),
  'block-timestamps-incrementing': placed('result', [{ time: 12 }, { time: 13 }]),
  'blockhash-complex': placed('result', [
    { calls: [call(C0, C1, data)], stateOverrides: coded(CODE.hashOf) },
    { number: 10, calls: [call(C0, C1, data)] },
    { number: 20, calls: [call(C0, C1, data)] },
  ]),
  'blockhash-simple': result([{ ...state(coded(CODE.hashOf)), calls: [call(C0, C1, data)] }]),
  'blockhash-start-before-head': [
    'result',
    [{ blockStateCalls: [{ ...state(coded(CODE.hashOf)), calls: [call(C0, C1, data)] }, {}] }, '0x1'],
  ],
  'blocknumber-increment': result([{ ...state(coded(CODE.number)), calls: [plain] }, { calls: [plain] }]),
  empty: result([{}]),
  'empty-calls-and-overrides-ethSimulate': result([{ stateOverrides: {}, calls: [] }, { calls: [] }]),
  'empty-ethSimulate': [-32602, [{}, 'latest']],
  'empty-validation': result([{}], VALIDATION),
  'empty-with-block-num-set-current': [
    'result',
    ({ headNumber }) => [{ blockStateCalls: [{}] }, quantity(headNumber)],
  ],
  'empty-with-block-num-set-firstblock': ['result', [{ blockStateCalls: [{}] }, '0x1']],
  'empty-with-block-num-set-minusone': [
    'result',
    ({ headNumber }) => [{ blockStateCalls: [{}] }, quantity(headNumber - 1)],
  ],
  'empty-with-block-num-set-plus1': [
    -32000,
    ({ headNumber }) => [{ blockStateCalls: [{}] }, quantity(headNumber + 1)],
  ],
  'get-block-properties': result([{ ...state(coded(CODE.number)), calls: [plain] }]),
  'override-all-in-BlockStateCalls': placed(-38021, [
    {
      number: 10,
      time: 3,
      gasLimit: '0x3ec',
      feeRecipient: C2,
      prevRandao: word('c3'),
      baseFeePerGas: '0x3ef',
    },
  ]),
  'override-block-num': placed('result', [
    { number: 1, calls: [{ from: C0, input: CODE.number }] },
    { number: 2, calls: [{ from: C1, input: CODE.number }] },
  ]),
};

/** Cases about fees and funds. */
export const FEES: Readonly<Record<string, Row>> = {
  'basefee-too-low-with-validation-38012': error(
    -38012,
    [
      {
        ...state(rich('0x7d0')),
        blockOverrides: { baseFeePerGas: '0xa' },
        calls: [call(C0, C1, { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' })],
      },
    ],
    VALIDATION,
  ),
  'basefee-too-low-without-validation-38012': result([
    {
      blockOverrides: { baseFeePerGas: '0xa' },
      calls: [call(C1, C1, { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' })],
    },
  ]),
  'basefee-too-low-without-validation-38012-without-basefee-override': result([
    { ...state(rich('0x7d0')), calls: [call(C1, C1, { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' })] },
  ]),
  blobs: result(
    [{ ...state(rich('0x3b9aca00')), blockOverrides: { blobBaseFee: '0x0' }, calls: [blobCall] }],
    VALIDATION,
  ),
  'fee-recipient-receiving-funds': result(
    [
      {
        blockOverrides: { feeRecipient: C2, baseFeePerGas: '0xa' },
        ...state({ ...rich('0x1dcd6500'), ...coded(CODE.balanceOf) }),
        calls: [
          call(C0, C1, { maxFeePerGas: '0xa', maxPriorityFeePerGas: '0xa', nonce: '0x0', gas: '0xc350' }),
          call(C0, C1, { maxFeePerGas: '0xa', nonce: '0x1', gas: '0xc350' }),
        ],
      },
    ],
    { ...VALIDATION, ...TRACED, returnFullTransactions: true },
  ),
  'gas-fees-and-value-error-38014': error(-38014, [{ calls: [call(C0, C1, { value: '0x3e8' })] }]),
  'gas-fees-and-value-error-38014-with-validation': error(
    -38012,
    [{ calls: [call(C0, C1, { value: '0x3e8' })] }],
    VALIDATION,
  ),
  'instrict-gas-38013': error(-38013, [{ calls: [call(C1, C1, { gas: '0x0' })] }]),
  'run-gas-spending': result([
    { ...state(coded(CODE.burn, C2)), blockOverrides: { gasLimit: '0x186a0' } },
    { calls: [call(C0, C2)] },
    { calls: [call(C0, C2)] },
  ]),
  'run-out-of-gas-in-block-38015': result([
    { ...state(coded(CODE.burn, C2)), blockOverrides: { gasLimit: '0x186a0' } },
    { calls: [call(C0, C2), call(C0, C2)] },
  ]),
  'simple-more-params-validate': result(
    [
      {
        ...state(rich('0xde0b6b3a7640000')),
        blockOverrides: { baseFeePerGas: '0xa' },
        calls: [call(C0, C1, { gas: '0x5208', maxFeePerGas: '0x14', nonce: '0x0', value: '0x1' })],
      },
    ],
    VALIDATION,
  ),
  'simple-no-funds': error(-38014, [{ calls: [call(C0, C1, { value: '0x3e8' })] }]),
  'simple-no-funds-with-balance-querying': error(-38014, [
    { ...state(coded(CODE.balanceOf, C2)), calls: [call(C0, C2), call(C0, C1, { value: '0x3e8' })] },
  ]),
  'simple-no-funds-with-validation': error(
    -38012,
    [{ calls: [call(C0, C1, { value: '0x3e8', nonce: '0x0' }), call(C1, C2, { nonce: '0x1' })] }],
    VALIDATION,
  ),
  'simple-no-funds-with-validation-without-nonces': error(
    -38012,
    [{ calls: [call(C0, C1, { value: '0x3e8', nonce: '0x0' }), call(C1, C2)] }],
    VALIDATION,
  ),
  'simple-send-from-contract': result([
    { ...state(coded(CODE.stop, C0, { balance: '0x3e8' })), calls: [call(C0, C1, { value: '0x3e8' })] },
  ]),
  'simple-send-from-contract-no-balance': error(-38014, [
    { ...state(coded(CODE.stop, C0)), calls: [call(C0, C1, { value: '0x3e8' })] },
  ]),
  'simple-send-from-contract-with-validation': error(
    -38012,
    [{ ...state(coded(CODE.stop, C0, { balance: '0x3e8' })), calls: [call(C0, C1, { value: '0x3e8' })] }],
    VALIDATION,
  ),
  'simple-validation-fulltx': result(
    [
      {
        ...state(rich('0xe8d4a51000')),
        blockOverrides: { baseFeePerGas: '0xf' },
        calls: [call(C0, C1, { maxFeePerGas: '0x10', gas: '0x5208', value: '0x2540be400' })],
      },
    ],
    { ...VALIDATION, returnFullTransactions: true },
  ),
  'simple-with-validation-no-funds': result([
    {
      ...state(rich('0x3e8')),
      calls: [call(C0, C1, { value: '0x3e8' }), call(C1, C2, { value: '0x3e8' })],
    },
  ]),
  'two-blocks-with-complete-eth-sends': result(
    [
      {
        ...state(rich('0xde0b6b3a7640000')),
        blockOverrides: { baseFeePerGas: '0xa', feeRecipient: C2 },
        calls: [call(C0, C1, { gas: '0x5208', maxFeePerGas: '0x7d0', value: '0x65', nonce: '0x0' })],
      },
      {
        blockOverrides: { baseFeePerGas: '0xa' },
        calls: [call(C0, C1, { gas: '0x5208', maxFeePerGas: '0x7d0', value: '0x65', nonce: '0x1' })],
      },
    ],
    { ...VALIDATION, returnFullTransactions: true },
  ),
};

/** Cases about nonces. */
export const NONCES: Readonly<Record<string, Row>> = {
  'check-invalid-nonce': error(
    -38012,
    [
      { ...state(rich('0x4e20')), blockOverrides: { baseFeePerGas: '0x1' } },
      {
        blockOverrides: { baseFeePerGas: '0x1' },
        calls: ['0x0', '0x1', '0x0'].map((nonce) => call(C0, C0, { nonce })),
      },
    ],
    VALIDATION,
  ),
  'check-that-nonce-increases': result([
    { ...state(rich('0x4e20')), calls: ['0x0', '0x1', '0x2'].map((nonce) => call(C0, C0, { nonce })) },
  ]),
  'overflow-nonce': result([
    { ...state({ [String(C0)]: { nonce: '0xffffffffffffffff' } }), calls: [plain, plain] },
  ]),
  'overflow-nonce-validation': error(
    -32603,
    [{ ...state({ [String(C0)]: { nonce: '0xffffffffffffffff' } }), calls: [plain, plain] }],
    VALIDATION,
  ),
  'transaction-too-high-nonce': result([{ calls: [call(C1, C1, { nonce: '0x64' })] }]),
  'transaction-too-low-nonce-38010': result([
    { ...state({ [String(C0)]: { nonce: '0xa' } }), calls: [call(C0, C1, { nonce: '0x0' })] },
  ]),
};
