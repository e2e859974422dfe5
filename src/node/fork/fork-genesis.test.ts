import { expect, test } from 'vitest';
import type { ForkPoint } from '../../fork/index.ts';
import { RemoteState } from '../../ledger/fork-base.testing.ts';
import { createKeyPair, toAddress, toHash, toSeed } from '../../protocol/index.ts';
import { DEFAULT_CONFIGURATION } from '../index.ts';
import { forkGenesis } from './fork-genesis.ts';

const HASH = toHash(new Uint8Array(32));
const BLOB_GAS = 131_072n;
const POINT: ForkPoint = {
  ...{ chainId: 1n, number: 21_000_000, hash: HASH, parentHash: HASH, timestamp: 1_700_000_000 },
  ...{ stateRoot: HASH, gasLimit: 30_000_000n, gasUsed: 15_000_000n, baseFee: 7n, nextBaseFee: 7n },
  ...{ excessBlobGas: 40n * BLOB_GAS, blobGasUsed: 21n * BLOB_GAS, prevRandao: HASH },
  ...{ miner: toAddress(new Uint8Array(20)), hardfork: 'prague', hasNewerRules: false },
};

async function excessOf(point: ForkPoint): Promise<bigint | undefined> {
  const remote = { fetch: async () => undefined };
  const { publicKey } = createKeyPair(toSeed(new Uint8Array(32)));
  const parts = { accounts: [], balance: 1n, producerKey: publicKey };
  const genesis = await forkGenesis(DEFAULT_CONFIGURATION, parts, [], {
    point,
    base: new RemoteState([], true),
    remote,
  });
  return genesis.ethereum?.fork?.excessBlobGas;
}

test('behavior: the excess of blob gas is that of the block after the pinned one (EIP-4844)', async () => {
  // The target of Osaka is 14 blobs.
  expect(await excessOf(POINT)).toBe((40n + 21n - 14n) * BLOB_GAS);
  expect(await excessOf({ ...POINT, blobGasUsed: 0n })).toBe((40n - 14n) * BLOB_GAS);
  expect(await excessOf({ ...POINT, excessBlobGas: BLOB_GAS, blobGasUsed: BLOB_GAS })).toBe(0n);
  expect(await excessOf({ ...POINT, excessBlobGas: undefined, blobGasUsed: undefined })).toBe(0n);
});
