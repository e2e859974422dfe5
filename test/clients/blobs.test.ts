import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, createWalletClient, defineChain, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadKzgLibrary } from '../../src/evm/precompiles/kzg.testing.ts';
import { parseBlobWrapper, serializeBlobWrapper } from '../../src/protocol/index.ts';
import { type Program, runProgram, startProgram } from '../program.ts';

const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let program: Program;
let kzg: ReturnType<typeof loadKzgLibrary>;
let clients: ReturnType<typeof connect>;

beforeAll(async () => {
  kzg = loadKzgLibrary();
  program = await startProgram('--ethereum');
  clients = connect(program);
});

afterAll(() => program.stop());

function connect({ url: origin }: Pick<Program, 'url'>) {
  const url = `${origin}/ethereum`;
  const chain = defineChain({
    id: 31_337,
    name: 'ledgerd',
    nativeCurrency: { name: 'ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const transport = http(url);
  const reader = createPublicClient({ chain, transport, pollingInterval: 20 });
  return { reader, writer: createWalletClient({ account: privateKeyToAccount(KEY), chain, transport }) };
}

/** Sends blobs as viem does: with a proof for each. */
function sendBlobs({ writer }: ReturnType<typeof connect>, ...blobs: readonly Uint8Array[]): Promise<Hex> {
  return writer.sendTransaction({
    to: TO,
    blobs: [...blobs],
    kzg: {
      blobToKzgCommitment: (blob) => kzg.blobToKzgCommitment(blob),
      computeBlobKzgProof: (blob, commitment) => kzg.computeBlobKzgProof(blob, commitment),
    },
    maxFeePerBlobGas: 1_000n,
  });
}

/** Sends bytes, and returns the message of the error. */
async function refusalOf(raw: string, { url }: Pick<Program, 'url'> = program): Promise<string | undefined> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/ethereum`, { method: 'POST', headers, body });
  return ((await response.json()) as { error?: { message: string } }).error?.message;
}

/** A blob with a number in its first field element. */
function blobOf(seed: number): Uint8Array {
  const blob = new Uint8Array(131_072);
  blob[31] = seed;
  return blob;
}

/** Requests a path of the beacon API. */
async function beacon(path: string, { url }: Pick<Program, 'url'> = program) {
  const response = await fetch(`${url}/eth/v1/beacon/${path}`);
  return { status: response.status, body: (await response.json()) as { readonly data?: unknown } };
}

describe('blobs of viem', () => {
  let hash: Hex;

  test('default: a transaction with two blobs is included and charged', async () => {
    const { reader, writer } = clients;
    const before = await reader.getBalance({ address: writer.account.address });
    hash = await sendBlobs(clients, blobOf(1), blobOf(2));
    const receipt = await reader.waitForTransactionReceipt({ hash });
    expect(receipt).toMatchObject({
      status: 'success',
      type: 'eip4844',
      blobGasUsed: 262_144n,
      blobGasPrice: 1n,
    });
    const after = await reader.getBalance({ address: writer.account.address });
    expect(before - after).toBe(receipt.gasUsed * receipt.effectiveGasPrice + 262_144n);
    const transaction = await reader.getTransaction({ hash });
    expect(transaction).toMatchObject({ type: 'eip4844', maxFeePerBlobGas: 1_000n });
    expect(transaction.blobVersionedHashes).toHaveLength(2);
    const block = await reader.getBlock({ blockNumber: receipt.blockNumber });
    expect(block).toMatchObject({ blobGasUsed: 262_144n, excessBlobGas: 0n });
  });

  test('behavior: the blobs are served by the beacon API and by the methods of anvil', async () => {
    const { blockNumber } = await clients.reader.getTransactionReceipt({ hash });
    const { blobVersionedHashes = [] } = await clients.reader.getTransaction({ hash });
    const [first, second] = [blobOf(1), blobOf(2)].map((blob) => `0x${Buffer.from(blob).toString('hex')}`);
    const all = await beacon(`blobs/${blockNumber}`);
    expect(all).toEqual({
      status: 200,
      body: { execution_optimistic: false, finalized: false, data: [first, second] },
    });
    const one = await beacon(`blobs/head?versioned_hashes=${blobVersionedHashes[1]}`);
    expect(one.body.data).toEqual([second]);
    const call = <T>(method: string, ...parameters: readonly unknown[]) =>
      clients.reader.request({ method, params: parameters } as never) as Promise<T>;
    expect(await call('anvil_getBlobByHash', blobVersionedHashes[0])).toBe(first);
    expect(await call('anvil_getBlobsByTransactionHash', hash)).toEqual([first, second]);
    expect(await call('anvil_getBlobByHash', `0x${'01'.repeat(32)}`)).toBeNull();
  });
});

describe('proofs of cells', () => {
  /** Signs a transaction with a blob, in the network form of EIP-7594. */
  async function rawOf(
    blob: Uint8Array,
    damage: (proofs: Uint8Array[]) => void = () => undefined,
  ): Promise<Hex> {
    const { reader, writer } = clients;
    const commitment = kzg.blobToKzgCommitment(blob);
    const proofs = [...kzg.computeCellsAndKzgProofs(blob).proofs];
    damage(proofs);
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(commitment)));
    hash[0] = 1;
    const transaction = await writer.account.signTransaction({
      type: 'eip4844',
      chainId: 31_337,
      nonce: await reader.getTransactionCount({ address: writer.account.address }),
      to: TO,
      gas: 21_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 0n,
      maxFeePerBlobGas: 10n,
      blobVersionedHashes: [`0x${Buffer.from(hash).toString('hex')}`],
      sidecars: false,
    });
    const sidecar = { version: 1, blobs: [blob], commitments: [commitment], proofs } as const;
    const bytes = serializeBlobWrapper(Buffer.from(transaction.slice(2), 'hex'), sidecar);
    return `0x${Buffer.from(bytes).toString('hex')}`;
  }

  test('default: they are verified, and the transaction is included', async () => {
    const serializedTransaction = await rawOf(blobOf(3));
    const hash = await clients.reader.sendRawTransaction({ serializedTransaction });
    expect(await clients.reader.waitForTransactionReceipt({ hash })).toMatchObject({ blobGasUsed: 131_072n });
  });

  test('error: a wrong proof, no sidecar, and a part of the bytes', async () => {
    const swapped = await rawOf(blobOf(4), (proofs) => {
      const [one = new Uint8Array(48), other = one] = proofs;
      proofs.splice(0, 2, other, one);
    });
    expect(await refusalOf(swapped)).toContain('KZG verification error');
    const { transaction } = parseBlobWrapper(Buffer.from(swapped.slice(2), 'hex')) ?? {};
    expect(await refusalOf(`0x${Buffer.from(transaction ?? []).toString('hex')}`)).toContain(
      'missing sidecar',
    );
    expect(await refusalOf(`${swapped.slice(0, -2)}`)).toContain('transaction');
  });
});

describe('before Osaka', () => {
  test('default: sidecars are served with a proof for each blob', async () => {
    const cancun = await startProgram('--ethereum', '--hardfork', 'cancun');
    try {
      const hash = await sendBlobs(connect(cancun), blobOf(5), blobOf(6));
      expect(hash).toMatch(/^0x/);
      const { status, body } = await beacon('blob_sidecars/head?indices=1', cancun);
      expect(status).toBe(200);
      expect(body.data).toMatchObject([
        {
          index: '1',
          blob: `0x${Buffer.from(blobOf(6)).toString('hex')}`,
          kzg_commitment_inclusion_proof: [],
        },
      ]);
    } finally {
      await cancun.stop();
    }
  });
});

describe('a node that is killed', () => {
  test('behavior: an accepted transaction survives with its blobs, before and after its block', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'ledgerd-blobs-'));
    const start = () => startProgram('--test', '--ethereum', '--no-mining', '--data-dir', dataDir);
    const killed = async ({ processId, stop }: Program) => {
      process.kill(processId, 'SIGKILL');
      await stop();
    };
    try {
      const before = await start();
      const hash = await sendBlobs(connect(before), blobOf(7));
      await killed(before);
      const after = await start();
      const { reader } = connect(after);
      expect(await reader.getTransaction({ hash })).toMatchObject({ blockNumber: null, type: 'eip4844' });
      await reader.request({ method: 'evm_mine', params: [] } as never);
      const [blob] = [blobOf(7)].map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
      expect((await beacon('blobs/1', after)).body.data).toEqual([blob]);
      await killed(after);
      const last = await start();
      expect((await beacon('blobs/head', last)).body.data).toEqual([blob]);
      await last.stop();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe('a follower', () => {
  test('behavior: a transaction with blobs is pending until the block of the followed node comes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-blobs-'));
    const [dataDir, copy] = [join(folder, 'producer'), join(folder, 'follower')];
    const address = privateKeyToAccount(KEY).address;
    const chain = ['--ethereum', '--network', 'local', '--base-fee', '1000000000', '--blobs'];
    const owner = ['--ethereum-account', `${address}=100`];
    try {
      const { status } = await runProgram('init', '--data-dir', dataDir, ...chain, ...owner);
      expect(status).toBe(0);
      const producer = await startProgram('--data-dir', dataDir, '--block-interval', '5');
      const genesis = ['--genesis', join(dataDir, 'genesis.json')];
      const follower = await startProgram('--data-dir', copy, ...genesis, '--follow', producer.url);
      const { reader } = connect(follower);
      const hash = await sendBlobs(connect(follower), blobOf(9));
      expect(await reader.getTransaction({ hash })).toMatchObject({ type: 'eip4844' });
      expect(await reader.getTransactionCount({ address, blockTag: 'pending' })).toBe(1);
      expect(await reader.waitForTransactionReceipt({ hash })).toMatchObject({
        status: 'success',
        blobGasUsed: 131_072n,
      });
      expect(await connect(producer).reader.getTransactionReceipt({ hash })).toMatchObject({
        status: 'success',
      });
      for (const node of [follower, producer]) await node.stop();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('hostile requests', () => {
  test('error: for blobs are refused, and the node goes on', async () => {
    const paths = [
      'blobs/',
      'blobs/-1',
      'blobs/1/2',
      'blobs/0x12',
      'blobs/%00',
      `blobs/${'9'.repeat(40)}`,
      'x',
    ];
    for (const path of paths)
      expect((await fetch(`${program.url}/eth/v1/beacon/${path}`)).status).toBeGreaterThan(399);
    const wrong = ['blobs/head?versioned_hashes=1', `blobs/head?versioned_hashes=${'0,'.repeat(200)}0`];
    for (const path of wrong) expect((await beacon(path)).status).toBe(400);
    expect((await fetch(`${program.url}/eth/v1/beacon/genesis`, { method: 'POST' })).status).toBe(405);
    expect((await beacon('genesis')).status).toBe(200);
  });
});
