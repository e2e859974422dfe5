import { getNumber, JsonRpcProvider, Network } from 'ethers';
import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { type Program, startProgram } from '../program.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a search result that the explorer reads. */
interface Found {
  readonly txs: readonly (Fields & { readonly hash: string; readonly blockNumber: string })[];
  readonly receipts: readonly (Fields & { readonly timestamp: number })[];
  readonly firstPage: boolean;
  readonly lastPage: boolean;
}

/** The page size that the explorer would have, but for its 25. */
const PAGE_SIZE = 2;
const CHILDREN = 4;

let program: Program;
let factory: CompiledContract;

beforeAll(async () => {
  [program, factory] = await Promise.all([startProgram('--ethereum'), compileContract('Factory')]);
});
afterAll(() => program.stop());

/** Otterscan's view of a chain: its requests, read by the formatters of ethers. */
class Explorer {
  readonly provider: JsonRpcProvider;
  readonly network = new Network('ledgerd', 255);

  constructor(path: string) {
    // Responses that pass the proxy are checked by the description of `/`.
    const url = path === '/' ? program.clientUrl : program.url + path;
    this.provider = new JsonRpcProvider(url, this.network, { staticNetwork: true, cacheTimeout: -1 });
  }

  ask<T = Fields>(method: string, ...parameters: readonly unknown[]): Promise<T> {
    return this.provider.send(method, [...parameters]);
  }

  async send(request: Fields): Promise<Fields & { readonly hash: Hex; readonly contractAddress: Hex }> {
    const [from] = await this.ask<string[]>('eth_accounts');
    const hash = await this.ask<Hex>('eth_sendTransaction', { from, gas: '0xf4240', ...request });
    const receipt = await this.ask<Fields & { contractAddress: Hex }>('eth_getTransactionReceipt', hash);
    return { ...receipt, hash };
  }

  /** A page of the transactions of an address, each as its formatters read it. */
  async search(method: string, address: string, block: number) {
    const found = await this.ask<Found>(method, address, block, PAGE_SIZE);
    return {
      ...found,
      txs: found.txs.map((raw, index) => {
        const transaction = this.provider._wrapTransactionResponse(raw as never, this.network);
        const receipt = this.provider._wrapTransactionReceipt(found.receipts[index] as never, this.network);
        expect([receipt.hash, receipt.blockNumber]).toEqual([transaction.hash, transaction.blockNumber]);
        return { transaction, receipt, timestamp: getNumber(found.receipts[index]?.timestamp ?? -1) };
      }),
    };
  }
}

/** A contract that has created others, as one profile shows it. */
interface World {
  readonly explorer: Explorer;
  readonly contract: Hex;
  readonly creation: Hex;
  readonly calls: readonly Hex[];
}

const PATHS = ['/', '/ethereum'] as const;
const worlds = new Map<string, World>();

beforeAll(async () => {
  for (const path of PATHS) {
    const explorer = new Explorer(path);
    const { contractAddress: contract, hash: creation } = await explorer.send({ data: factory.bytecode });
    const calls: Hex[] = [];
    for (let number = 1; number <= CHILDREN; number += 1) {
      const data = encodeFunctionData({ abi: factory.abi, functionName: 'create', args: [BigInt(number)] });
      calls.push((await explorer.send({ to: contract, data })).hash);
    }
    worlds.set(path, { explorer, contract, creation, calls });
  }
});
afterAll(() => {
  for (const { explorer } of worlds.values()) explorer.provider.destroy();
});

function worldAt(path: string): World {
  const world = worlds.get(path);
  if (world === undefined) throw new TypeError(`there is no world at ${path}`);
  return world;
}

/** At `/` transactions have no nonces: it is counted what the sender paid for. */
async function countBefore({ explorer, calls }: World, hash: Hex, from: unknown): Promise<string> {
  const count = getNumber(await explorer.ask<string>('eth_getTransactionCount', from, 'latest'));
  return `0x${(count - calls.length + calls.indexOf(hash)).toString(16)}`;
}

describe.each(PATHS)('blocks and transactions at %s', (path) => {
  test('default: it finds a node of its kind', async () => {
    const { explorer } = worldAt(path);
    expect(await explorer.ask('erigon_getHeaderByNumber', 1)).toMatchObject({ number: '0x1' });
    expect(await explorer.ask('ots_getApiLevel')).toBe(8);
  });

  test('behavior: its page of a block', async () => {
    const { explorer, creation } = worldAt(path);
    const number = getNumber(
      (await explorer.ask<Fields>('eth_getTransactionReceipt', creation)).blockNumber as string,
    );
    const details = await explorer.ask<{ block: Fields; totalFees: string }>('ots_getBlockDetails', number);
    const block = explorer.provider._wrapBlock(details.block as never, explorer.network);
    expect([block.number, block.hash, block.transactions]).toEqual([number, details.block.hash, []]);
    expect(details.block).toMatchObject({
      transactionCount: 1,
      logsBloom: null,
      size: expect.stringMatching(/^0x/),
    });
    expect(BigInt(details.totalFees)).toBeGreaterThan(0n);
    expect(await explorer.ask('ots_getBlockDetailsByHash', block.hash)).toEqual(details);
    const page = await explorer.ask<{ fullblock: { transactions: Fields[] }; receipts: Fields[] }>(
      'ots_getBlockTransactions',
      ...[number, 0, 25],
    );
    const [transaction] = page.fullblock.transactions;
    expect(explorer.provider._wrapTransactionResponse(transaction as never, explorer.network).hash).toBe(
      creation,
    );
    expect(transaction?.input).toBe(factory.bytecode.slice(0, 10));
    expect(page.receipts).toMatchObject([
      { transactionHash: creation, status: '0x1', logs: null, logsBloom: null },
    ]);
    expect(await explorer.ask('ots_getBlockDetails', 1_000_000)).toBeNull();
  });

  test('behavior: its page of a transaction', async () => {
    const world = worldAt(path);
    const { explorer, contract, calls } = world;
    const [hash = '0x'] = calls;
    const { from, nonce } = await explorer.ask<Fields>('eth_getTransactionByHash', hash);
    const entered = await explorer.ask<Fields[]>('ots_traceTransaction', hash);
    expect(entered).toMatchObject([
      { type: 'CALL', depth: 0, from, to: contract.toLowerCase(), value: '0x0' },
      {
        type: 'CREATE',
        depth: 1,
        from: contract.toLowerCase(),
        output: expect.stringMatching(/^0x[0-9a-f]{8}/),
      },
    ]);
    const operations = await explorer.ask<Fields[]>('ots_getInternalOperations', hash);
    expect(operations).toEqual([{ type: 2, from: contract.toLowerCase(), to: entered[1]?.to, value: '0x0' }]);
    expect(await explorer.ask('ots_getTransactionError', hash)).toBe('0x');
    const count = path === '/' ? await countBefore(world, hash, from) : nonce;
    expect(await explorer.ask('ots_getTransactionBySenderAndNonce', from, getNumber(count as string))).toBe(
      hash,
    );
    expect(await explorer.ask('eth_getTransactionBySenderAndNonce', from, count)).toMatchObject({ hash });
    expect(await explorer.ask('ots_getTransactionBySenderAndNonce', from, 1_000_000)).toBeNull();
  });
});

describe.each(PATHS)('addresses at %s', (path) => {
  test('behavior: its page of an address', async () => {
    const { explorer, contract, creation, calls } = worldAt(path);
    expect(await explorer.ask('ots_hasCode', contract, 'latest')).toBe(true);
    const { from } = await explorer.ask<Fields>('eth_getTransactionByHash', creation);
    expect(await explorer.ask('ots_hasCode', from, 'latest')).toBe(false);
    const creator = { hash: creation, creator: from };
    expect(await explorer.ask('ots_getContractCreator', contract)).toEqual(creator);
    expect(await explorer.ask('ots_getContractCreator', from)).toBeNull();
    const [child] = await explorer.ask<{ to: string }[]>('ots_getInternalOperations', calls[1]);
    expect(await explorer.ask('ots_getContractCreator', child?.to)).toEqual({
      hash: calls[1],
      creator: contract.toLowerCase(),
    });
  });

  test('behavior: the transactions of an address, back and forth', async () => {
    const { explorer, contract, creation, calls } = worldAt(path);
    const all = [creation, ...calls].reverse();
    const hashesOf = ({ txs }: Awaited<ReturnType<Explorer['search']>>) =>
      txs.map(({ transaction }) => transaction.hash);
    const first = await explorer.search('ots_searchTransactionsBefore', contract, 0);
    expect([hashesOf(first), first.firstPage, first.lastPage]).toEqual([all.slice(0, 2), true, false]);
    const seen = [...hashesOf(first)];
    let page = first;
    while (!page.lastPage) {
      const last = page.txs.at(-1)?.transaction.blockNumber ?? 0;
      page = await explorer.search('ots_searchTransactionsBefore', contract, last);
      expect(page.firstPage).toBe(false);
      seen.push(...hashesOf(page));
    }
    expect(seen).toEqual(all);
    const back = await explorer.search(
      'ots_searchTransactionsAfter',
      contract,
      page.txs[0]?.transaction.blockNumber ?? 0,
    );
    expect([hashesOf(back), back.firstPage, back.lastPage]).toEqual([all.slice(2, 4), false, false]);
    const oldest = await explorer.search('ots_searchTransactionsAfter', contract, 0);
    expect([hashesOf(oldest), oldest.firstPage, oldest.lastPage]).toEqual([all.slice(-2), false, true]);
    expect(oldest.txs.every(({ timestamp }) => timestamp > 1_600_000_000)).toBe(true);
  });
});
