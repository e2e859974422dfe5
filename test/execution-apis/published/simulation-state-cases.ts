import {
  AUTHORIZATION,
  addressOf,
  C0,
  C1,
  C2,
  C3,
  CODE,
  call,
  coded,
  data,
  ECRECOVER,
  error,
  IDENTITY,
  move,
  placed,
  plain,
  type Row,
  result,
  rich,
  SHA256,
  smallAddress,
  state,
  TRACED,
  VALIDATION,
  word,
} from './simulation-requests.ts';

/** Cases about precompiled contracts. */
export const PRECOMPILES: Readonly<Record<string, Row>> = {
  'extcodehash-existing-contract': [
    'result',
    ({ contract }) => [
      {
        blockStateCalls: [
          {
            ...state(coded(CODE.codeHashOf)),
            calls: [call(C0, C1, { input: `0x${contract.slice(2).padStart(64, '0')}` })],
          },
        ],
      },
    ],
  ],
  'extcodehash-override': result([
    { ...state({ ...coded(CODE.codeHashOf), ...coded(CODE.stop, C2) }), calls: [call(C0, C1, data)] },
  ]),
  'extcodehash-precompile': result([{ ...state(coded(CODE.codeHashOf)), calls: [call(C0, C1, data)] }]),
  'move-ecrecover-and-call': result([
    { calls: [call(C1, ECRECOVER, data)] },
    { ...state(move(ECRECOVER, smallAddress(0x123456))), calls: [call(C1, smallAddress(0x123456), data)] },
  ]),
  'move-ecrecover-and-call-old-and-new': result([
    {
      ...state(move(ECRECOVER, smallAddress(0x123456))),
      calls: [call(C1, smallAddress(0x123456), data), call(C1, ECRECOVER, data)],
    },
  ]),
  'move-ecrecover-twice-and-call': result([
    { ...state(move(ECRECOVER, smallAddress(0x123456))), calls: [call(C1, smallAddress(0x123456), data)] },
    { ...state(move(ECRECOVER, smallAddress(0x123457))), calls: [call(C1, smallAddress(0x123457), data)] },
  ]),
  'move-to-address-itself-reference-38022': error(-32000, [
    { ...state({ ...rich('0x30d40'), ...move(C1, C1) }), calls: [call(C0, C1, { value: '0x1' })] },
  ]),
  'move-two-accounts-to-same-38023': result([state({ ...move(ECRECOVER, C2), ...move(SHA256, C2) })]),
  'move-two-non-precompiles-accounts-to-same': error(-32000, [
    state({ ...move(addressOf('01'), C2), ...move(addressOf('02'), C2) }),
  ]),
  'override-ecrecover': result([
    {
      ...state({ ...coded(CODE.forty2, ECRECOVER), ...coded(CODE.slot) }),
      calls: [call(C0, ECRECOVER, data)],
    },
  ]),
  'override-identity': result([
    {
      ...state({
        [String(IDENTITY)]: { code: CODE.forty2, movePrecompileToAddress: smallAddress(0x123456) },
      }),
      calls: [call(C0, smallAddress(0x123456), data), call(C0, IDENTITY, data)],
    },
  ]),
  'override-precompile-code-without-move': result([
    { ...state(coded(CODE.forty2, IDENTITY)), calls: [call(C0, IDENTITY, { input: '0x1234' })] },
  ]),
  'override-sha256': result([
    {
      ...state({ [String(SHA256)]: { code: CODE.stop, movePrecompileToAddress: smallAddress(0x123456) } }),
      calls: [call(C0, smallAddress(0x123456), data), call(C0, SHA256, data)],
    },
  ]),
  'precompile-is-sending-transaction': result([{ calls: [call(IDENTITY, SHA256, { input: '0x1234' })] }]),
  'try-to-move-non-precompile': error(
    -32000,
    [
      state({ [String(C0)]: { nonce: '0x5' } }),
      {
        ...state({ [String(C0)]: { MovePrecompileToAddress: C1 } }),
        calls: [call(C0, C0, { nonce: '0x0' })],
      },
    ],
    VALIDATION,
  ),
};

/** Cases about the overridden and the changed state. */
export const STATE: Readonly<Record<string, Row>> = {
  'check-that-balance-is-there-after-new-block': result([
    { ...state({ ...rich('0x2710'), ...coded(CODE.balanceOf) }), calls: [plain] },
    { calls: [plain] },
  ]),
  'contract-calls-itself': result([{ ...state(coded(CODE.forty2, C0)), calls: [call(C0, C0)] }]),
  'no-fields-call': result([{ calls: [{}] }], TRACED),
  'only-from-to-transaction': result([{ calls: [plain] }]),
  'only-from-transaction': result([{ calls: [{ from: C0 }] }]),
  'override-address-twice': error(
    -38014,
    [{ ...state(coded(CODE.revert, C0)), calls: [call(C0, C1, { value: '0x3e8' })] }],
    TRACED,
  ),
  'override-address-twice-in-separate-BlockStateCalls': result([
    { ...state(rich('0x7d0')), calls: [call(C0, C1, { value: '0x3e8' })] },
    { ...state(rich('0x7d0')), calls: [call(C0, C1, { value: '0x3e8' })] },
  ]),
  'override-code-replaced-by-create': result([
    {
      ...state({ ...rich(), ...coded('0x', C1) }),
      calls: [{ from: C0, input: '0x69602a60005260206000f3600052600a6016f3' }, plain],
    },
  ]),
  'override-code-replaced-by-delegation': result([
    {
      ...state({ ...rich(), ...coded(CODE.forty2) }),
      calls: [call(C0, C0, { authorizationList: [AUTHORIZATION] })],
    },
  ]),
  'override-delegation-replaced-by-redelegation': result([
    {
      ...state({ ...rich(), ...coded(`0xef0100${C2?.slice(2)}`) }),
      calls: [call(C0, C0, { authorizationList: [AUTHORIZATION] })],
    },
  ]),
  'override-empties-contract-keeps-storage': [
    'result',
    ({ contract }) => [
      {
        blockStateCalls: [
          { ...state({ [contract]: { nonce: '0x0', code: '0x', balance: '0x0' } }), calls: [plain] },
          { ...state({ [contract]: { code: CODE.slot } }), calls: [call(C0, contract)] },
        ],
      },
    ],
  ],
  'override-empties-delegated-account-keeps-storage': result([
    { ...state({ ...rich(), [String(C2)]: { nonce: '0x0', code: '0x', balance: '0x0' } }), calls: [plain] },
    { ...state(coded(CODE.slot, C2)), calls: [call(C0, C2)] },
  ]),
  'override-empty-account-exists': result([
    {
      ...state({ ...rich(), ...coded('0x', C3) }),
      calls: [call(C0, C0, { authorizationList: [AUTHORIZATION] })],
    },
  ]),
  'override-empty-account-exists-across-blocks': result([
    { ...state({ ...rich(), ...coded('0x', C3) }), calls: [plain] },
    { ...state(rich('0x0', C3)), calls: [call(C0, C0, { authorizationList: [AUTHORIZATION] })] },
  ]),
  'override-state-clears-existing-storage': [
    'result',
    ({ contract }) => [
      {
        blockStateCalls: [
          { ...state({ [contract]: { state: {}, code: CODE.slot } }), calls: [call(C0, contract)] },
        ],
      },
    ],
  ],
  'override-storage-slots': result([
    { ...state(coded(CODE.store)), calls: [plain] },
    {
      ...state({ [String(C1)]: { stateDiff: { [word('00')]: word('12') }, code: CODE.slot } }),
      calls: [plain],
    },
  ]),
  'overwrite-existing-contract': [
    'result',
    ({ contract }) => [
      {
        blockStateCalls: [
          { calls: [call(C0, contract)] },
          { ...state({ [contract]: { code: CODE.stop } }), calls: [call(C0, contract)] },
        ],
      },
    ],
  ],
  'self-destructing-state-override': result([
    { ...state(coded(CODE.destruct)), calls: [plain] },
    { ...state(coded(CODE.forty2)), calls: [plain] },
  ]),
  'set-read-storage': result([
    { ...state(coded(CODE.store)), calls: [plain] },
    { ...state(coded(CODE.slot)), calls: [plain] },
  ]),
  simple: result([{ ...state(rich('0x3e8')), calls: [call(C0, C1, { value: '0x3e8' })] }]),
  'simple-state': result([
    { ...state({ ...rich('0x7d0'), ...coded(CODE.store) }), calls: [plain] },
    { ...state({ [String(C1)]: { state: { [word('00')]: word('12') }, code: CODE.slot } }), calls: [plain] },
  ]),
  'simple-state-diff': result([
    { ...state({ ...rich('0x7d0'), ...coded(CODE.store) }), calls: [plain] },
    {
      ...state({ [String(C1)]: { stateDiff: { [word('00')]: word('12') }, code: CODE.slot } }),
      calls: [plain],
    },
  ]),
  'transfer-over-BlockStateCalls': result([
    { ...state(rich('0x1388')), calls: [call(C0, C1, { value: '0x7d0' })] },
    { calls: [call(C1, C2, { value: '0x3e8' })] },
  ]),
};

/** Cases about logs. */
export const LOGS: Readonly<Record<string, Row>> = {
  'eth-send-should-not-produce-logs-by-default': result([
    { ...state(rich('0x7d0')), calls: [call(C0, C1, { value: '0x3e8' })] },
  ]),
  'eth-send-should-not-produce-logs-on-revert': result(
    [{ ...state({ ...rich('0x7d0'), ...coded(CODE.revert) }), calls: [call(C0, C1, { value: '0x3e8' })] }],
    TRACED,
  ),
  'eth-send-should-produce-logs': result(
    [{ ...state(rich('0x7d0')), calls: [call(C0, C1, { value: '0x3e8' })] }],
    TRACED,
  ),
  'eth-send-should-produce-more-logs-on-forward': result(
    [{ ...state({ ...rich('0x7d0'), ...coded(CODE.forward) }), calls: [call(C0, C1, { value: '0x3e8' })] }],
    TRACED,
  ),
  'eth-send-should-produce-no-logs-on-forward-revert': result(
    [
      {
        ...state({ ...rich('0x7d0'), ...coded(CODE.forward), ...coded(CODE.revert, C2) }),
        calls: [call(C0, C1, { value: '0x3e8' })],
      },
    ],
    TRACED,
  ),
  logs: result([{ ...state(coded(CODE.log)), calls: [plain] }]),
  'self-destructive-contract-produces-logs': result(
    [{ ...state(coded(CODE.destruct, C2, { balance: '0x1e8480' })), calls: [call(C0, C2)] }],
    TRACED,
  ),
  'send-eth-and-delegate-call': result(
    [
      {
        ...state({ ...rich(), ...coded(CODE.delegate), ...coded(CODE.forty2, C2) }),
        calls: [call(C0, C1, { value: '0x3e8' })],
      },
    ],
    TRACED,
  ),
  'send-eth-and-delegate-call-to-eoa': result(
    [{ ...state({ ...rich(), ...coded(CODE.delegate) }), calls: [call(C0, C1, { value: '0x3e8' })] }],
    TRACED,
  ),
  'send-eth-and-delegate-call-to-payble-contract': result(
    [
      {
        ...state({ ...rich(), ...coded(CODE.delegate), ...coded(CODE.stop, C2) }),
        calls: [call(C0, C1, { value: '0x3e8' })],
      },
    ],
    TRACED,
  ),
  'use-as-many-features-as-possible': placed('result', [
    {
      ...{ number: 2, time: 20, feeRecipient: C2, prevRandao: word('12'), baseFeePerGas: '0x3ef' },
      stateOverrides: { ...rich('0xd18c3d6a40'), ...coded(CODE.codeHashOf, C1, { balance: '0xd18c4cac80' }) },
      calls: [
        call(C0, C1, { gas: '0xc350', maxFeePerGas: '0x7d0', maxPriorityFeePerGas: '0x1', value: '0x65' }),
      ],
    },
    { stateOverrides: coded(CODE.destruct, C2, { balance: '0x1' }), calls: [call(C0, C2)] },
    {
      number: 22,
      stateOverrides: { ...move(IDENTITY, C3), ...coded(CODE.hashOf) },
      calls: [call(C0, C1, data)],
    },
  ]),
};
