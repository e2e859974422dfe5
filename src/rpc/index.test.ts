import { expect, test } from 'vitest';
import * as rpc from './index.ts';

test('default', () => {
  expect(Object.keys(rpc).sort()).toEqual([
    'Accountant',
    'DEFAULT_RPC_LIMITS',
    'ETHEREUM_INTERFACE',
    'ETHEREUM_METHODS',
    'HELD_KINDS',
    'HeldLimitError',
    'InternalError',
    'InvalidParametersError',
    'InvalidRequestError',
    'LimitError',
    'LongAnswer',
    'LongBody',
    'METHODS',
    'MethodNotFoundError',
    'NO_CLIENT',
    'OTHER_METHOD',
    'OUTCOMES',
    'ParseError',
    'QueryAnswers',
    'RequestFailedError',
    'RpcError',
    'STANDALONE_STATUS',
    'StreamedAnswer',
    'UnfitDumpError',
    'WorkerLostError',
    'createDispatcher',
    'defineMethod',
    'describeInterface',
    'errorObjectOf',
    'errorResponse',
    'mayHaveMore',
  ]);
});
