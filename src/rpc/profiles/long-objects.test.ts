import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { toEthereumReceipt, toReceipt } from '../../formatters/index.ts';
import { sendBy } from '../../ledger/ethereum.testing.ts';
import type { Ledger } from '../../ledger/index.ts';
import { accountAt, keyAt, sign, transfer } from '../../ledger/ledger.testing.ts';
import { hexToBytes, toPrefixedHex } from '../../protocol/index.ts';
import { MemoryBudget } from '../../scheduling/index.ts';
import { openEthereumChain } from '../ethereum/chain.testing.ts';
import { createDispatcher, type Dispatcher, type ProfileId } from '../index.ts';
import { RESPONSE_CHARACTERS_MAX, writtenInPieces } from '../json/text-in-pieces.ts';

/** Creation code of a contract that emits N logs without data or topics, where N is the word in its call data. */
const WRITING_CODE = hexToBytes('600e600a5f39600e5ff35f355b5f5fa0600190038060025700');
const LOGS = 250;
const WRITERS = 3;
const TRANSFERS = 40;

interface Chain {
  readonly ledger: Ledger;
  /** A dispatcher that runs each call in one time slice. */
  readonly patient: Dispatcher;
  /** Yields to other calls after each step. */
  readonly impatient: Dispatcher;
  readonly address: string;
}

let nextId = 0;

function request(method: string, ...params: readonly unknown[]): string {
  nextId += 1;
  return JSON.stringify({ jsonrpc: '2.0', id: nextId, method, params });
}

function answerer(ledger: Ledger, limits: { timeSliceMsMax: number; logsMax?: number }): Dispatcher {
  return createDispatcher({
    ledger,
    wallet: undefined,
    version: '1.2.3',
    limits: { logsMax: 100_000, ...limits },
  });
}

function wordOf(value: number): Uint8Array {
  return hexToBytes(value.toString(16).padStart(64, '0'));
}

/** A chain whose second block has operations with many logs, and native ones, and whose third block is small. */
async function openChain(): Promise<Chain> {
  const { ledger } = await openEthereumChain({ mining: 'manual' });
  sendBy(0, ledger, { to: undefined, data: WRITING_CODE, gas: 1_000_000n });
  ledger.miner.mine();
  const [creation] = ledger.blocks.blockTransactions(1);
  const to = ledger.blocks.receiptOf(1, creation?.index ?? 0)?.contractAddress;
  if (to === undefined) throw new Error('the contract was not created');
  for (let writer = 0; writer < WRITERS; writer += 1) {
    sendBy(0, ledger, { to, data: wordOf(LOGS), gas: 1_000_000n });
  }
  for (let amount = 1n; amount <= TRANSFERS; amount += 1n) {
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), amount)], [keyAt(0)]));
  }
  ledger.miner.mine();
  ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 99n)], [keyAt(0)]));
  ledger.miner.mine();
  const patient = answerer(ledger, { timeSliceMsMax: Number.POSITIVE_INFINITY });
  return { ledger, patient, impatient: answerer(ledger, { timeSliceMsMax: 0 }), address: toPrefixedHex(to) };
}

/** Calls that return the contents of a block or of a page of transactions. */
function reads({ ledger, address }: Chain): readonly (readonly [string, ...unknown[]])[] {
  const hash = toPrefixedHex(ledger.blocks.blockTransactions(2)[1]?.hash ?? new Uint8Array());
  return [
    ['eth_getBlockByNumber', 2, true],
    ['eth_getBlockByNumber', '0x2', false],
    ['eth_getBlockReceipts', '0x2'],
    ['eth_getTransactionReceipt', hash],
    ['ots_searchTransactionsBefore', address, 0, 25],
    ['ots_searchTransactionsAfter', address, 0, 25],
    ['ots_getBlockTransactions', '0x2', 0, 100],
    ['debug_getRawReceipts', '0x2'],
  ];
}

const PROFILES: readonly ProfileId[] = ['ledger', 'ethereum'];

async function ask(dispatcher: Dispatcher, profile: ProfileId, text: string, client = 'a'): Promise<string> {
  return String(await dispatcher.handle(text, { client }, profile));
}

describe('responses about whole blocks', () => {
  let chain: Chain;
  beforeEach(async () => {
    chain = await openChain();
  });

  test('behavior: other calls run while a response is written in steps, and the result is the same', async () => {
    const { patient, impatient, ledger } = chain;
    const small = toPrefixedHex(ledger.blocks.blockTransactions(3)[0]?.hash ?? new Uint8Array());
    for (const profile of PROFILES) {
      for (const [method, ...params] of reads(chain)) {
        const text = request(method, ...params);
        const order: string[] = [];
        const written = ask(impatient, profile, text).then((answer) => {
          order.push('long');
          return answer;
        });
        const short = ask(impatient, profile, request('eth_getTransactionReceipt', small), 'b');
        const quick = ask(impatient, profile, request('eth_blockNumber'), 'c').then((answer) => {
          order.push('quick');
          return answer;
        });
        const answer = await written;
        // The order of the others depends on the measured costs of earlier calls.
        expect([method, order]).toEqual([method, ['quick', 'long']]);
        expect(await quick).toContain('"0x3"');
        expect(await short).toContain('"result":{');
        expect(answer).toBe(await ask(patient, profile, text));
        expect(answer).toContain('"result"');
      }
    }
  });

  test('behavior: a receipt with many logs is the same as one written in one step', async () => {
    const { patient, ledger } = chain;
    for (const operation of ledger.blocks.blockTransactions(2).filter(({ index }) => index < WRITERS)) {
      const receipt = ledger.blocks.receiptOf(2, operation.index);
      if (receipt === undefined) throw new Error('every operation has a receipt');
      expect(receipt.logs).toHaveLength(LOGS);
      const text = request('eth_getTransactionReceipt', toPrefixedHex(operation.hash));
      const { result } = JSON.parse(await ask(patient, 'ledger', text));
      expect(result).toEqual(toReceipt(operation, receipt));
      const gas = receipt.gasUsed * BigInt(operation.index + 1);
      const { result: onEthereum } = JSON.parse(await ask(patient, 'ethereum', text));
      const expected = toEthereumReceipt(operation, receipt, gas, {
        gasPrice: 2n * ledger.parameters.rules.weiPerUnit,
        blobGasPrice: () => 1n,
      });
      expect({ ...onEthereum, cumulativeGasUsed: expected.cumulativeGasUsed }).toEqual(expected);
    }
  });

  test('behavior: the receipts of a block add up, and its bloom filter has all of theirs', async () => {
    const { patient } = chain;
    const { result: receipts } = JSON.parse(
      await ask(patient, 'ethereum', request('eth_getBlockReceipts', '0x2')),
    );
    const { result: block } = JSON.parse(
      await ask(patient, 'ethereum', request('eth_getBlockByNumber', '0x2', false)),
    );
    let gas = 0n;
    let bloom = 0n;
    for (const { gasUsed, cumulativeGasUsed, logsBloom } of receipts) {
      gas += BigInt(gasUsed);
      bloom |= BigInt(logsBloom);
      expect(BigInt(cumulativeGasUsed)).toBe(gas);
    }
    expect([BigInt(block.gasUsed), BigInt(block.logsBloom)]).toEqual([gas, bloom]);
    expect(bloom).not.toBe(0n);
  });

  test('error: more logs than a response may have, except the receipt of one transaction', async () => {
    const { ledger, address } = chain;
    const limited = answerer(ledger, { timeSliceMsMax: 0, logsMax: 2 * LOGS - 1 });
    const hash = toPrefixedHex(ledger.blocks.blockTransactions(2)[0]?.hash ?? new Uint8Array());
    const message = expect.stringMatching(
      /^the receipts have more than 499 logs, .*\(--max-logs\): request /,
    );
    for (const profile of PROFILES) {
      for (const text of [
        request('eth_getBlockReceipts', '0x2'),
        request('ots_searchTransactionsBefore', address, 0, 25),
      ]) {
        expect(JSON.parse(await ask(limited, profile, text))).toMatchObject({
          error: { code: -32005, message },
        });
      }
      const single = JSON.parse(await ask(limited, profile, request('eth_getTransactionReceipt', hash)));
      expect(single.result.logs).toHaveLength(LOGS);
      const page = await ask(limited, profile, request('ots_getBlockTransactions', '0x2', 0, 100));
      expect(JSON.parse(page).result.receipts).toHaveLength(WRITERS + TRANSFERS);
    }
  });

  test('error: no memory for the response', async () => {
    const account = new MemoryBudget({ bytesMax: 4_096 }).open('a');
    const text = request('eth_getBlockReceipts', '0x2');
    const answer = await chain.impatient.handle(text, { client: 'a', budget: account });
    expect(JSON.parse(String(answer))).toMatchObject({
      error: { code: -32005, message: expect.stringContaining('(--max-held)') },
    });
    expect(account.bytes).toBe(0);
  });

  test('behavior: a batch has them, too', async () => {
    const texts = reads(chain).map(([method, ...params]) => request(method, ...params));
    const single = await Promise.all(texts.map((text) => ask(chain.patient, 'ledger', text)));
    expect(await ask(chain.impatient, 'ledger', `[${texts.join(',')}]`)).toBe(`[${single.join(',')}]`);
  });

  test('behavior: writing stops when the caller disconnects', async () => {
    let isGone = false;
    const caller = { client: 'a', isGone: () => isGone };
    const answer = chain.impatient.handle(request('eth_getBlockReceipts', '0x2'), caller);
    await ask(chain.impatient, 'ledger', request('eth_getBalance', chain.address), 'b');
    isGone = true;
    expect(await answer).toBeUndefined();
  });
});

describe('a block that is reverted while it is read', () => {
  /** Calls a method, reverts blocks once its response has begun, and returns the response. */
  async function readWhileReverting(
    { ledger, impatient }: Chain,
    profile: ProfileId,
    text: string,
    to: number,
  ) {
    const reading = vi.spyOn(ledger.blocks, 'operationsFrom');
    const answer = ask(impatient, profile, text);
    while (reading.mock.calls.length === 0) await setImmediate();
    reading.mockRestore();
    ledger.chain.revertTo(to);
    return answer;
  }

  test.each(PROFILES)('behavior: the response restarts and is not cached (%s)', async (profile) => {
    const chain = await openChain();
    const text = request('eth_getBlockByNumber', '0x2', true);
    expect(JSON.parse(await readWhileReverting(chain, profile, text, 1)).result).toBeNull();
    expect(JSON.parse(await ask(chain.impatient, profile, text)).result).toBeNull();
    const latest = request('eth_getBlockByNumber', 'latest', true);
    expect(JSON.parse(await readWhileReverting(chain, profile, latest, 0)).result.number).toBe('0x0');
  });

  test('error: the head is reverted each time that it is read', async () => {
    const { ledger, impatient } = await openChain();
    for (let amount = 1n; amount <= 3n; amount += 1n) {
      ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), amount)], [keyAt(0)]));
      ledger.miner.mine();
    }
    const read = ledger.blocks.operationsFrom.bind(ledger.blocks);
    vi.spyOn(ledger.blocks, 'operationsFrom').mockImplementation((block, index) => {
      const operations = read(block, index);
      ledger.chain.revertTo(block - 1);
      return operations;
    });
    expect(
      JSON.parse(await ask(impatient, 'ledger', request('eth_getBlockByNumber', 'latest', true))),
    ).toMatchObject({
      error: { code: -32000, message: 'block #3 was reverted while it was read: ask again' },
    });
  });

  test.each(PROFILES)('behavior: one that stays is read to its end (%s)', async (profile) => {
    const chain = await openChain();
    const text = request('eth_getBlockReceipts', '0x2');
    const answer = await readWhileReverting(chain, profile, text, 2);
    expect(chain.ledger.blocks.head().number).toBe(2);
    expect(answer).toBe(await ask(chain.patient, profile, text));
    expect(answer).toContain('"result":[{');
  });
});

test('writtenInPieces: error: more characters than a response may have', () => {
  const piece = 'x'.repeat(RESPONSE_CHARACTERS_MAX / 4 + 1);
  const pieces = (function* () {
    for (;;) yield piece;
  })();
  const text = writtenInPieces(pieces, 'ask for less');
  expect(() => text.content).toThrow(
    `the response has more than ${RESPONSE_CHARACTERS_MAX} characters, the limit of one response: ask for less`,
  );
});
