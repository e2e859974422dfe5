import { createRequire } from 'node:module';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, pad, stringToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestNode, type TestNode } from '../../src/library/index.ts';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { startFork } from '../fork/forked-pair.ts';
import { call } from '../rpc-client.js';

/** Tokens, proxies and names, on a chain with Ethereum by both profiles. */

const require = createRequire(import.meta.url);
const openZeppelin = (name: string): CompiledContract =>
  require(`@openzeppelin/contracts/build/contracts/${name}.json`);

const SLOTS = {
  implementation: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  proxiable: '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  zeppelin: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
} as const;
const RIGHT_TO_LEFT = '\u202e';
/** A call of `symbol()`: OpenZeppelin's proxies want one at their creation. */
const INIT = '0x95d89b41';
const NOBODY = `0x${'0'.repeat(40)}`;

interface Placed {
  readonly abi: Abi;
  readonly address: Hex;
}

let node: TestNode;
let url: string;
let alice: Hex;
let bob: Hex;
let token: Placed;
let art: Placed;
let items: Placed;
let vault: Placed;

beforeAll(async () => {
  node = await startTestNode({ ethereum: true });
  url = node.ethereumUrl ?? '';
  [alice, bob] = await call(url, 'eth_accounts');
  token = await deploy(await compileContract('Token'), 'Gold', 'GLD', 1_000n);
  art = await deploy(await compileContract('Standards', 'Art'));
  items = await deploy(await compileContract('Standards', 'Items'));
  vault = await deploy(await compileContract('Standards', 'Vault'), token.address);
  await send(token, 'transfer', bob, 300n);
  await send(token, 'transfer', alice, 5n);
  await send(art, 'mint', bob, 3n);
  await send(items, 'mint', bob, [7n, 8n], [70n, 80n]);
  await send(token, 'approve', vault.address, 100n);
  await send(vault, 'deposit', 100n, alice);
}, 120_000);

afterAll(() => node.stop());

async function deploy({ abi, bytecode }: CompiledContract, ...args: unknown[]): Promise<Placed> {
  const data = encodeDeployData({ abi, bytecode, args });
  const hash = await call(url, 'eth_sendTransaction', { from: alice, gas: '0x7a1200', data });
  const receipt = await call(url, 'eth_getTransactionReceipt', hash);
  expect(receipt).toMatchObject({ status: '0x1' });
  return { abi, address: receipt.contractAddress };
}

async function send({ abi, address }: Placed, functionName: string, ...args: unknown[]): Promise<void> {
  const data = encodeFunctionData({ abi, functionName, args });
  const hash = await call(url, 'eth_sendTransaction', { from: alice, to: address, gas: '0x4c4b40', data });
  expect(await call(url, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
}

/** Calls a method of both profiles, which return the same but for hashes; returns the result of `/ethereum`. */
async function both(method: string, ...params: readonly unknown[]) {
  const withoutHashes = (key: string, value: unknown) => (key === 'transactionHash' ? undefined : value);
  const native = JSON.stringify(await call(node.url, method, ...params), withoutHashes);
  const result = await call(url, method, ...params);
  expect(JSON.parse(JSON.stringify(result, withoutHashes))).toEqual(JSON.parse(native));
  return result;
}

const tokenAt = (address: Hex) => both('ledger_getToken', address);
const hex = (number: number): Hex => `0x${number.toString(16)}`;

describe('ledger_getToken', () => {
  test('default: tokens by their standards', async () => {
    const rest = { totalSupply: null, asset: null, assetsPerShare: null };
    expect(await tokenAt(token.address)).toEqual({
      ...rest,
      ...{ address: token.address, standard: 'ERC20', name: 'Gold', symbol: 'GLD', decimals: 18 },
      totalSupply: hex(1_000),
    });
    expect(await tokenAt(art.address)).toEqual({
      ...rest,
      ...{ address: art.address, standard: 'ERC721', name: 'Art', symbol: 'ART', decimals: null },
    });
    expect(await tokenAt(items.address)).toMatchObject({ standard: 'ERC1155', name: null, symbol: null });
    expect(await tokenAt(vault.address)).toMatchObject({
      ...{ standard: 'ERC4626', symbol: 'vTKN', asset: token.address, totalSupply: hex(100) },
      assetsPerShare: '0xde0b6b3a7640000',
    });
  });

  test('behavior: text of a stranger is cleaned and cut, decimals above 36 are none', async () => {
    const symbol = `${RIGHT_TO_LEFT.repeat(1_000)}A\u0000\u200bB\n C${'x'.repeat(2_000)}`;
    const stranger = await deploy(await compileContract('Standards', 'Stranger'), 255n, symbol);
    expect(await tokenAt(stranger.address)).toMatchObject({
      standard: 'ERC20',
      name: 'Maker',
      decimals: null,
    });
    const hidden = await deploy(await compileContract('Standards', 'Stranger'), 6n, RIGHT_TO_LEFT);
    expect(await tokenAt(hidden.address)).toMatchObject({ symbol: null, decimals: 6 });
    const long = await deploy(
      await compileContract('Standards', 'Stranger'),
      36n,
      `A\u202eB C${'x'.repeat(200)}`,
    );
    expect(await tokenAt(long.address)).toMatchObject({ symbol: `AB C${'x'.repeat(59)}…`, decimals: 36 });
  });

  test('behavior: null for other addresses, and for contracts that spend all gas or return one number', async () => {
    const greedy = await deploy(await compileContract('Standards', 'Greedy'));
    const yes = await deploy(await compileContract('Standards', 'Yes'));
    for (const address of [greedy.address, yes.address, bob, NOBODY as Hex]) {
      expect(await tokenAt(address)).toBeNull();
    }
    expect(await call(url, 'eth_getStorageAt', yes.address, '0x0', 'latest')).toBe(pad('0x'));
  });
});

describe('ledger_getTokenTransfers', () => {
  const transfers = (...params: readonly unknown[]) => both('ledger_getTokenTransfers', ...params);

  test('default: the newest transfers of an address first, page by page', async () => {
    const found = [];
    for (let before = null, isMore = true; isMore; ) {
      const page = await transfers({ address: bob }, before, 1);
      found.push(...page.transfers);
      before = page.next;
      isMore = before !== null;
    }
    expect(found).toMatchObject([
      {
        token: { symbol: null, standard: 'ERC1155' },
        from: NOBODY,
        to: bob,
        tokenId: '0x7',
        amount: hex(70),
      },
      { tokenId: '0x8', amount: hex(80) },
      { token: { symbol: 'ART' }, from: NOBODY, to: bob, tokenId: '0x3', amount: '0x1' },
      {
        token: { address: token.address, symbol: 'GLD' },
        from: alice,
        to: bob,
        tokenId: null,
        amount: hex(300),
      },
    ]);
    const [{ blockNumber, transactionHash, logIndex }] = found;
    const receipt = await call(url, 'eth_getTransactionReceipt', transactionHash);
    expect(receipt).toMatchObject({ blockNumber, logs: [{ logIndex }] });
  });

  test('args: token: its transfers alone, one to the sender itself once', async () => {
    const page = await transfers({ token: token.address });
    const amounts = page.transfers.map(({ amount }: { readonly amount: Hex }) => Number(amount));
    expect([amounts, page.next]).toEqual([[100, 5, 300, 1_000], null]);
    const own = await transfers({ token: token.address, address: bob });
    expect(own.transfers).toHaveLength(1);
    expect(await transfers({ token: vault.address, address: bob })).toEqual({ transfers: [], next: null });
  });

  test('behavior: events of a contract that does not answer as a token are left out', async () => {
    const greedy = await deploy(await compileContract('Standards', 'Greedy'));
    await send(greedy, 'claim', bob);
    expect(await transfers({ token: greedy.address })).toEqual({ transfers: [], next: null });
  });

  test('behavior: pages cover many blocks and blocks with many transfers', async () => {
    const many = await deploy(await compileContract('Standards', 'Items'));
    await call(url, 'anvil_mine', '0x400');
    const ids = Array.from({ length: 150 }, (_, index) => BigInt(index));
    await send(many, 'mint', bob, ids, ids);
    await call(url, 'anvil_mine', '0x400');
    await send(many, 'mint', bob, [1n], [2n]);
    const page = await transfers({ token: many.address }, null, 100);
    expect(page.transfers).toHaveLength(151);
    expect(page.transfers[0]).toMatchObject({ tokenId: '0x1', amount: '0x2' });
  });
});

describe('balances', () => {
  test('default: the tokens of an address', async () => {
    const { balances, complete } = await both('ledger_getTokenBalances', bob);
    expect(complete).toBe(true);
    const own = balances.filter((each: { readonly token: { readonly address: Hex } }) =>
      [token, art, items].some(({ address }) => address === each.token.address),
    );
    expect(own).toMatchObject([
      { token: { symbol: 'GLD' }, tokenId: null, balance: hex(300) },
      { token: { address: items.address }, tokenId: '0x8', balance: hex(80) },
      { token: { address: items.address }, tokenId: '0x7', balance: hex(70) },
      { token: { symbol: 'ART' }, tokenId: null, balance: '0x1' },
    ]);
  });

  test('default: the holders of a token, by its own balances', async () => {
    expect(await both('ledger_getTokenHolders', token.address)).toEqual({
      balances: [
        { holder: alice, tokenId: null, balance: hex(600) },
        { holder: bob, tokenId: null, balance: hex(300) },
        { holder: vault.address, tokenId: null, balance: hex(100) },
      ],
      complete: true,
    });
    await call(url, 'anvil_dealERC20', bob, token.address, hex(5_000));
    const { balances } = await both('ledger_getTokenHolders', token.address);
    expect(balances[0]).toEqual({ holder: bob, tokenId: null, balance: hex(5_000) });
    await call(url, 'anvil_dealERC20', bob, token.address, hex(300));
  });

  test('behavior: no log and no storage stays from the calls', async () => {
    const head = await call(url, 'eth_blockNumber');
    await both('ledger_getTokenHolders', items.address);
    expect(await call(url, 'eth_blockNumber')).toBe(head);
    expect(await both('ledger_getTokenHolders', NOBODY)).toEqual({ balances: [], complete: true });
  });
});

describe('ledger_getProxy', () => {
  const proxyAt = (address: Hex) => both('ledger_getProxy', address);
  const one = (address: Hex, proxyType: string, implementations: readonly Hex[], rest = {}) => ({
    proxies: [{ address, proxyType, implementations, admin: null, beacon: null, ...rest }],
    cycle: false,
  });

  test("default: OpenZeppelin's proxies", async () => {
    const plain = await deploy(openZeppelin('ERC1967Proxy'), token.address, INIT);
    expect(await proxyAt(plain.address)).toEqual(one(plain.address, 'EIP1967Proxy', [token.address]));
    const transparent = await deploy(openZeppelin('TransparentUpgradeableProxy'), token.address, bob, INIT);
    const { proxies } = await proxyAt(transparent.address);
    expect(proxies).toMatchObject([{ proxyType: 'EIP1967Proxy', admin: expect.stringMatching(/^0x/) }]);
    const beacon = await deploy(openZeppelin('UpgradeableBeacon'), token.address, alice);
    const behind = await deploy(openZeppelin('BeaconProxy'), beacon.address, INIT);
    expect(await proxyAt(behind.address)).toEqual(
      one(behind.address, 'EIP1967BeaconProxy', [token.address], { beacon: beacon.address }),
    );
  });

  const target = (bytes: number) => `0x${'0'.repeat(40 - 2 * bytes)}${'ab'.repeat(bytes)}` as Hex;
  test.each([
    ['ERC-1167', 20, (hex20: string) => `363d3d373d3d3d363d73${hex20}5af43d82803e903d91602b57fd5bf3`],
    ['a shorter PUSH', 18, (hex20: string) => `363d3d373d3d3d363d71${hex20}5af43d82803e903d91602957fd5bf3`],
    [
      'immutable arguments',
      20,
      (hex20: string) => `363d3d373d3d3d363d73${hex20}5af43d82803e903d91602b57fd5bf3cafe`,
    ],
    ['PUSH0', 20, (hex20: string) => `365f5f375f5f365f73${hex20}5af43d5f5f3e5f3d91602a57fd5bf3`],
    ['0age', 20, (hex20: string) => `3d3d3d3d363d3d37363d73${hex20}5af43d3d93803e602a57fd5bf3`],
  ])('default: a minimal proxy: %s', async (_name, bytes, codeOf) => {
    const at = `0x${'c1'.repeat(20)}` as Hex;
    await call(url, 'anvil_setCode', at, `0x${codeOf('ab'.repeat(bytes))}`);
    expect(await proxyAt(at)).toEqual(one(at, 'EIP1167Proxy', [target(bytes)]));
  });

  test.each([
    ['EIP1967Proxy', SLOTS.implementation],
    ['PROXIABLEProxy', SLOTS.proxiable],
    ['ZeppelinOSProxy', SLOTS.zeppelin],
  ] as const)('behavior: %s by its slot, if there is code', async (proxyType, slot) => {
    const yes = await deploy(await compileContract('Standards', 'Yes'));
    await call(url, 'anvil_setStorageAt', yes.address, slot, pad(bob));
    expect(await proxyAt(yes.address)).toBeNull();
    await call(url, 'anvil_setStorageAt', yes.address, slot, pad(token.address));
    expect(await proxyAt(yes.address)).toEqual(one(yes.address, proxyType, [token.address]));
  });

  test('behavior: a Safe, a diamond, and a delegated account', async () => {
    const shapes = await compileContract('Standards', 'Shapes');
    const safe = await deploy(shapes, token.address, []);
    expect(await proxyAt(safe.address)).toEqual(one(safe.address, 'GnosisSafeProxy', [token.address]));
    const diamond = await deploy(shapes, NOBODY, [token.address, art.address, bob]);
    expect(await proxyAt(diamond.address)).toEqual(
      one(diamond.address, 'DiamondProxy', [token.address, art.address]),
    );
    const delegated = `0x${'d1'.repeat(20)}` as Hex;
    await call(url, 'anvil_setCode', delegated, `0xef0100${token.address.slice(2)}`);
    expect(await proxyAt(delegated)).toEqual(one(delegated, 'EIP7702Account', [token.address]));
    expect(await both('ledger_describe', delegated)).toMatchObject({
      kind: 'delegatedAccount',
      implementation: token.address,
    });
  });

  test('behavior: a proxy that points at itself, and more levels than are followed', async () => {
    const loop = await deploy(openZeppelin('ERC1967Proxy'), token.address, INIT);
    await call(url, 'anvil_setStorageAt', loop.address, SLOTS.implementation, pad(loop.address));
    expect(await proxyAt(loop.address)).toEqual({
      ...one(loop.address, 'EIP1967Proxy', [loop.address]),
      cycle: true,
    });
    expect(await both('ledger_describe', loop.address)).toMatchObject({ kind: 'proxy' });
    let last = token.address;
    for (let level = 0; level < 5; level += 1) {
      const { address } = await deploy(openZeppelin('ERC1967Proxy'), token.address, INIT);
      await call(url, 'anvil_setStorageAt', address, SLOTS.implementation, pad(last));
      last = address;
    }
    expect((await proxyAt(last)).proxies).toHaveLength(3);
    expect(await proxyAt(token.address)).toBeNull();
  });
});

describe('ledger_describe', () => {
  const describing = (address: Hex) => both('ledger_describe', address);
  const ADDED = stringToHex('no').slice(2);

  test('default: names of tokens, proxies, preinstalled contracts and accounts', async () => {
    expect(await describing(token.address)).toEqual({
      ...{ kind: 'token', name: 'Gold', nameSource: 'token', symbol: 'GLD', implementation: null },
    });
    expect(await describing('0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed')).toMatchObject({
      ...{ kind: 'preinstalled', name: 'CreateX', nameSource: 'preinstalled' },
    });
    const account = await call(node.url, 'ledger_getAccount', '1.2.1024');
    expect(await describing(account.address)).toMatchObject({
      ...{ kind: 'account', name: account.account.name, nameSource: 'account' },
    });
    expect(await describing(`0x${ADDED.repeat(10)}`)).toMatchObject({ kind: 'other', name: null });
  });

  test('behavior: the name of an artifact, and of the code behind a proxy', async () => {
    const proxy = await deploy(openZeppelin('ERC1967Proxy'), art.address, INIT);
    await call(url, 'ledger_addArtifact', { name: 'Gallery', abi: art.abi, address: art.address });
    expect(await describing(art.address)).toMatchObject({
      name: 'Gallery',
      nameSource: 'artifact',
      symbol: 'ART',
    });
    expect(await describing(proxy.address)).toMatchObject({
      ...{ name: 'Gallery', nameSource: 'implementation', implementation: art.address },
    });
  });
});

// The node itself runs the queries of a fork, and refuses workers.
test.skipIf(process.env.LEDGERD_WORKERS !== undefined)(
  'behavior: a fork knows the contracts of the remote chain, and the transfers since',
  async () => {
    const forked = await startFork(url);
    onTestFinished(() => forked.stop());
    const there = forked.ethereumUrl ?? '';
    const known = await call(url, 'ledger_getToken', vault.address);
    expect(await call(there, 'ledger_getToken', vault.address)).toEqual(known);
    expect(await call(there, 'ledger_getTokenTransfers', { token: token.address })).toMatchObject({
      transfers: [],
    });
    const data = encodeFunctionData({ abi: token.abi, functionName: 'transfer', args: [bob, 1n] });
    await call(there, 'eth_sendTransaction', { from: alice, to: token.address, data });
    const before = Number(await call(url, 'eth_blockNumber'));
    expect(await call(there, 'ledger_getTokenTransfers', { address: bob })).toMatchObject({
      transfers: [{ from: alice, to: bob, amount: '0x1', blockNumber: hex(before + 1) }],
    });
    expect(await call(there, 'ledger_getTokenHolders', token.address)).toMatchObject({
      balances: [
        { holder: alice, balance: hex(599) },
        { holder: bob, balance: hex(301) },
      ],
    });
    expect(await call(there, 'ledger_describe', token.address)).toMatchObject({ name: 'Gold' });
  },
);
