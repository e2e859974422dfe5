import { afterAll, beforeAll, expect, test } from 'vitest';
import { invariant, toPrefixedHex } from '../../src/protocol/index.ts';
import { ETHEREUM_METHODS, METHODS, type ProfileId } from '../../src/rpc/index.ts';
import { problemsOfResult } from '../openrpc/result-check.ts';
import { validTransaction } from './native-transactions.ts';
import { DIFFERENCES, type Difference } from './profile-differences.ts';
import { Random } from './random.ts';
import { compileWorldContracts, openWorld, type World } from './world.ts';

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Methods that take away the snapshots by which the chain is taken back between two calls: these come last. */
const TAKES_SNAPSHOTS = new Set(['anvil_rollback', 'anvil_reorg', 'anvil_reset', 'anvil_loadState']);
const WEI_PER_UNIT = 10n ** 10n;
/** Fields that mean the same thing in the objects of both profiles. */
const SHARED_FIELDS = new Set([
  ...['number', 'timestamp', 'parentHash', 'blockHash', 'blockNumber', 'transactionIndex', 'address', 'from'],
  ...[
    'to',
    'contractAddress',
    'status',
    'topics',
    'code',
    'codeHash',
    'oldestBlock',
    'latestBlockHash',
    'head',
  ],
  ...['instanceId', 'operationCount', 'kind', 'isSender', 'openrpc'],
]);

let world: World;
let values: Readonly<Record<string, string>>;

beforeAll(async () => {
  world = await openWorld(await compileWorldContracts(), 'ethereum');
  const [from, to] = world.wallet.list().map((address) => toPrefixedHex(address));
  const [, token] = world.contracts;
  invariant(from !== undefined && to !== undefined && token !== undefined, 'a world begins with these');
  const sent = await call('ledger', 'eth_sendTransaction', [{ from, to, value: '0x5' }]);
  const block = await call('ledger', 'eth_getBlockByNumber', ['latest', false]);
  values = {
    ...{ $A: from, $B: to, $T: token.address, $D: world.dump },
    ...{ $H: String(sent.result), $K: String(Reflect.get(Object(block.result), 'hash')) },
    $R: validTransaction(new Random(1), world),
  };
});

afterAll(() => world.close());

async function call(profile: ProfileId, method: string, params: readonly unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return JSON.parse(String(await world.dispatcher.handle(body, world.caller, profile)));
}

/** Calls a method of both profiles on the same state. */
async function callBoth(method: string, params: readonly unknown[]): Promise<readonly [Answer, Answer]> {
  const text = JSON.stringify(params).replaceAll(/\$[A-Z]/g, (name: string) => values[name] ?? name);
  const answers: Answer[] = [];
  for (const profile of ['ledger', 'ethereum'] as const) {
    const snapshot = world.testChain.takeSnapshot();
    const answer = await call(profile, method, JSON.parse(text));
    if (!TAKES_SNAPSHOTS.has(method)) world.testChain.revertToSnapshot(snapshot, false);
    if (answer.error === undefined) expect(problemsOfResult(method, answer.result, profile)).toEqual([]);
    answers.push(answer);
  }
  const [native, ethereum] = answers;
  invariant(native !== undefined && ethereum !== undefined, 'each profile has answered');
  return [native, ethereum];
}

/** Compares what two objects say in fields that both have, at whatever depth. */
function expectSameFacts(native: unknown, ethereum: unknown): void {
  if (Array.isArray(native)) expect(ethereum).toHaveLength(native.length);
  for (const [key, member] of Object.entries(Object(native))) {
    const other: unknown = Reflect.get(Object(ethereum), key);
    if (other === undefined) continue;
    if (SHARED_FIELDS.has(key)) expect(other).toEqual(member);
    else if (typeof member === 'object') expectSameFacts(member, other);
  }
}

const NOT_FOUND = { code: -32601 };

const CHECKS: Readonly<Record<Difference, (native: Answer, ethereum: Answer) => void>> = {
  equal: (native, ethereum) => expect(ethereum).toEqual(native),
  unit: (native, ethereum) =>
    expect(BigInt(String(ethereum.result)) / WEI_PER_UNIT).toBe(BigInt(String(native.result))),
  shape: (native, ethereum) => {
    expect(native.result).toBeTypeOf('object');
    expect(ethereum.result).not.toEqual(native.result);
    expectSameFacts(native.result, ethereum.result);
  },
  value: (native, ethereum) => {
    expect([native.error, ethereum.error]).toEqual([undefined, undefined]);
    expect(ethereum.result).not.toEqual(native.result);
  },
  refused: (native, ethereum) => {
    expect(native.error).toBeUndefined();
    expect(ethereum.error).toMatchObject({ code: -32000 });
  },
  ledgerOnly: (native, ethereum) => {
    expect(native.error).not.toMatchObject(NOT_FOUND);
    expect(ethereum.error).toMatchObject(NOT_FOUND);
  },
  ethereumOnly: (native, ethereum) => {
    expect(native.error).toMatchObject(NOT_FOUND);
    expect(ethereum.error).not.toMatchObject(NOT_FOUND);
  },
};

const CASES = Object.entries(DIFFERENCES)
  .flatMap(([difference, methods]) =>
    Object.entries(methods).map(([name, params]) => ({ name, difference: difference as Difference, params })),
  )
  .sort((one, other) => Number(TAKES_SNAPSHOTS.has(one.name)) - Number(TAKES_SNAPSHOTS.has(other.name)));

test('behavior: every method of both profiles has its difference', () => {
  const methods = [...METHODS.values(), ...ETHEREUM_METHODS.values()];
  expect(CASES.map(({ name }) => name).sort()).toEqual([...new Set(methods.map(({ name }) => name))].sort());
});

test.each(CASES)('behavior: $name of both profiles: $difference', async ({ name, difference, params }) => {
  const [native, ethereum] = await callBoth(name, params);
  CHECKS[difference](native, ethereum);
});

const NEEDY = [...new Set(METHODS.values())].filter(
  ({ name, parameters: [first] }) =>
    first !== undefined && first.schema.isOptional !== true && ETHEREUM_METHODS.get(name)?.name === name,
);

test.each(NEEDY)(
  'error: $name without parameters, in the style of each profile',
  async ({ name, parameters }) => {
    expect((await call('ledger', name, [])).error).toEqual({
      code: -32602,
      message: `missing parameter 1 (${parameters[0]?.name})`,
    });
    expect((await call('ethereum', name, [])).error).toEqual({
      code: -32602,
      message: `missing value for required argument 0 (${ETHEREUM_METHODS.get(name)?.parameters[0]?.name})`,
    });
  },
);
