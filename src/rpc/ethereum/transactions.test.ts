import { describe, expect, test, vi } from 'vitest';
import { ethereumAddress, ethereumKey, sendBy, signedBy } from '../../ledger/ethereum.testing.ts';
import { nativeTransactionOf } from '../../ledger/index.ts';
import { accountAt, addressAt, keyAt, sign, transfer } from '../../ledger/ledger.testing.ts';
import {
  createAddress,
  encode,
  quantity,
  signEthereumTransaction,
  signedTransactionCodec,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { answerOf, call, ethereumAnswer, ethereumCall } from '../rpc.testing.ts';
import { type EthereumChain, LOGGING_CODE, openEthereumChain, word } from './chain.testing.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object that a method answers. */
function object({ dispatcher }: EthereumChain, method: string, ...params: readonly unknown[]): Fields {
  return ethereumCall(dispatcher, method, ...params) as Fields;
}

/** Creates the contract that logs; its address. */
function createLogging({ ledger }: EthereumChain): Uint8Array {
  const nonce = ledger.pool.pending.nonceOf(ethereumAddress(0));
  sendBy(0, ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n });
  return createAddress(ethereumAddress(0), nonce);
}

test('default: a sent transaction is found by the returned hash, on both profiles', async () => {
  const chain = await openEthereumChain();
  const { ledger, dispatcher } = chain;
  const raw = signedBy(0, ledger, { value: 7n });
  const hash = ethereumCall(dispatcher, 'eth_sendRawTransaction', toPrefixedHex(raw));
  const transaction = object(chain, 'eth_getTransactionByHash', hash);
  expect(transaction).toMatchObject({
    hash,
    blockNumber: '0x1',
    transactionIndex: '0x0',
    type: '0x2',
    from: toPrefixedHex(ethereumAddress(0)),
    to: toPrefixedHex(ethereumAddress(1)),
    nonce: '0x0',
    value: '0x7',
    gas: '0x5208',
    gasPrice: '0x4a817c800',
    maxFeePerGas: '0x4a817c800',
    maxPriorityFeePerGas: '0x2540be400',
    chainId: '0xff',
    accessList: [],
    input: '0x',
  });
  expect(transaction.v).toBe(transaction.yParity);
  expect(ethereumCall(dispatcher, 'eth_getRawTransactionByHash', hash)).toBe(toPrefixedHex(raw));
  expect(object(chain, 'eth_getTransactionReceipt', hash)).toMatchObject({
    transactionHash: hash,
    type: '0x2',
    status: '0x1',
    gasUsed: '0x5208',
    cumulativeGasUsed: '0x5208',
    effectiveGasPrice: '0x4a817c800',
    contractAddress: null,
    logs: [],
  });
  const answer = answerOf(dispatcher, {
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_getTransactionByHash',
    params: [hash],
  }) as { result: Fields };
  expect(answer.result).toMatchObject({ nonce: '0x0', gasPrice: '0x1', blockNumber: '0x1' });
  expect(answer.result.hash).not.toBe(hash);
  expect(object(chain, 'eth_getTransactionByHash', answer.result.hash)).toEqual(transaction);
});

test('behavior: a send that waits ends when another send of the same round replaces its transaction', async () => {
  const { ledger, dispatcher } = await openEthereumChain({ mining: 'manual' });
  const send = (fees: bigint, milliseconds: string) => {
    const raw = signedBy(0, ledger, {
      ...{ nonce: 0n, maxFeePerGas: 4n * fees, maxPriorityFeePerGas: fees },
    });
    const params = [toPrefixedHex(raw), milliseconds];
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransactionSync', params };
    return dispatcher.handle(JSON.stringify(request), undefined, 'ethereum');
  };
  const responses = await Promise.all([send(10n ** 10n, '0xea60'), send(10n ** 11n, '0x1')]);
  const errors = responses.map((response) => JSON.parse(String(response)).error.message);
  expect(errors).toEqual([
    'the transaction was dropped: the transaction was replaced by another one of its nonce',
    'no block came within 1 ms: the transaction stays pending',
  ]);
});

test('behavior: the first transaction of a chain may have a nonce gap', async () => {
  const { ledger, dispatcher } = await openEthereumChain({ mining: 'manual' });
  const raw = toPrefixedHex(signedBy(0, ledger, { nonce: 3n }));
  expect(ethereumCall(dispatcher, 'eth_sendRawTransaction', raw)).toMatch(/^0x[0-9a-f]{64}$/);
  expect(ethereumCall(dispatcher, 'txpool_status')).toEqual({ pending: '0x0', queued: '0x1' });
});

test('behavior: responses by hash are cached until a revert', async () => {
  const chain = await openEthereumChain();
  const hash = toPrefixedHex(sendBy(0, chain.ledger, { value: 7n }));
  const methods = ['eth_getTransactionByHash', 'eth_getTransactionReceipt'];
  const ask = () => methods.map((method) => object(chain, method, hash));
  const answers = ask();
  const findOperation = vi.spyOn(chain.ledger.pool, 'findOperation');
  expect(ask()).toEqual(answers);
  expect(findOperation).not.toHaveBeenCalled();
  chain.ledger.chain.revertTo(0);
  expect(ask()).toEqual([null, null]);
});

test('behavior: a creation has the address of its nonce, and logs have the hash of Ethereum', async () => {
  const chain = await openEthereumChain();
  const { ledger, dispatcher } = chain;
  const to = createLogging(chain) as ReturnType<typeof createAddress>;
  const creation = object(chain, 'eth_getTransactionByBlockNumberAndIndex', 'latest', '0x0');
  expect(creation.to).toBe(null);
  expect(object(chain, 'eth_getTransactionReceipt', creation.hash).contractAddress).toBe(toPrefixedHex(to));
  const filter = ethereumCall(dispatcher, 'eth_newFilter', {});
  const hash = toPrefixedHex(sendBy(1, ledger, { to, data: word(5), gas: 100_000n }));
  const receipt = object(chain, 'eth_getTransactionReceipt', hash);
  const logs = [
    { transactionHash: hash, address: toPrefixedHex(to), topics: [toPrefixedHex(word(5))], logIndex: '0x0' },
  ];
  expect(receipt).toMatchObject({ contractAddress: null, to: toPrefixedHex(to), logs });
  expect(ethereumCall(dispatcher, 'eth_getLogs', { fromBlock: '0x0' })).toMatchObject(logs);
  expect(ethereumCall(dispatcher, 'eth_getFilterChanges', filter)).toMatchObject(logs);
  const block = object(chain, 'eth_getBlockByNumber', 'latest', false);
  expect(block).toMatchObject({
    transactions: [hash],
    logsBloom: receipt.logsBloom,
    gasUsed: receipt.gasUsed,
  });
  const failed = toPrefixedHex(sendBy(1, ledger, { to, gas: 100_000n }));
  expect(object(chain, 'eth_getTransactionReceipt', failed)).toMatchObject({ status: '0x0', logs: [] });
});

test('behavior: receipts add up over a block, native operations included', async () => {
  const chain = await openEthereumChain({ mining: 'manual' });
  const { ledger, dispatcher } = chain;
  const hashes = [sendBy(0, ledger), sendBy(0, ledger, { value: 1n }), sendBy(1, ledger)].map(toPrefixedHex);
  ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 9n)], [keyAt(0)]));
  ledger.miner.mine();
  const block = object(chain, 'eth_getBlockByNumber', 'latest', true);
  const transactions = block.transactions as Fields[];
  expect(transactions.map(({ hash }) => hash)).toEqual(expect.arrayContaining(hashes));
  const native = transactions.find(({ r }) => r === '0x0');
  expect(native).toMatchObject({
    type: '0x0',
    from: toPrefixedHex(addressAt(0)),
    value: quantity(9n * 10n ** 10n),
    gasPrice: '0x2540be400',
    v: '0x0',
    s: '0x0',
  });
  const receipts = ethereumCall(dispatcher, 'eth_getBlockReceipts', 'latest') as Fields[];
  let sum = 0n;
  for (const { gasUsed, cumulativeGasUsed } of receipts) {
    sum += BigInt(String(gasUsed));
    expect(BigInt(String(cumulativeGasUsed))).toBe(sum);
  }
  expect(BigInt(String(block.gasUsed))).toBe(sum);
  expect(sum).toBe(3n * 21_000n + 20n);
});

describe('pending transactions', () => {
  test('default: executable ones are pending, and those after a nonce gap are queued', async () => {
    const chain = await openEthereumChain({ mining: 'manual' });
    const { ledger, dispatcher } = chain;
    const filter = ethereumCall(dispatcher, 'eth_newPendingTransactionFilter');
    const first = toPrefixedHex(sendBy(0, ledger, { value: 3n }));
    const third = toPrefixedHex(sendBy(0, ledger, { nonce: 2n }));
    const sender = toPrefixedHex(ethereumAddress(0));
    expect(ethereumCall(dispatcher, 'txpool_status')).toEqual({ pending: '0x1', queued: '0x1' });
    expect(ethereumCall(dispatcher, 'txpool_content')).toMatchObject({
      pending: { [sender]: { 0: { hash: first, blockHash: null, gasPrice: '0x4a817c800' } } },
      queued: { [sender]: { 2: { hash: third } } },
    });
    expect(ethereumCall(dispatcher, 'eth_getTransactionByHash', first)).toMatchObject({ blockNumber: null });
    expect(ethereumCall(dispatcher, 'eth_getTransactionReceipt', first)).toBe(null);
    expect(ethereumCall(dispatcher, 'eth_getTransactionCount', sender, 'latest')).toBe('0x0');
    expect(ethereumCall(dispatcher, 'eth_getTransactionCount', sender, 'pending')).toBe('0x1');
    expect(ethereumCall(dispatcher, 'eth_getFilterChanges', filter)).toContain(first);
    expect(ethereumCall(dispatcher, 'eth_getTransactionBySenderAndNonce', sender, '0x2')).toMatchObject({
      hash: third,
    });
    ledger.miner.mine();
    expect(ethereumCall(dispatcher, 'eth_getTransactionBySenderAndNonce', sender, '0x0')).toMatchObject({
      hash: first,
      blockNumber: '0x1',
    });
    expect(ethereumCall(dispatcher, 'eth_getTransactionCount', sender, 'latest')).toBe('0x1');
    expect(ethereumCall(dispatcher, 'eth_getTransactionCount', sender, '0x0')).toBe('0x0');
  });

  test('behavior: calls and estimates see them at the pending block', async () => {
    const chain = await openEthereumChain({ mining: 'manual' });
    const { ledger, dispatcher } = chain;
    const to = createLogging(chain) as ReturnType<typeof createAddress>;
    const request = {
      from: toPrefixedHex(ethereumAddress(1)),
      to: toPrefixedHex(to),
      data: toPrefixedHex(word(1)),
    };
    expect(ethereumCall(dispatcher, 'eth_getCode', request.to, 'latest')).toBe('0x');
    expect(await ethereumAnswer(dispatcher, 'eth_getCode', request.to, 'pending')).not.toBe('0x');
    const estimate = BigInt(String(await ethereumAnswer(dispatcher, 'eth_estimateGas', request)));
    expect(estimate).toBeGreaterThan(40_000n);
    ledger.miner.mine();
    const hash = toPrefixedHex(sendBy(1, ledger, { to, data: word(1), gas: estimate }));
    ledger.miner.mine();
    expect(object(chain, 'eth_getTransactionReceipt', hash)).toMatchObject({
      status: '0x1',
      gasUsed: quantity(estimate),
    });
  });
});

describe('balances', () => {
  test('default: a transfer costs its value and the gas at its price, and past balances remain readable', async () => {
    const { ledger, dispatcher } = await openEthereumChain();
    const sender = toPrefixedHex(ethereumAddress(0));
    const at = (block: unknown): bigint =>
      BigInt(String(ethereumCall(dispatcher, 'eth_getBalance', sender, block)));
    sendBy(0, ledger, { value: 123n });
    expect(at('0x0') - at('latest')).toBe(123n + 21_000n * 2n * 10n ** 10n);
    expect(at({ blockNumber: '0x0' })).toBe(at('earliest'));
  });

  test('error: insufficient funds are reported in wei, and on / in units', async () => {
    const { ledger, dispatcher } = await openEthereumChain();
    const from = ethereumAddress(0);
    sendBy(0, ledger, { value: 1n });
    const have = ledger.accounts.weiBalanceOf(from);
    const request = {
      from: toPrefixedHex(from),
      to: toPrefixedHex(ethereumAddress(1)),
      value: quantity(have + 1n),
    };
    const message = `insufficient funds for gas * price + value: address ${toPrefixedHex(from)} have`;
    const inWei = `${message} ${have} want ${have + 1n}`;
    for (const [method, text] of [
      ['eth_call', `err: ${inWei} (supplied gas 50000000)`],
      ['eth_estimateGas', inWei],
    ] as const) {
      expect(ethereumCall(dispatcher, method, request)).toMatchObject({ code: -32000, message: text });
    }
    const units = have / 10n ** 10n;
    expect(call(dispatcher, 'eth_call', { ...request, value: quantity(units + 1n) })).toMatchObject({
      message: expect.stringContaining(`${message} ${units} want ${units + 1n} (Ethereum's tools use`),
    });
  });

  test('behavior: a transfer is estimated at 21,000 gas, also to an unused address', async () => {
    const { dispatcher } = await openEthereumChain();
    const request = {
      from: toPrefixedHex(ethereumAddress(0)),
      to: `0x${'ee'.repeat(20)}`,
      value: '0x1',
      networkId: 5,
    };
    expect(ethereumCall(dispatcher, 'eth_estimateGas', request)).toBe('0x5208');
  });
});

describe('refused', () => {
  test("error: in geth's words", async () => {
    const { ledger, dispatcher } = await openEthereumChain();
    const send = (raw: Uint8Array): unknown =>
      ethereumCall(dispatcher, 'eth_sendRawTransaction', toPrefixedHex(raw));
    const raw = signedBy(0, ledger);
    send(raw);
    const messageOf = (bytes: Uint8Array): string => String((send(bytes) as { message: string }).message);
    expect(messageOf(signedBy(0, ledger, { nonce: 0n, value: 1n }))).toMatch(/^nonce too low/);
    expect(messageOf(raw)).toMatch(/^already known|^nonce too low/);
    expect(messageOf(signedBy(0, ledger, { chainId: 1n }))).toMatch(/^invalid chain id/);
    expect(messageOf(signedBy(0, ledger, { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }))).toMatch(
      /^max fee per gas less than block base fee/,
    );
    expect(messageOf(signedBy(0, ledger, { value: 10n ** 30n }))).toMatch(/^insufficient funds for gas/);
    expect(messageOf(Uint8Array.of(3, 0xc0))).toMatch(/transaction type not supported/);
  });

  test('error: one that is signed for every chain, also in a native transaction around it', async () => {
    const { ledger, dispatcher } = await openEthereumChain();
    const shared = { nonce: 0n, gasPrice: 10n ** 10n, gas: 21_000n, data: new Uint8Array() };
    const fields = { ...shared, type: 'legacy', chainId: undefined, to: addressAt(0), value: 1n } as const;
    const unprotected = signEthereumTransaction(fields, ethereumKey(0));
    const carrying = encode(signedTransactionCodec, nativeTransactionOf(unprotected));
    const refusal = {
      code: -32000,
      message: 'only replay-protected (EIP-155) transactions allowed over RPC',
    };
    expect(ethereumCall(dispatcher, 'eth_sendRawTransaction', toPrefixedHex(unprotected))).toEqual(refusal);
    expect(call(dispatcher, 'eth_sendRawTransaction', toPrefixedHex(carrying))).toEqual(refusal);
    expect([ledger.blocks.head().number, ledger.pool.pendingCount]).toEqual([0, 0]);
    const raw = toPrefixedHex(encode(signedTransactionCodec, nativeTransactionOf(signedBy(0, ledger))));
    expect(call(dispatcher, 'eth_sendRawTransaction', raw)).toMatch(/^0x/);
    expect(ledger.blocks.head().number).toBe(1);
  });

  test('error: native bytes, with a hint', async () => {
    const { ledger, dispatcher } = await openEthereumChain();
    const native = sign(ledger, [transfer(0, accountAt(1), 9n)], [keyAt(0)]);
    const raw = toPrefixedHex(encode(signedTransactionCodec, native));
    expect(ethereumCall(dispatcher, 'eth_sendRawTransaction', raw)).toEqual({
      code: -32000,
      message:
        'this is a native transaction, and /ethereum accepts Ethereum transactions: send it to / of this node',
    });
  });
});

test('behavior: a call that reverts answers with its data', async () => {
  const chain = await openEthereumChain();
  const to = toPrefixedHex(createLogging(chain));
  expect(ethereumCall(chain.dispatcher, 'eth_call', { to })).toEqual({
    code: 3,
    message: 'execution reverted',
    data: '0x',
  });
  const overrides = { [to]: { code: '0x600160005260206000f3' } };
  expect(ethereumCall(chain.dispatcher, 'eth_call', { to }, 'latest', overrides)).toBe(
    toPrefixedHex(word(1)),
  );
});

// The codes and messages are those of ethereum/execution-apis, src/error-groups.
test.each<[string, Parameters<typeof signedBy>[2], number, string]>([
  ['intrinsic gas', { gas: 20_000n }, 800, 'Intrinsic gas too low / Intrinsic gas exceeds gas limit'],
  [
    'tip above the fee cap',
    { maxPriorityFeePerGas: 10n ** 18n },
    804,
    'Max priority fee per gas higher than max fee per gas',
  ],
  [
    'fee cap below the base fee',
    { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
    806,
    'Max fee per gas less than block base fee',
  ],
  ['funds', { value: 10n ** 40n }, 809, 'Insufficient funds for gas * price + value'],
  ['another chain', { chainId: 7n }, 1001, 'Invalid sender'],
])(
  "error: data of a refusal for %s is its group's error, on /ethereum alone",
  async (_, fields, code, message) => {
    const { ledger, dispatcher } = await openEthereumChain();
    const raw = toPrefixedHex(signedBy(0, ledger, fields));
    expect(ethereumCall(dispatcher, 'eth_sendRawTransaction', raw)).toMatchObject({
      code: -32000,
      data: { code, message },
    });
  },
);

test("error: data of a known transaction is its group's error", async () => {
  const { ledger, dispatcher } = await openEthereumChain();
  ledger.miner.stopMining();
  const raw = toPrefixedHex(signedBy(0, ledger));
  ethereumCall(dispatcher, 'eth_sendRawTransaction', raw);
  expect(ethereumCall(dispatcher, 'eth_sendRawTransaction', raw)).toMatchObject({
    code: -32000,
    data: { code: 1000, message: 'Already known transaction' },
  });
  const native = toPrefixedHex(
    encode(signedTransactionCodec, sign(ledger, [transfer(0, accountAt(1), 10n ** 18n)], [keyAt(0)])),
  );
  expect(call(dispatcher, 'eth_sendRawTransaction', native)).not.toHaveProperty('data');
});

test('args: bytes without 0x and an empty text are DATA on /, and not on /ethereum, as in geth', async () => {
  const { ledger, dispatcher } = await openEthereumChain();
  const native = encode(signedTransactionCodec, sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
  expect(call(dispatcher, 'eth_sendRawTransaction', toPrefixedHex(native).slice(2))).toMatch(/^0x/);
  const to = toPrefixedHex(addressAt(1));
  expect(call(dispatcher, 'eth_call', { to: to.slice(2), data: '' })).toBe('0x');
  for (const params of [
    [to.slice(2), 'latest'],
    [{ to, data: '' }, 'latest'],
  ]) {
    const method = params[0] === to.slice(2) ? 'eth_getBalance' : 'eth_call';
    expect(ethereumCall(dispatcher, method, ...params)).toMatchObject({ code: -32602 });
  }
});

test('error: eth_getLogs beyond the head, in the words of geth', async () => {
  const { dispatcher } = await openEthereumChain();
  expect(ethereumCall(dispatcher, 'eth_getLogs', { fromBlock: '0x0', toBlock: '0x9' })).toEqual({
    code: -32602,
    message: expect.stringMatching(/block range extends beyond current head block: 0x9 > 0x0$/),
  });
});
