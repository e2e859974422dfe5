import { expect, test } from 'vitest';
import * as rpc from './index.ts';

test('default', () => {
  expect(Object.keys(rpc).sort()).toEqual([
    'DEFAULT_RPC_LIMITS',
    'InternalError',
    'InvalidParametersError',
    'InvalidRequestError',
    'LimitError',
    'METHODS',
    'MethodNotFoundError',
    'OTHER_METHOD',
    'OUTCOMES',
    'ParseError',
    'QueryAnswers',
    'RequestFailedError',
    'RpcError',
    'STANDALONE_STATUS',
    'WorkerLostError',
    'createDispatcher',
    'defineMethod',
    'defineTestMethod',
    'describeInterface',
    'errorObjectOf',
    'errorResponse',
  ]);
});
