import { describe, expect, test } from 'vitest';
import { ethereumAddress, ethereumGenesis, MOVING_FEES, sendBy } from '../../ledger/ethereum.testing.ts';
import { type Ledger, PendingBlockUnmadeError } from '../../ledger/index.ts';
import { openTestLedger } from '../../ledger/ledger.testing.ts';
import { hexToBytes, quantity, toPrefixedHex } from '../../protocol/index.ts';
import { createDispatcher, type Dispatcher, type JobProcesses } from '../index.ts';
import { call, ethereumAnswer } from '../rpc.testing.ts';
import { openEthereumChain } from './chain.testing.ts';

const GWEI = 10n ** 9n;
const [SENDER, RECEIVER] = [0, 1].map((index) => toPrefixedHex(ethereumAddress(index)));
const ANYWHERE = '0x00000000000000000000000000000000000000ee';
/** Returns NUMBER, TIMESTAMP, BASEFEE and BLOBBASEFEE as four words. */
const ENVIRONMENT = '0x435f52426020524860405 24a60605260805ff3'.replace(' ', '');
const GENESIS = ethereumGenesis({ features: { ...MOVING_FEES, hasStateTrie: true } });

type Fields = Readonly<Record<string, string>>;

/** Returns a block as an object. */
async function blockAt(dispatcher: Dispatcher, tag: string): Promise<Fields> {
  return (await ethereumAnswer(dispatcher, 'eth_getBlockByNumber', tag, false)) as Fields;
}

/** Sends transfers with rising tips: a block has them in the reverse order. */
function sendTransfers(ledger: Ledger): void {
  for (const index of [0, 1, 2]) {
    sendBy(index, ledger, { value: 5n, maxPriorityFeePerGas: BigInt(index + 1) * GWEI });
  }
}

describe('the pending block', () => {
  test('default: without pending transactions it is an empty next block', async () => {
    const { dispatcher, ledger } = await openEthereumChain({ genesis: GENESIS });
    sendBy(0, ledger, { value: 5n });
    const head = await blockAt(dispatcher, 'latest');
    const pending = await blockAt(dispatcher, 'pending');
    expect(pending).toMatchObject({
      ...{ number: '0x2', parentHash: head.hash, gasUsed: '0x0', stateRoot: head.stateRoot },
      ...{ transactions: [], gasLimit: head.gasLimit },
    });
    const next = await ethereumAnswer(dispatcher, 'eth_baseFee');
    expect([pending.baseFeePerGas, pending.baseFeePerGas === head.baseFeePerGas]).toEqual([next, false]);
  });

  test('default: a block that is made at that moment has the same content', async () => {
    const { dispatcher, ledger } = await openEthereumChain({ genesis: GENESIS, mining: 'manual' });
    sendTransfers(ledger);
    const { hash: _none, nonce: _same, miner: _producer, ...pending } = await blockAt(dispatcher, 'pending');
    const receipts = (await ethereumAnswer(dispatcher, 'eth_getBlockReceipts', 'pending')) as object[];
    ledger.miner.mine();
    const { size, ...made } = await blockAt(dispatcher, 'latest');
    expect({ ...made, size }).toMatchObject(pending);
    const own = { blockHash: made.hash };
    expect(await ethereumAnswer(dispatcher, 'eth_getBlockReceipts', 'latest')).toEqual(
      receipts.map((receipt) => ({ ...receipt, ...own })),
    );
    expect(pending.transactions).toHaveLength(3);
  });

  test('behavior: it ends where the next block is full; the pool counts all nonces', async () => {
    // Each takes all of its gas: three fit into a block.
    const genesis = ethereumGenesis({ blockGasLimit: 3n * 5_600_000n });
    const { dispatcher, ledger } = await openEthereumChain({ genesis, mining: 'manual' });
    for (let count = 0; count < 5; count += 1) {
      sendBy(0, ledger, { to: undefined, data: hexToBytes('5b5f56'), gas: 5_600_000n });
    }
    const ask = (method: string, ...parameters: readonly unknown[]) =>
      ethereumAnswer(dispatcher, method, ...parameters, 'pending');
    expect(await ask('eth_getBlockTransactionCountByNumber')).toBe('0x3');
    expect(await ask('eth_getAccountInfo', SENDER)).toMatchObject({ nonce: '0x3' });
    expect(await ask('eth_getTransactionCount', SENDER)).toBe('0x5');
    ledger.miner.mine();
    expect(await ask('eth_getBlockTransactionCountByNumber')).toBe('0x2');
  });

  test('behavior: all calls see its number, time and prices, also with overrides', async () => {
    const { dispatcher, ledger, clock } = await openClocked();
    sendBy(0, ledger, { value: 5n });
    const ask = (method: string, ...parameters: readonly unknown[]) =>
      ethereumAnswer(dispatcher, method, ...parameters);
    const overrides = { [ANYWHERE]: { code: ENVIRONMENT } };
    for (const seconds of [0, 7]) {
      clock.time += seconds;
      const { number, timestamp, baseFeePerGas } = await blockAt(dispatcher, 'pending');
      const words = [number, timestamp, baseFeePerGas, '0x1'].map((word) =>
        BigInt(word ?? 0)
          .toString(16)
          .padStart(64, '0'),
      );
      const seen = `0x${words.join('')}`;
      // Without a price BASEFEE is 0, as in geth.
      const own = { from: SENDER, gasPrice: baseFeePerGas };
      const request = { ...own, to: ANYWHERE };
      expect(await ask('eth_call', request, 'pending', overrides)).toBe(seen);
      const config = { stateOverrides: overrides, tracer: 'callTracer' };
      expect(await ask('debug_traceCall', request, 'pending', config)).toMatchObject({ output: seen });
      const creation = { ...own, data: ENVIRONMENT };
      expect(await ask('trace_call', creation, ['trace'], 'pending')).toMatchObject({ output: seen });
      const guard = guardOf(words);
      expect(await ask('eth_estimateGas', { ...own, data: guard }, 'pending')).toEqual(
        expect.stringMatching(/^0x/),
      );
      expect(await ask('eth_createAccessList', { ...own, data: guard }, 'pending')).not.toHaveProperty(
        'error',
      );
    }
  });

  test('behavior: it follows the pool, the head, changes by tests, and reverts', async () => {
    const { dispatcher, ledger } = await openEthereumChain({ genesis: GENESIS, mining: 'manual' });
    const shown = async () => {
      const { number, transactions, baseFeePerGas } = await blockAt(dispatcher, 'pending');
      const balance = await ethereumAnswer(dispatcher, 'eth_getBalance', ANYWHERE, 'pending');
      return [number, transactions?.length, balance, Number(baseFeePerGas)];
    };
    const to = hexToBytes(ANYWHERE.slice(2)) as ReturnType<typeof ethereumAddress>;
    expect(await shown()).toEqual(['0x1', 0, '0x0', 1e9]);
    sendBy(0, ledger, { value: 5n, to });
    expect(await shown()).toEqual(['0x1', 1, '0x5', 1e9]);
    sendBy(0, ledger, { value: 5n, to });
    expect(await shown()).toEqual(['0x1', 2, '0xa', 1e9]);
    ledger.chain.patch(() => ({ type: 'baseFee', baseFee: 2n * GWEI }));
    expect(await shown()).toEqual(['0x1', 2, '0xa', 2e9]);
    ledger.miner.mine();
    expect(await shown()).toEqual(['0x2', 0, '0xa', expect.any(Number)]);
    ledger.chain.revertTo(0);
    expect(await shown()).toEqual(['0x1', 0, '0x0', 1e9]);
  });
});

describe('making it in slices', () => {
  test('default: an attempt has what was pending when it began, and a later one the rest', async () => {
    const { ledger } = await openEthereumChain({ genesis: GENESIS, mining: 'manual' });
    sendTransfers(ledger);
    const { pending: block } = ledger.pool;
    expect(block.make(1, 0)).toBe(false);
    sendBy(3, ledger, { value: 5n });
    let steps = 1;
    while (!block.make(1, 0)) steps += 1;
    expect(steps).toBeGreaterThan(2);
    const counts = [block.whileGiven(() => block.chain.blocks.head().operationCount)];
    while (!block.make(2, 0));
    counts.push(block.whileGiven(() => block.chain.blocks.head().operationCount));
    expect(counts).toEqual([3, 4]);
  });

  test('behavior: a new head begins it again', async () => {
    const { ledger } = await openEthereumChain({ genesis: GENESIS, mining: 'manual' });
    sendTransfers(ledger);
    const { pending: block } = ledger.pool;
    expect(block.make(1, 0)).toBe(false);
    ledger.miner.mine();
    while (!block.make(1, 0));
    const { number, operationCount } = block.whileGiven(() => block.chain).blocks.head();
    expect([number, operationCount]).toEqual([2, 0]);
  });

  test('behavior: a call waits for it while others are answered', async () => {
    const time = {
      now: () => {
        ticks += 4;
        return ticks;
      },
      after: () => () => undefined,
      wallNow: () => 0,
    };
    // Later than any moment to which a slice lasts: each has one step.
    let ticks = 1e12;
    const { ledger } = await openTestLedger({ genesis: GENESIS, mining: 'manual', time });
    sendTransfers(ledger);
    const dispatcher = createDispatcher({
      ledger,
      wallet: undefined,
      version: '1.2.3',
      limits: { timeSliceMsMax: 0 },
    });
    expect(() => ledger.pool.pending.chain).toThrow(PendingBlockUnmadeError);
    const waiting = ethereumAnswer(dispatcher, 'eth_getBlockTransactionCountByNumber', 'pending');
    const order: unknown[] = [];
    const both = [
      waiting.then((count) => order.push(count)),
      ethereumAnswer(dispatcher, 'eth_blockNumber').then((number) => order.push(number)),
    ];
    await Promise.all(both);
    expect(order).toEqual(['0x0', '0x3']);
  });
});

describe('who makes it', () => {
  test('default: calls that name it stay in the node, which alone has the pool', async () => {
    const { ledger } = await openTestLedger({ genesis: GENESIS, mining: 'manual' });
    sendTransfers(ledger);
    const jobs: string[] = [];
    const processes: JobProcesses = {
      ready: 1,
      hasCapacityFor: () => true,
      stepsBuilder: undefined,
      run: ({ call: { method } }, listener) => {
        jobs.push(method);
        queueMicrotask(() =>
          listener.onResult({
            ...{ response: '{"result":"0x0"}', outcome: 'result', milliseconds: 1, message: '' },
            ...{ revertData: undefined, failure: '' },
          }),
        );
      },
    };
    const dispatcher = createDispatcher(
      { ledger, wallet: undefined, version: '1.2.3' },
      undefined,
      processes,
    );
    const request = { from: SENDER, to: RECEIVER };
    for (const block of ['pending', { blockNumber: 'pending' }]) {
      await ethereumAnswer(dispatcher, 'eth_call', request, block);
      await ethereumAnswer(dispatcher, 'eth_estimateGas', request, block);
      await ethereumAnswer(dispatcher, 'debug_traceCall', request, block, { tracer: 'callTracer' });
      await ethereumAnswer(dispatcher, 'eth_getBlockReceipts', block);
    }
    // The state after the pending transactions is that of an estimate without a block.
    await ethereumAnswer(dispatcher, 'eth_estimateGas', request);
    expect(jobs).toEqual([]);
    await ethereumAnswer(dispatcher, 'debug_traceCall', request, 'latest', { tracer: 'callTracer' });
    expect(jobs).toEqual(['debug_traceCall']);
  });

  test('default: at the native interface pending is the latest block', async () => {
    const { dispatcher, ledger } = await openEthereumChain({ genesis: GENESIS, mining: 'manual' });
    sendTransfers(ledger);
    const [pending, latest] = ['pending', 'latest'].map((tag) =>
      call(dispatcher, 'eth_getBlockByNumber', tag, true),
    );
    expect(pending).toEqual(latest);
    expect(call(dispatcher, 'eth_getBlockTransactionCountByNumber', 'pending')).toBe('0x3');
    expect(call(dispatcher, 'eth_getLogs', { toBlock: 'pending' })).toEqual([]);
  });
});

/** Returns code that halts unless it sees these four words. */
function guardOf(words: readonly string[]): string {
  const checks = ['43', '42', '48', '4a'].map((opcode, index) => `${opcode}7f${words[index]}14`);
  // Each pushes whether they are equal; all of them multiplied, or else an invalid opcode.
  const length = checks.join('').length / 2 + 3;
  const end = quantity(length + 5)
    .slice(2)
    .padStart(4, '0');
  return `0x${checks.join('')}02020261${end}57fe5b00`;
}

/** Opens such a chain with a clock that the test moves. */
async function openClocked() {
  const { ledger, clock } = await openTestLedger({ genesis: GENESIS, mining: 'manual' });
  const limits = { timeSliceMsMax: Number.POSITIVE_INFINITY };
  return {
    ledger,
    clock,
    dispatcher: createDispatcher({ ledger, wallet: undefined, version: '1.2.3', limits }),
  };
}
