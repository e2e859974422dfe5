import { describe, expect, test } from 'vitest';
import type { BlockSummary, Ledger, LedgerQueries } from '../../ledger/index.ts';
import { hexToBytes, toBlockId } from '../../protocol/index.ts';
import type { Caller, ChainControl } from '../index.ts';
import {
  ADDRESS,
  answerOf,
  ethereumCall,
  type LedgerStub,
  stubControl,
  stubDispatcher,
  stubLedger,
} from '../rpc.testing.ts';
import { openEthereumChain } from './chain.testing.ts';

const WEI_PER_UNIT = 10n ** 10n;
const PRICES = { baseFee: WEI_PER_UNIT, excessBlobGas: 0n };
const RULES = {
  weiPerUnit: WEI_PER_UNIT,
  fees: { type: 'fixed', price: WEI_PER_UNIT },
} as Ledger['parameters']['rules'];
const HEAD = { number: 7, id: toBlockId(hexToBytes('ab'.repeat(20))) } as BlockSummary;

/** A ledger with Ethereum that has only what a test gives it. */
function stubEthereum(members: LedgerStub = {}): Ledger {
  return stubLedger({
    parameters: { knowsEthereum: true, rules: RULES },
    pool: {
      prices: { order: 'fees', minGasPrice: 0n, suggestedTip: 0n },
      pending: {
        isEmpty: true,
        chain: { accounts: { weiBalanceOf: () => 15n }, history: { onReorg: () => () => undefined } },
      } as unknown as Ledger['pool']['pending'],
    },
    blocks: {
      head: () => HEAD,
      blockByNumber: (number) => (number <= HEAD.number ? { ...HEAD, number } : undefined),
      blockById: () => undefined,
    },
    prices: { of: () => ({ ...PRICES, blobGasUsed: 0n }), next: () => PRICES, ofBlobGas: () => 1n },
    ...members,
    history: { oldestState: 3, ...members.history },
  });
}

const dispatcher = stubDispatcher({ ledger: stubEthereum() });

/** Sends a request to `/ethereum`. */
function ask(request: unknown, caller?: Caller): unknown {
  return answerOf(dispatcher, request, caller, 'ethereum');
}

describe('a chain without Ethereum', () => {
  const plain = stubDispatcher();
  const error = {
    code: -32601,
    message:
      'this chain accepts no Ethereum transactions, and has no methods here: `ledgerd start --root ethereum` starts ' +
      'a test chain that does, `ledgerd init --ethereum` creates a persistent one; its methods are at /ledger',
  };

  test('error: every request', () => {
    for (const method of ['eth_chainId', 'eth_sendRawTransaction', 'rpc_discover', 'nothing']) {
      expect(ethereumCall(plain, method)).toEqual(error);
    }
    const [one, other] = ['a', 'b'].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }));
    expect(answerOf(plain, [one, { ...other, id: undefined }, other], undefined, 'ethereum')).toEqual([
      { jsonrpc: '2.0', id: 'a', error },
      { jsonrpc: '2.0', id: 'b', error },
    ]);
  });

  test('behavior: an invalid request is a parse error here, too', () => {
    expect(answerOf(plain, '{', undefined, 'ethereum')).toMatchObject({ error: { code: -32700 } });
  });
});

describe('shapes', () => {
  test('default: the shapes that Ethereum clients expect, with native ones still served at /', () => {
    expect(ethereumCall(dispatcher, 'eth_chainId')).toBe('0xff');
    expect(ethereumCall(dispatcher, 'net_version')).toBe('255');
    expect(ethereumCall(dispatcher, 'eth_gasPrice')).toBe('0x2540be400');
    expect(ethereumCall(dispatcher, 'eth_maxPriorityFeePerGas')).toBe('0x0');
    expect(ethereumCall(dispatcher, 'eth_blobBaseFee')).toBe('0x1');
    expect(ethereumCall(dispatcher, 'web3_clientVersion')).toBe('anvil/v1.7.1-ledgerd-1.2.3');
    expect(ethereumCall(dispatcher, 'eth_getUncleCountByBlockNumber', 'latest')).toBe('0x0');
    expect(ethereumCall(dispatcher, 'eth_accounts')).toEqual([]);
    expect(answerOf(dispatcher, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' })).toMatchObject({
      result: 255,
    });
  });

  test('behavior: a node outside test mode does not identify itself as anvil', () => {
    const node = stubDispatcher({ ledger: stubEthereum(), wallet: undefined, control: undefined });
    expect(ethereumCall(node, 'web3_clientVersion')).toBe('ledgerd/v1.2.3');
    expect(ethereumCall(node, 'evm_mine')).toMatchObject({ code: -32601 });
  });

  test('behavior: control of a test chain answers as anvil does', () => {
    const control: Partial<ChainControl> = { mine: () => undefined, increaseTime: () => 60 };
    const mined = stubDispatcher({ ledger: stubEthereum(), control: stubControl(control) });
    expect(ethereumCall(mined, 'evm_mine')).toBe('0x0');
    expect(ethereumCall(mined, 'evm_increaseTime', 60)).toBe(60);
    expect(ethereumCall(mined, 'hardhat_mine', '0x2')).toBe(null);
  });
});

describe('parameters', () => {
  const balances = stubDispatcher({ ledger: stubEthereum({ accounts: { weiBalanceOf: () => 12n } }) });

  test('default: more of them do no harm', () => {
    expect(ethereumCall(balances, 'eth_getBalance', ADDRESS, 'latest', 'more', {})).toBe('0xc');
    expect(ethereumCall(balances, 'eth_getBalance', ADDRESS)).toBe('0xc');
  });

  test("error: in geth's words", () => {
    expect(ethereumCall(balances, 'eth_getBalance')).toEqual({
      code: -32602,
      message: 'missing value for required argument 0 (address)',
    });
    expect(ethereumCall(balances, 'eth_getBalance', '0x12', 'latest')).toEqual({
      code: -32602,
      message: 'invalid argument 0 (address): expected 20 bytes of 0x-prefixed hex, got 1 byte',
    });
  });

  test('error: the checks of geth on a transaction object', () => {
    const problem = (request: object): unknown => ethereumCall(dispatcher, 'eth_call', request);
    expect(problem({ gasPrice: '0x1', maxFeePerGas: '0x1' })).toEqual({
      code: -32000,
      message: 'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
    });
    expect(problem({ chainId: '0x1' })).toEqual({
      code: -32000,
      message: "chainId does not match node's (have=1, want=255)",
    });
  });
});

describe('eth_feeHistory', () => {
  const ask = async (...parameters: readonly unknown[]): Promise<unknown> =>
    ethereumCall((await openEthereumChain()).dispatcher, 'eth_feeHistory', ...parameters);

  test('args: no blocks, in the form of geth, whatever the newest one is', async () => {
    const nothing = { oldestBlock: '0x0', gasUsedRatio: null };
    expect(await ask('0x0', 'latest', [10, 50])).toEqual(nothing);
    expect(await ask(0, '0x63')).toEqual(nothing);
  });

  // FeeHistory of geth's eth/gasprice/feehistory.go.
  test.each([
    [[50, 50], '#0:50.000000 >= #1:50.000000'],
    [[1, 9.5, 3], '#1:9.500000 >= #2:3.000000'],
    [[0, 100.5], '100.500000'],
    [[-1], '-1.000000'],
  ])('error: percentiles that do not rise, or are out of range: %j', async (percentiles, problem) => {
    expect(await ask('0x1', 'latest', percentiles)).toEqual({
      code: -32000,
      message: `invalid reward percentile: ${problem}`,
    });
    expect(await ask('0x1', 'latest', [0, 99.9, 100])).toMatchObject({ reward: [['0x0', '0x0', '0x0']] });
  });
});

describe('state by block', () => {
  const past = { accounts: { weiBalanceOf: () => 3n } } as unknown as LedgerQueries;
  const asked: number[] = [];
  const ledger = stubEthereum({
    accounts: { weiBalanceOf: () => 12n },
    history: {
      stateBefore: (block) => {
        asked.push(block);
        return past;
      },
    },
  });
  const balance = (block: unknown): unknown =>
    ethereumCall(stubDispatcher({ ledger }), 'eth_getBalance', ADDRESS, block);

  test('default: of the block that is named', () => {
    expect(['latest', 'safe', 'finalized', '0x7', { blockNumber: '0x7' }].map(balance)).toEqual(
      new Array(5).fill('0xc'),
    );
    expect(balance('pending')).toBe('0xf');
    expect(balance('0x3')).toBe('0x3');
    expect(asked).toEqual([4]);
  });

  test('error: an unknown block, and one whose state is pruned', () => {
    expect(balance('0x8')).toEqual({ code: -32000, message: 'header not found' });
    expect(balance({ blockHash: `0x${'00'.repeat(32)}` })).toEqual({
      code: -32000,
      message: 'header for hash not found',
    });
    expect(balance('0x2')).toEqual({
      code: -32000,
      message:
        'missing trie node: the state of block 2 is not stored, only that of blocks 3 to 7 (--undo-blocks)',
    });
  });
});

test('behavior: batches and notifications work as on /', () => {
  const request = { jsonrpc: '2.0', method: 'eth_chainId' };
  expect(ask([request, { ...request, id: 5 }])).toEqual([{ jsonrpc: '2.0', id: 5, result: '0xff' }]);
  expect(ask(request)).toBeUndefined();
});

test('error: an unknown method, with the reason if one is documented', () => {
  expect(ethereumCall(dispatcher, 'eth_resend')).toEqual({
    code: -32601,
    message:
      'the method eth_resend is not implemented: send a transaction of the same nonce with a higher fee',
  });
  expect(ethereumCall(dispatcher, 'nothing')).toEqual({
    code: -32601,
    message: 'the method nothing does not exist/is not available',
  });
});
