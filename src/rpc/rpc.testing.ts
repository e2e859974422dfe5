import { deepEqual } from 'node:assert/strict';
import { problemsOfResult } from '../../test/openrpc/result-check.ts';
import { ArtifactRegistry } from '../contracts/index.ts';
import type { Ledger, TestChain } from '../ledger/index.ts';
import { hexToBytes, toAddress } from '../protocol/index.ts';
import { CpuBackoff } from '../scheduling/index.ts';
import { WITHOUT_WAITING } from '../time/time.testing.ts';
import { Impersonation, type Wallet } from '../wallet/index.ts';
import {
  type Caller,
  type ChainControl,
  createDispatcher,
  type Dispatcher,
  type JobProcesses,
  type NodeDependencies,
  type ProfileId,
} from './index.ts';
import type { MethodRegistry } from './registries.ts';

/** An address that the stubs know nothing special about. */
export const ADDRESS = '0x0000000000000000000000000000000000000400';

/** Some members of some parts of a ledger. */
export type LedgerStub = { readonly [Part in keyof Ledger]?: Partial<Ledger[Part]> };

/** A ledger that has only what a test gives it; anything else that is asked of it fails as an internal error. */
export function stubLedger(members: LedgerStub = {}): Ledger {
  const network = { name: 'default', chainId: 255, networkId: 255 };
  const coinbase = toAddress(hexToBytes('00000000000000000000000000000000000003ff'));
  // Tests reach only the members given here; a missing one throws, which the response shows as an internal error.
  return {
    ...{ blocks: {}, calls: {}, clock: {}, miner: {}, ...members },
    pool: { together: <T>(action: () => T) => action(), ...members.pool },
    parameters: {
      ...{
        network,
        coinbase,
        inWei: (units: bigint) => units,
        rules: { fees: { type: 'fixed', price: 1n } },
      },
      ...members.parameters,
    },
    accounts: { balanceOf: () => 5n, ...members.accounts },
    history: { onReorg: () => () => undefined, ...members.history },
    chain: { onBlock: () => () => undefined, onReverting: () => () => undefined, ...members.chain },
  } as unknown as Ledger;
}

/** A wallet that has only what a test gives it. */
export function stubWallet(members: Partial<Wallet> = {}): Wallet {
  return { impersonation: new Impersonation(), impersonates: () => false, ...members } as unknown as Wallet;
}

/** A control over a chain that has only what a test gives it. */
export function stubControl(members: Partial<ChainControl> = {}): ChainControl {
  return members as unknown as ChainControl;
}

/** Stubs the dependencies of test mode; any use of the chain fails as an internal error. */
function stubTestChain(): Pick<NodeDependencies, 'wallet' | 'testChain' | 'dumps' | 'artifacts'> {
  const refuse = (): Promise<never> => Promise.reject(new TypeError('there is no chain'));
  // As with the ledger.
  const testChain = {} as unknown as TestChain;
  return {
    wallet: stubWallet(),
    testChain,
    dumps: { dump: refuse, dumpState: refuse, load: refuse },
    artifacts: new ArtifactRegistry(),
  };
}

/** A dispatcher in test mode over stubs. Whatever its methods can answer at once it answers at once. */
export function stubDispatcher(
  context: Partial<NodeDependencies> = {},
  methods?: MethodRegistry,
  processes?: JobProcesses,
): Dispatcher {
  const limits = { timeSliceMsMax: Number.POSITIVE_INFINITY, ...context.limits };
  const backoff = new CpuBackoff(WITHOUT_WAITING);
  return createDispatcher(
    {
      ledger: stubLedger(),
      ...stubTestChain(),
      control: stubControl(),
      version: '1.2.3',
      backoff,
      ...context,
      limits,
    },
    methods,
    processes,
  );
}

/** Hands a value to a dispatcher as a JSON body and parses the response, which must come at once. */
export function answerOf(
  dispatcher: Dispatcher,
  request: unknown,
  caller?: Caller,
  profile?: ProfileId,
): unknown {
  const body = typeof request === 'string' ? request : JSON.stringify(request);
  const answer = dispatcher.handle(body, caller, profile);
  if (answer instanceof Promise) throw new TypeError('the answer is a promise');
  return answer === undefined ? undefined : JSON.parse(String(answer));
}

/** Calls one method and gives the error of the response, or its result, which must fit its schema. */
export function call(dispatcher: Dispatcher, method: string, ...params: readonly unknown[]): unknown {
  return callBy({ client: '' }, dispatcher, method, ...params);
}

/** Does the same for a caller. */
export function callBy(
  caller: Caller,
  dispatcher: Dispatcher,
  method: string,
  ...params: readonly unknown[]
): unknown {
  const answer = answerOf(dispatcher, { jsonrpc: '2.0', id: 1, method, params }, caller);
  if (typeof answer !== 'object' || answer === null) return answer;
  if (!('result' in answer)) return Reflect.get(answer, 'error');
  deepEqual(problemsOfResult(method, answer.result), []);
  return answer.result;
}

/** Calls one method of `/ethereum` and gives the error of the response, or its result, which must fit its schema. */
export function ethereumCall(dispatcher: Dispatcher, method: string, ...params: readonly unknown[]): unknown {
  const request = { jsonrpc: '2.0', id: 1, method, params };
  const answer = answerOf(dispatcher, request, { client: '' }, 'ethereum');
  if (typeof answer !== 'object' || answer === null) return answer;
  if (!('result' in answer)) return Reflect.get(answer, 'error');
  deepEqual(problemsOfResult(method, answer.result, 'ethereum'), []);
  return answer.result;
}

/** Does the same for a method that may respond later. */
export async function ethereumAnswer(
  dispatcher: Dispatcher,
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = JSON.parse(String(await dispatcher.handle(body, { client: '' }, 'ethereum')));
  if (!('result' in answer)) return answer.error;
  deepEqual(problemsOfResult(method, answer.result, 'ethereum'), []);
  return answer.result;
}
