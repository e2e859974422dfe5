import { describe, expect, test } from 'vitest';
import { ethereumAddress, sendBy } from '../../src/ledger/ethereum.testing.ts';
import { accountAt, addressAt, keyAt, sign, transfer } from '../../src/ledger/ledger.testing.ts';
import {
  type Address,
  createAddress,
  hexToBytes,
  keccak256,
  toPrefixedHex,
} from '../../src/protocol/index.ts';
import {
  type EthereumChain,
  LOGGING_CODE,
  openEthereumChain,
  word,
} from '../../src/rpc/ethereum/chain.testing.ts';
import { call, ethereumCall } from '../../src/rpc/rpc.testing.ts';
import { openStore } from '../../src/store/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A chain whose second block called the contract that logs. */
async function loggingChain(options?: Parameters<typeof openEthereumChain>[0]) {
  const chain = await openEthereumChain(options);
  const contract = createAddress(ethereumAddress(0), 0n);
  sendBy(0, chain.ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n });
  const written = sendBy(0, chain.ledger, { to: contract, data: word(7), gas: 100_000n });
  const reverted = sendBy(0, chain.ledger, { to: contract, data: new Uint8Array(0), gas: 100_000n });
  return { ...chain, contract, written: toPrefixedHex(written), reverted: toPrefixedHex(reverted) };
}

const ask = ({ dispatcher }: EthereumChain, method: string, ...params: readonly unknown[]): unknown =>
  ethereumCall(dispatcher, method, ...params);

describe('debug_traceTransaction', () => {
  test('default: every step', async () => {
    const chain = await loggingChain();
    const trace = ask(chain, 'debug_traceTransaction', chain.written) as Fields & {
      structLogs: readonly Fields[];
    };
    expect(trace).toMatchObject({ failed: false, returnValue: '0x' });
    expect(trace.structLogs[0]).toEqual({
      pc: 0,
      op: 'CALLDATASIZE',
      gas: 78_860,
      gasCost: 2,
      depth: 1,
      stack: [],
    });
    const store = trace.structLogs.find(({ op }) => op === 'SSTORE');
    expect(store).toMatchObject({
      stack: ['0x7', '0x7', '0x0'],
      gasCost: 22_100,
      storage: { [`0x${'00'.repeat(32)}`]: `0x${'00'.repeat(31)}07` },
    });
    expect(trace.structLogs.at(-1)).toMatchObject({ op: 'STOP', gasCost: 0 });
  });

  test('behavior: callTracer with logs, excluding those of a failed call', async () => {
    const chain = await loggingChain();
    const config = { tracer: 'callTracer', tracerConfig: { withLog: true } };
    expect(ask(chain, 'debug_traceTransaction', chain.written, config)).toMatchObject({
      from: toPrefixedHex(ethereumAddress(0)),
      to: toPrefixedHex(chain.contract),
      gas: '0x186a0',
      input: toPrefixedHex(word(7)),
      type: 'CALL',
      value: '0x0',
      logs: [
        {
          address: toPrefixedHex(chain.contract),
          topics: [toPrefixedHex(word(7))],
          index: '0x0',
          position: '0x0',
        },
      ],
    });
    const failed = ask(chain, 'debug_traceTransaction', chain.reverted, config) as Fields;
    expect(failed).toMatchObject({ error: 'execution reverted' });
    expect(failed).not.toHaveProperty('logs');
  });

  test('behavior: traces use the historical state, on both profiles', async () => {
    const chain = await loggingChain();
    const config = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
    const before = ask(chain, 'debug_traceTransaction', chain.written, config);
    sendBy(0, chain.ledger, { to: chain.contract, data: word(9), gas: 100_000n });
    expect(ask(chain, 'debug_traceTransaction', chain.written, config)).toEqual(before);
    expect(call(chain.dispatcher, 'debug_traceTransaction', chain.written, config)).toEqual(before);
    expect(before).toMatchObject({
      pre: { [toPrefixedHex(ethereumAddress(0))]: { nonce: 1 } },
      post: {
        [toPrefixedHex(ethereumAddress(0))]: { nonce: 2 },
        [toPrefixedHex(chain.contract)]: { storage: { [`0x${'00'.repeat(32)}`]: `0x${'00'.repeat(31)}07` } },
      },
    });
  });

  test('behavior: a native operation is one call', async () => {
    const chain = await openEthereumChain();
    const { hash } = chain.ledger.pool.submit(
      sign(chain.ledger, [transfer(0, accountAt(1), 5n)], [keyAt(0)]),
    );
    const config = { tracer: 'callTracer' };
    expect(ask(chain, 'debug_traceTransaction', toPrefixedHex(hash), config)).toEqual({
      from: toPrefixedHex(addressAt(0)),
      to: toPrefixedHex(addressAt(1)),
      gas: '0x14',
      gasUsed: '0x14',
      input: '0x',
      value: '0xba43b7400',
      type: 'CALL',
    });
    expect(ask(chain, 'debug_traceTransaction', toPrefixedHex(hash))).toEqual({
      gas: 20,
      failed: false,
      returnValue: '0x',
      structLogs: [],
    });
  });

  test('error: transactions and blocks that cannot be traced', async () => {
    const chain = await loggingChain({ store: openStore({ durable: false, undoBlocks: 1 }) });
    for (let block = 0; block < 40; block += 1) chain.ledger.miner.mine();
    const hash = `0x${'12'.repeat(32)}`;
    const messageOf = (method: string, ...params: readonly unknown[]): unknown =>
      (ask(chain, method, ...params) as Fields).message;
    expect(messageOf('debug_traceTransaction', hash)).toBe('transaction not found');
    expect(messageOf('debug_traceTransaction', chain.written)).toMatch(
      /^the state of block 1 is not stored \(--undo-blocks \d+\)$/,
    );
    expect(messageOf('debug_traceBlockByNumber', '0x999')).toBe('block #2457 not found');
    expect(messageOf('debug_traceBlockByHash', hash)).toBe(`block ${hash} not found`);
    expect(ask(chain, 'debug_traceTransaction', hash, { tracer: 'stateGasTracer' })).toMatchObject({
      code: -32602,
      message: expect.stringContaining('unknown tracer "stateGasTracer"'),
    });
  });

  test('error: larger than it may be, and longer', async () => {
    const chain = await openEthereumChain();
    // JUMPDEST PUSH0 JUMP
    const [request, stateOverrides] = [
      { to: `0x${'77'.repeat(20)}`, gas: '0x2faf080' },
      { [`0x${'77'.repeat(20)}`]: { code: '0x5b5f56' } },
    ];
    expect(ask(chain, 'debug_traceCall', request, 'latest', { stateOverrides })).toMatchObject({
      code: -32005,
      message: expect.stringContaining('the trace exceeds the limit of 16777216 bytes (--trace-bytes)'),
    });
    const config = { stateOverrides, timeout: '10ms', limit: 1, tracer: 'prestateTracer' };
    expect(ask(chain, 'debug_traceCall', request, 'latest', config)).toMatchObject({
      code: -32000,
      message: 'execution timeout',
    });
  });
});

test('behavior: each operation of a block is traced on the state after the previous ones', async () => {
  const chain = await openEthereumChain({ mining: 'manual' });
  const contract = createAddress(ethereumAddress(0), 0n);
  const hashes = [
    sendBy(0, chain.ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n, nonce: 0n }),
    sendBy(0, chain.ledger, { to: contract, data: word(7), gas: 100_000n, nonce: 1n }),
    sendBy(0, chain.ledger, { to: contract, data: word(8), gas: 100_000n, nonce: 2n }),
  ].map(toPrefixedHex);
  chain.ledger.miner.mine();
  const traces = ask(chain, 'debug_traceBlockByNumber', 1, { tracer: 'callTracer' }) as readonly Fields[];
  expect(traces.map(({ txHash }) => txHash)).toEqual(hashes);
  const all = ask(chain, 'trace_filter', { toAddress: [toPrefixedHex(contract)] }) as readonly Fields[];
  expect(all.map(({ transactionHash }) => transactionHash)).toEqual(hashes);
  expect(ask(chain, 'trace_transaction', hashes[1])).toEqual([all[1]]);
  expect(ask(chain, 'trace_get', hashes[1], [])).toEqual(all[1]);
  expect(ask(chain, 'trace_get', hashes[1], ['0x0'])).toBeNull();
  expect(ask(chain, 'trace_replayTransaction', hashes[2], ['stateDiff'])).toMatchObject({
    trace: [],
    vmTrace: null,
    stateDiff: {
      [toPrefixedHex(contract)]: {
        balance: '=',
        code: '=',
        nonce: '=',
        storage: {
          [`0x${'00'.repeat(32)}`]: { '*': { from: toPrefixedHex(word(7)), to: toPrefixedHex(word(8)) } },
        },
      },
    },
  });
});

describe('the outermost call of trace_*', () => {
  interface Outermost {
    readonly action: { readonly gas: string };
    readonly result: { readonly gasUsed: string };
  }
  const gasOf = ([outermost]: readonly Outermost[]): readonly number[] => [
    Number(outermost?.action.gas),
    Number(outermost?.result.gasUsed),
  ];

  /** The gas of the outermost call of an included transaction, by every method that shows it. */
  function gasByMethod(chain: EthereumChain, hash: string, request: object) {
    const { blockNumber } = ask(chain, 'eth_getTransactionReceipt', hash) as Fields;
    const before = `0x${(Number(blockNumber) - 1).toString(16)}`;
    const traceOf = (results: unknown) => gasOf((results as { trace: readonly Outermost[] }).trace);
    const listOf = (calls: unknown) => gasOf(calls as readonly Outermost[]);
    const [many] = ask(chain, 'trace_callMany', [[request, ['trace']]], before) as readonly unknown[];
    const [replayed] = ask(chain, 'trace_replayBlockTransactions', blockNumber, [
      'trace',
    ]) as readonly unknown[];
    return {
      transaction: listOf(ask(chain, 'trace_transaction', hash)),
      get: listOf([ask(chain, 'trace_get', hash, [])]),
      block: listOf(ask(chain, 'trace_block', blockNumber)),
      filter: listOf(ask(chain, 'trace_filter', { fromBlock: blockNumber, toBlock: blockNumber })),
      replay: traceOf(ask(chain, 'trace_replayTransaction', hash, ['trace'])),
      replayBlock: traceOf(replayed),
      call: traceOf(ask(chain, 'trace_call', request, ['trace'], before)),
      callMany: traceOf(many),
      geth: listOf(ask(chain, 'debug_traceTransaction', hash, { tracer: 'flatCallTracer' })),
    };
  }

  /** The same figures by all methods of Parity; geth's tracer has those of the transaction. */
  const figures = (call: readonly number[], transaction: readonly number[]) => {
    const methods = ['transaction', 'get', 'block', 'filter', 'replay', 'replayBlock', 'call', 'callMany'];
    return { ...Object.fromEntries(methods.map((method) => [method, call])), geth: transaction };
  };

  test('behavior: no intrinsic gas, and no refund', async () => {
    const chain = await openEthereumChain();
    const { ledger } = chain;
    const from = toPrefixedHex(ethereumAddress(0));
    const send = (to: Address | undefined, input: string, gas: bigint) => {
      const bytes = hexToBytes(input);
      const hash = toPrefixedHex(sendBy(0, ledger, { to, data: bytes, gas }));
      const request = {
        from,
        data: toPrefixedHex(bytes),
        gas: `0x${gas.toString(16)}`,
        ...(to && { to: toPrefixedHex(to) }),
      };
      return gasByMethod(chain, hash, request);
    };
    expect(send(ethereumAddress(1), '', 50_000n)).toEqual(figures([29_000, 0], [50_000, 21_000]));
    // Its constructor stores 1 in slot 0 and returns code that stores the first word of its input there.
    const creation = '60015f55645f355f55005f526005601bf3';
    const made = createAddress(ethereumAddress(0), 1n);
    const creationGas = 23_122;
    const created = send(undefined, creation, 200_000n);
    const [, used = 0] = created.geth;
    expect(created).toEqual(figures([200_000 - (used - creationGas), creationGas], [200_000, used]));
    // Clearing the slot takes 5,007 gas and refunds 4,800.
    expect(send(made, '', 100_000n)).toEqual(figures([79_000, 5_007], [100_000, 21_000 + 5_007 - 4_800]));
  });

  test('behavior: of a transaction before it is sent', async () => {
    const chain = await openEthereumChain({ mining: 'manual' });
    const hash = toPrefixedHex(sendBy(0, chain.ledger, { to: ethereumAddress(1), gas: 50_000n }));
    const raw = ask(chain, 'eth_getRawTransactionByHash', hash);
    const { trace } = ask(chain, 'trace_rawTransaction', raw, ['trace']) as { trace: readonly Outermost[] };
    expect(gasOf(trace)).toEqual([29_000, 0]);
  });
});

test('behavior: a block without transactions has no traces, the genesis included', async () => {
  const chain = await loggingChain({ store: openStore({ durable: false, undoBlocks: 1 }) });
  for (let block = 0; block < 40; block += 1) chain.ledger.miner.mine();
  const emptyOf = (number: number): readonly (readonly [string, ...unknown[]])[] => {
    const { hash } = ask(chain, 'eth_getBlockByNumber', number, false) as Fields;
    return [
      ['debug_traceBlockByNumber', number],
      ['debug_traceBlockByNumber', number, { tracer: 'callTracer' }],
      ['debug_traceBlockByHash', hash],
      ['trace_block', number],
      ['trace_replayBlockTransactions', number, ['trace', 'stateDiff', 'vmTrace']],
      ['trace_filter', { fromBlock: number, toBlock: number }],
    ];
  };
  // The state before the blocks after the third is not stored, and not needed.
  for (const request of [...emptyOf(0), ...emptyOf(5), ...emptyOf(40)]) {
    const [method, ...parameters] = request;
    expect([request, ask(chain, method, ...parameters)]).toEqual([request, []]);
    expect([request, call(chain.dispatcher, method, ...parameters)]).toEqual([request, []]);
  }
});

test('behavior: slots of a contract within a block', async () => {
  const chain = await loggingChain();
  const block = ask(chain, 'eth_getBlockByNumber', '0x2', false) as Fields;
  const rangeBefore = (index: number): unknown =>
    ask(chain, 'debug_storageRangeAt', block.hash, index, toPrefixedHex(chain.contract), '0x0', 10);
  expect(rangeBefore(0)).toEqual({ storage: {}, nextKey: null });
  expect(rangeBefore(1)).toEqual({
    storage: {
      '0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563': {
        key: toPrefixedHex(word(0)),
        value: toPrefixedHex(word(7)),
      },
    },
    nextKey: null,
  });
  expect(ask(chain, 'debug_storageRangeAt', block.hash, 1, toPrefixedHex(chain.contract), '0x0', 0)).toEqual({
    storage: {},
    nextKey: toPrefixedHex(word(0)),
  });
});

test('behavior: an account within a block, and code by its hash', async () => {
  const chain = await loggingChain();
  const address = toPrefixedHex(ethereumAddress(0));
  const infoAt = (block: unknown, index: number, of = address): unknown =>
    ask(chain, 'debug_accountInfoAt', block, index, of);
  expect(infoAt('0x2', 0)).toEqual({
    balance: ask(chain, 'eth_getBalance', address, '0x2'),
    nonce: '0x2',
    code: '0x',
  });
  const { hash } = ask(chain, 'eth_getBlockByNumber', '0x1', false) as Fields;
  const code = ask(chain, 'eth_getCode', toPrefixedHex(chain.contract));
  expect(infoAt(hash, 0, toPrefixedHex(chain.contract))).toEqual({ balance: '0x0', nonce: '0x1', code });
  expect(infoAt('0x2', 1)).toMatchObject({
    message: 'transaction index 1 out of range for block 2',
  });
  expect(infoAt('0x0', 0)).toMatchObject({ message: 'genesis is not traceable' });
  const codeHash = toPrefixedHex(keccak256(hexToBytes(String(code).slice(2))));
  expect(ask(chain, 'debug_codeByHash', codeHash, 'latest')).toBe(code);
  expect(ask(chain, 'debug_codeByHash', toPrefixedHex(word(1)))).toBeNull();
});

test('behavior: the accounts that differ after two blocks', async () => {
  const chain = await loggingChain();
  const [sender, contract] = [toPrefixedHex(ethereumAddress(0)), toPrefixedHex(chain.contract)];
  const between = (...numbers: readonly number[]): unknown =>
    ask(chain, 'debug_getModifiedAccountsByNumber', ...numbers);
  const hashOf = (number: number): unknown =>
    (ask(chain, 'eth_getBlockByNumber', number, false) as Fields).hash;
  expect(between(2)).toEqual(expect.arrayContaining([sender, contract]));
  // What failed has left nothing behind but what its sender paid.
  expect(between(3)).toContain(sender);
  expect(between(3)).not.toContain(contract);
  expect(between(1, 3)).toEqual(between(2));
  expect(ask(chain, 'debug_getModifiedAccountsByHash', hashOf(1), hashOf(3))).toEqual(between(1, 3));
  expect(ask(chain, 'debug_getModifiedAccountsByHash', hashOf(3))).toEqual(between(3));
  expect(between(2, 2)).toMatchObject({
    code: -32000,
    message: 'start block height (2) must be less than end block height (2)',
  });
  expect(between(0)).toMatchObject({ message: 'genesis is not traceable' });
  expect(between(9)).toMatchObject({ message: 'block #9 not found' });
});

test('behavior: bytes of a transaction, a block, a header and receipts', async () => {
  const chain = await loggingChain();
  expect(ask(chain, 'debug_getRawTransaction', chain.written)).toBe(
    ask(chain, 'eth_getRawTransactionByHash', chain.written),
  );
  expect(ask(chain, 'debug_getRawTransaction', `0x${'12'.repeat(32)}`)).toBe('0x');
  const block = String(ask(chain, 'debug_getRawBlock', 2));
  expect(block.startsWith(String(ask(chain, 'debug_getRawHeader', 2)))).toBe(true);
  expect(ask(chain, 'debug_getRawReceipts', 2)).toHaveLength(1);
});

test('behavior: a signed transaction before it is sent', async () => {
  const chain = await loggingChain();
  const raw = ask(chain, 'eth_getRawTransactionByHash', chain.written);
  expect(ask(chain, 'trace_rawTransaction', raw, ['trace'])).toMatchObject({
    code: -32000,
    message: expect.stringContaining('nonce too low'),
  });
  expect(hexToBytes(String(raw).slice(2)).length).toBeGreaterThan(100);
});
