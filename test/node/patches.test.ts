import { encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestNode, type TestNode, type TestNodeOptions } from '../../src/library/index.ts';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';

const ALICE = '0x0000000000000000000000000000000000000400';
const BOB = '0x0000000000000000000000000000000000000401';
const ANYWHERE = '0x1111111111111111111111111111111111111111';
/** Answers the balance of the address that the call data has. */
const BALANCE_READER = '0x5f353160005260206000f3';
/** Answers 42. */
const ANSWERING = '0x602a60005260206000f3';

let token: CompiledContract;
const nodes: TestNode[] = [];

beforeAll(async () => {
  token = await compileContract('Token');
});

afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
});

async function start(options: TestNodeOptions = {}): Promise<TestNode> {
  const node = await startTestNode(options);
  nodes.push(node);
  return node;
}

type Call = (method: string, ...params: unknown[]) => Promise<unknown>;

const caller =
  (node: TestNode): Call =>
  (method, ...params) =>
    node.provider.request({ method, params });

const failure = (call: Call, method: string, ...params: unknown[]): Promise<unknown> =>
  call(method, ...params).then(
    (result) => ({ result }),
    ({ code, message }) => `${code} ${message}`,
  );

describe('balances', () => {
  test('default: several balances are set at once, and amounts are added', async () => {
    const call = caller(await start());
    expect(await call('tenderly_setBalance', [ALICE, ANYWHERE], '0x64')).toBeNull();
    expect(await call('tenderly_addBalance', [ALICE, ALICE, ANYWHERE], 5)).toBeNull();
    const balances = [await call('eth_getBalance', ALICE), await call('eth_getBalance', ANYWHERE)];
    expect([balances, await call('eth_blockNumber')]).toEqual([['0x6e', '0x69'], '0x0']);
    expect(await call('anvil_setBalance', [], '0x1')).toBeNull();
  });

  test('error: a balance above the maximum is rejected with the limit and the value', async () => {
    const call = caller(await start());
    const limit = '9223372036854775807 native units, the maximum of an account';
    expect(await failure(call, 'anvil_setBalance', ALICE, '0x8ac7230489e80000')).toBe(
      `-32602 invalid parameter 2 (balance): expected at most ${limit}, got 10000000000000000000`,
    );
    expect(await failure(call, 'anvil_addBalance', [BOB, ALICE], '0x7fffffffffffffff')).toBe(
      `-32602 invalid parameter 2 (amount): ${BOB} would have 9323372036854775807 native units, and an account can ` +
        'hold at most 9223372036854775807',
    );
    const most = '0x7fffffffffffffff';
    await call('anvil_setBalance', ALICE, most);
    expect(await failure(call, 'anvil_setBalance', BOB, most)).toContain(
      '-32000 all balances together would be',
    );
    expect(await call('eth_getBalance', ALICE)).toBe(most);
  });

  test('error: the EVM address of an account', async () => {
    const call = caller(await start());
    const key = `0x${'5'.repeat(64)}` as const;
    await call('personal_importRawKey', key, '');
    const reference = privateKeyToAddress(key);
    for (const [method, ...further] of [
      ['anvil_setBalance', '0x1'],
      ['anvil_setCode', ANSWERING],
      ['anvil_setStorageAt', '0x0', '0x1'],
      ['anvil_setNonce', '0x1'],
    ] as const) {
      expect(await failure(call, method, reference, ...further)).toMatch(
        /^-32000 .*is the EVM address of the account .*: give that address$/,
      );
    }
  });
});

describe('code, storage and counts', () => {
  test('default: code set at an empty address is a contract', async () => {
    const call = caller(await start());
    expect(await call('hardhat_setCode', ANYWHERE, ANSWERING)).toBeNull();
    expect(await call('eth_call', { to: ANYWHERE }, 'latest')).toBe(`0x${'2a'.padStart(64, '0')}`);
    const hash = await call('eth_sendTransaction', { from: ALICE, to: ANYWHERE, gas: '0x186a0' });
    expect(await call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1', to: ANYWHERE });
    expect(await call('hardhat_setCode', ANYWHERE, '')).toBeNull();
    expect(await call('eth_getCode', ANYWHERE)).toBe('');
    expect(await failure(call, 'hardhat_setCode', ALICE, ANSWERING)).toContain(
      '-32000 an account has no code',
    );
  });

  test('default: more code than a creation may leave', async () => {
    const call = caller(await start());
    const code = `${ANSWERING}${'5b'.repeat(100_000)}`;
    await call('anvil_setCode', ANYWHERE, code);
    expect(await call('eth_call', { to: ANYWHERE }, 'latest')).toBe(`0x${'2a'.padStart(64, '0')}`);
    expect(await call('eth_getCode', ANYWHERE)).toBe(code);
    expect(await failure(call, 'anvil_setCode', ANYWHERE, `0x${'00'.repeat(1024 * 1024 + 1)}`)).toContain(
      '-32602 invalid parameter 2 (code): expected at most 1048576 bytes of code, got 1048577',
    );
  });

  test('default: a set nonce increases with each sent transaction', async () => {
    const call = caller(await start());
    expect(await call('anvil_setNonce', ALICE, '0x10')).toBeNull();
    await call('eth_sendTransaction', { from: ALICE, to: BOB, value: '0x1' });
    expect(await call('eth_getTransactionCount', ALICE)).toBe('0x11');
    await call('anvil_setNonce', ALICE, 2);
    expect(await call('eth_getTransactionCount', ALICE)).toBe('0x2');
    expect(await failure(call, 'anvil_setNonce', ALICE, '0xffffffffffffffff')).toContain('-32602 ');
  });

  test('error: setting a nonce with the history plugin off', async () => {
    const call = caller(await start({ settings: { 'no-history': true } }));
    const result = await failure(call, 'anvil_setNonce', ALICE, '0x1');
    expect(result).toContain('-32000 the history plugin is off');
  });
});

describe('ERC-20', () => {
  async function deploy(call: Call): Promise<Hex> {
    const { abi, bytecode } = token;
    const data = encodeDeployData({ abi, bytecode, args: ['Token', 'TKN', 1_000n] });
    const hash = await call('eth_sendTransaction', { from: ALICE, data, gas: '0x2dc6c0' });
    const receipt = (await call('eth_getTransactionReceipt', hash)) as { contractAddress: Hex };
    return receipt.contractAddress;
  }

  const ask = async (call: Call, to: Hex, functionName: string, ...args: Hex[]): Promise<bigint> =>
    BigInt(
      String(
        await call(
          'eth_call',
          { to, data: encodeFunctionData({ abi: token.abi, functionName, args }) },
          'latest',
        ),
      ),
    );

  test('default: balances and allowances', async () => {
    const call = caller(await start());
    const address = await deploy(call);
    expect(await call('anvil_dealERC20', BOB, address, '0x4d2')).toBeNull();
    expect(await call('anvil_setERC20Balance', ANYWHERE, address, '0x7')).toBeNull();
    expect(await call('anvil_setERC20Allowance', ALICE, BOB, address, '0x9')).toBeNull();
    // What it answers already is not searched for.
    expect(await call('anvil_dealERC20', BOB, address, '0x4d2')).toBeNull();
    expect(await ask(call, address, 'balanceOf', BOB)).toBe(1_234n);
    expect(await ask(call, address, 'balanceOf', ANYWHERE)).toBe(7n);
    expect(await ask(call, address, 'allowance', ALICE, BOB)).toBe(9n);
    expect(await ask(call, address, 'balanceOf', ALICE)).toBe(1_000n);
    expect(await call('eth_blockNumber')).toBe('0x1');
  });

  test('error: no token, and none with such a slot', async () => {
    const call = caller(await start());
    expect(await failure(call, 'anvil_dealERC20', BOB, ALICE, '0x1')).toBe(
      `-32000 there is no contract at ${ALICE}`,
    );
    await call('anvil_setCode', ANYWHERE, ANSWERING);
    expect(await failure(call, 'anvil_dealERC20', BOB, ANYWHERE, '0x1')).toBe('-32000 No slot found');
  });
});

describe('with workers', () => {
  test('behavior: after a patch is acknowledged no worker responds from the previous state', async () => {
    const node = await start({ workers: 2 });
    const call = caller(node);
    while (!/^ledgerd_workers 2$/m.test(await (await fetch(`${node.url}/metrics`)).text())) {
      await new Promise(setImmediate);
    }
    await call('anvil_setCode', ANYWHERE, BALANCE_READER);
    const data = `0x${BOB.slice(2).padStart(64, '0')}`;
    for (let round = 1; round <= 40; round += 1) {
      await call('anvil_setBalance', BOB, round);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => call('eth_call', { to: ANYWHERE, data }, 'latest')),
      );
      expect(answers.map(Number)).toEqual(Array.from(answers, () => round));
    }
  });
});

describe('filters and other chains', () => {
  test('behavior: a patch is no block', async () => {
    const call = caller(await start());
    const filters = await Promise.all([call('eth_newBlockFilter'), call('eth_newFilter', {})]);
    await call('anvil_setBalance', ALICE, '0x64');
    await call('anvil_setCode', ANYWHERE, ANSWERING);
    expect(await Promise.all(filters.map((id) => call('eth_getFilterChanges', id)))).toEqual([[], []]);
  });

  test('behavior: a dump brings patches and clock along', async () => {
    const [from, to] = [caller(await start()), caller(await start())];
    await from('anvil_setBalance', ALICE, '0x64');
    await from('eth_sendTransaction', { from: BOB, to: ALICE, value: '0x1' });
    await from('anvil_setCode', ANYWHERE, ANSWERING);
    await from('hardhat_setPrevRandao', '0x2a');
    await from('evm_increaseTime', 5_000);
    expect(await to('anvil_loadState', await from('anvil_dumpState'))).toBe(true);
    const seen = async (call: Call): Promise<unknown> => [
      await call('eth_getBlockByNumber', 'latest', true),
      await call('eth_getBalance', ALICE),
      await call('eth_getCode', ANYWHERE),
      await call('evm_increaseTime', 0),
    ];
    expect(await seen(to)).toEqual(await seen(from));
    await to('evm_mine');
    expect(await to('eth_getBlockByNumber', 'latest', false)).toMatchObject({
      mixHash: `0x${'2a'.padStart(64, '0')}`,
    });
  });
});
