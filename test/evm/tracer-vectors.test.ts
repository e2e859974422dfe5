import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import {
  AccessedState,
  CallFrames,
  combineListeners,
  Engine,
  type Hardfork,
  isSince,
  TraceBudget,
  UNIMPORTANT_OPCODES,
  ValidationFrames,
} from '../../src/evm/index.ts';
import { MemoryHost } from '../../src/evm/testing/memory-host.testing.ts';
import {
  callFrameObject,
  prestateDifference,
  prestateObject,
  validationFrameObject,
} from '../../src/formatters/index.ts';
import {
  type Address,
  createAddress,
  type EthereumTransaction,
  hexToBytes,
  parseEthereumTransaction,
  recoverAuthority,
  recoverSender,
  toAddress,
  toHash,
} from '../../src/protocol/index.ts';

/** go-ethereum's test vectors of tracers, from London on: the state before, a transaction, and its trace. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ARCHIVES = ['tracer-vectors.tar.xz', 'erc7562-tracer-vectors.tar.xz'].map((name) =>
  join(ROOT, '..', 'shared', 'devtools', name),
);
const HAS_ARCHIVES = ARCHIVES.every(existsSync);
interface Vector {
  readonly genesis: {
    readonly alloc: Readonly<Record<string, VectorAccount>>;
    readonly config: Readonly<Record<string, unknown>>;
  };
  readonly context: Readonly<Record<'number' | 'timestamp' | 'gasLimit' | 'miner' | 'baseFeePerGas', string>>;
  readonly input: string;
  readonly tracerConfig?: Readonly<Record<string, boolean>>;
  readonly result: unknown;
}

interface VectorAccount {
  readonly balance?: string;
  readonly nonce?: string;
  readonly code?: string;
  readonly storage?: Readonly<Record<string, string>>;
}

/** A host with Ethereum's addresses of contracts. */
class VectorHost extends MemoryHost {
  override createAddress(creator: Address, nonce: bigint): Address {
    return createAddress(creator, nonce);
  }
}

const bytesOf = (text = '0x'): Uint8Array => hexToBytes(text.replace(/^0x/, ''));
const addressOf = (text: string): Address => toAddress(bytesOf(text));

function hostOf({ genesis }: Vector): VectorHost {
  const host = new VectorHost();
  for (const [name, { balance = '0x0', nonce = '0x0', code, storage = {} }] of Object.entries(
    genesis.alloc,
  )) {
    const address = addressOf(name);
    const bytes = bytesOf(code);
    host.set(address, {
      balance: BigInt(balance),
      nonce: BigInt(nonce),
      ...(bytes.length > 0 && { code: bytes }),
    });
    host.apply(
      Object.entries(storage).map(([slot, value]) => ({
        kind: 'storage',
        address,
        slot: toHash(bytesOf(slot)),
        before: new Uint8Array(32),
        after: bytesOf(value),
      })),
    );
  }
  return host;
}

function hardforkOf({ genesis, context }: Vector): Hardfork {
  const at = (name: string): boolean =>
    genesis.config[name] !== undefined && Number(genesis.config[name]) <= Number(context.timestamp);
  if (at('pragueTime')) return 'prague';
  if (at('cancunTime')) return 'cancun';
  return at('shanghaiTime') ? 'shanghai' : 'london';
}

/** Returns the gas price, and the part of it that the coinbase gets. */
function pricesOf(transaction: EthereumTransaction, baseFee: bigint) {
  if (!('maxFeePerGas' in transaction)) {
    return { price: transaction.gasPrice, tip: transaction.gasPrice - baseFee };
  }
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const price = baseFee + maxPriorityFeePerGas < maxFeePerGas ? baseFee + maxPriorityFeePerGas : maxFeePerGas;
  return { price, tip: price - baseFee };
}

/** Runs the transaction of a vector for three tracers, by all rules of Ethereum. */
async function traced(vector: Vector) {
  const { context, input } = vector;
  const hardfork = hardforkOf(vector);
  const engine = await Engine.create({ hardfork, host: hostOf(vector), build: 'evm-steps' });
  const coinbase = addressOf(context.miner);
  const baseFee = BigInt(context.baseFeePerGas);
  engine.setBlock({
    number: BigInt(context.number),
    timestamp: BigInt(context.timestamp),
    coinbase,
    randomness: toHash(new Uint8Array(32)),
    gasLimit: BigInt(context.gasLimit),
    chainId: BigInt(String(vector.genesis.config.chainId)),
    baseFee,
    blobBaseFee: 1n,
  });
  const transaction = parseEthereumTransaction(bytesOf(input));
  const { nonce, to, value, data, gas } = transaction;
  const caller = recoverSender(transaction);
  const { price, tip } = pricesOf(transaction, baseFee);

  const budget = new TraceBudget(1_000_000, 60_000);
  const frames = new CallFrames(budget, { withLogs: true });
  const accessed = new AccessedState(engine, budget, {
    destroysOnlyNewContracts: isSince(hardfork, 'cancun'),
    withSlots: true,
  });
  const list = transaction.type === 'setCode' ? transaction.authorizationList : [];
  for (const address of [caller, to, coinbase, ...list.map(recoverAuthority)]) {
    if (address !== undefined) accessed.access(address);
  }
  engine.setNonce(caller, nonce + 1n);
  const validation = new ValidationFrames(engine, budget, { withLogs: false, ignored: UNIMPORTANT_OPCODES });
  engine.listener = combineListeners([frames, accessed, validation]);
  const { gasUsed } = engine.execute({
    ...{ caller, to, value, data, gas, gasPrice: price, payForGas: true },
    newAddress: to === undefined ? createAddress(caller, nonce) : undefined,
    accessList: transaction.type === 'legacy' ? undefined : transaction.accessList,
    authorizationList: transaction.type === 'setCode' ? transaction.authorizationList : undefined,
  });
  engine.credit(coinbase, tip * gasUsed);
  return { frames, accessed, validation, gas: { gas, gasUsed } };
}

/** Returns the result of the tracer of a vector's folder. */
async function answerOf(folder: string, vector: Vector): Promise<unknown> {
  const { frames, accessed, validation, gas } = await traced(vector);
  const { diffMode = false, disableCode = false, includeEmpty = false } = vector.tracerConfig ?? {};
  const options = { withCode: !disableCode, includeEmpty };
  if (folder.startsWith('call_tracer')) return callFrameObject(frames.root, gas);
  if (folder.startsWith('erc7562_tracer')) return validationFrameObject(validation, gas);
  return diffMode ? prestateDifference(accessed, options) : prestateObject(accessed, options);
}

const folder = HAS_ARCHIVES ? mkdtempSync(join(tmpdir(), 'tracer-vectors-')) : undefined;
for (const archive of folder === undefined ? [] : ARCHIVES)
  spawnSync('tar', ['-xf', archive, '-C', folder ?? '']);
const names =
  folder === undefined
    ? []
    : readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));

afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

describe.skipIf(folder === undefined)('go-ethereum tracer vectors (skipped without the archives)', () => {
  test('default: the archives contain vectors of each tracer', () => {
    expect([...new Set(names.map((name) => name.split('/')[0]))].sort()).toEqual(
      ['call_tracer', 'erc7562_tracer', 'prestate_tracer', 'prestate_tracer_with_diff_mode'].sort(),
    );
  });

  for (const name of names.sort()) {
    test(`behavior: ${name}`, async () => {
      const vector: Vector = JSON.parse(readFileSync(join(folder ?? '', name), 'utf8'));
      expect(await answerOf(name, vector)).toEqual(vector.result);
    });
  }
});
