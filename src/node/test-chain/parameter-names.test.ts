import { afterAll, beforeAll, expect, test } from 'vitest';
import { AMOUNT_MAX } from '../../consensus.ts';
import { DEFAULT_ETHEREUM, type TestNode } from '../index.ts';
import { ALICE, call, callEthereum, closeNodes, startNode } from './test-chain.testing.ts';

const BACKWARDS = { fromBlock: '0x2', toBlock: '0x1' };
const RANGE = 'invalid block range params: fromBlock 0x2 is after toBlock 0x1';
const WRONG_CHAIN = { to: ALICE, from: ALICE, chainId: '0x1' };
const NOT_THIS = 'chainId: expected 31337, the id of this chain, got 1';
const TOO_MANY = `expected at most ${Number.MAX_SAFE_INTEGER}, got ${2n ** 64n - 1n}`;
const NOT_SIGNED = 'transaction.ref_block_num at byte 0: needs 2 bytes, 1 are left';

/** An account of a key that the node signs for at `/ethereum`. */
const KEY_ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const TYPED = {
  types: { EIP712Domain: [], T: [{ name: 'n', type: 'uint256' }] },
  primaryType: 'T',
  domain: {},
  message: {},
};
const UNFIT = 'invalid typed data: message.n: expected a value of type uint256';

/** Calls that are wrong in what only the handler finds out, the parameter that is wrong, and what is said of it. */
type Wrong = readonly [method: string, given: readonly unknown[], index: number, problem: string];

const OF_BOTH: readonly Wrong[] = [
  ['eth_getLogs', [BACKWARDS], 0, RANGE],
  ['eth_newFilter', [BACKWARDS], 0, RANGE],
  ['anvil_setNonce', [ALICE, '0xffffffffffffffff'], 1, TOO_MANY],
  [
    'anvil_loadState',
    ['0x00'],
    0,
    'neither a ledgerd archive nor a state dump of anvil (JSON with "accounts", or gzip of it)',
  ],
];

const OF_LEDGER: readonly Wrong[] = [
  ['eth_signTypedData_v4', [ALICE, TYPED], 1, UNFIT],
  ['eth_call', [WRONG_CHAIN], 0, NOT_THIS],
  ['eth_sendTransaction', [WRONG_CHAIN], 0, NOT_THIS],
  ['trace_callMany', [[[WRONG_CHAIN, ['trace']]]], 0, `0.0.${NOT_THIS}`],
  ['anvil_reorg', [1, [[WRONG_CHAIN, 0]]], 1, `0.0.${NOT_THIS}`],
  ['anvil_reorg', [1, [['0x00', 0]]], 1, `0.0: ${NOT_SIGNED}`],
  ['eth_sendRawTransaction', ['0x00'], 0, NOT_SIGNED],
  ['trace_rawTransaction', ['0x00', ['trace']], 0, NOT_SIGNED],
  [
    'eth_sendTransaction',
    [{ from: ALICE, to: ALICE, value: '0x8000000000000000' }],
    0,
    `value: expected at most ${AMOUNT_MAX} native units, got ${AMOUNT_MAX + 1n}`,
  ],
];

const OF_ETHEREUM: readonly Wrong[] = [['eth_signTypedData_v4', [KEY_ACCOUNT, TYPED], 1, UNFIT]];

let node: TestNode;

beforeAll(async () => {
  node = await startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM });
  await call(node, 'anvil_mine', 1);
});

afterAll(closeNodes);

interface Description {
  readonly methods: readonly {
    readonly name: string;
    readonly params: readonly { readonly name: string }[];
  }[];
}

/** The names of the parameters of each method, as the interface describes them. */
async function namesAt(ask: typeof call): Promise<ReadonlyMap<string, readonly string[]>> {
  const { methods } = (await ask(node, 'rpc_discover')) as Description;
  return new Map(methods.map(({ name, params }) => [name, params.map((parameter) => parameter.name)]));
}

test('error: at /, messages contain the parameter number, its documented name and the path in it', async () => {
  const names = await namesAt(call);
  for (const [method, given, index, problem] of [...OF_BOTH, ...OF_LEDGER]) {
    const place = `parameter ${index + 1} (${names.get(method)?.[index]})`;
    expect([method, await call(node, method, ...given)]).toEqual([
      method,
      { code: -32602, message: `invalid ${place}: ${problem}` },
    ]);
  }
});

test('error: at /ethereum, messages use the word and the index of geth, and the same name and path', async () => {
  const names = await namesAt(callEthereum);
  for (const [method, given, index, problem] of [...OF_BOTH, ...OF_ETHEREUM]) {
    const place = `argument ${index} (${names.get(method)?.[index]})`;
    expect([method, await callEthereum(node, method, ...given)]).toEqual([
      method,
      { code: -32602, message: `invalid ${place}: ${problem}` },
    ]);
  }
});
