import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatGenesis, type Genesis, type Ledger, signTransaction } from '../ledger/index.ts';
import { GENESIS_TIME, keyOf, openTestLedger, testGenesis } from '../ledger/ledger.testing.ts';
import {
  type AccountId,
  accountId,
  bytesToHex,
  contractId,
  coreAmount,
  type Operation,
  toAddress,
  utf8ToBytes,
} from '../protocol/index.ts';
import { META_KEYS, openStore, openStoreForReading } from '../store/index.ts';
import type { ChainKind, JobControl } from './stored-chain.ts';

/** Begin of the line with the reorganisation count. */
const EPOCH = `meta ${bytesToHex(utf8ToBytes(META_KEYS.reorgCount))}`;

const ALICE: AccountId = accountId(1_024);
const BOB: AccountId = accountId(1_025);

/** Deploys a contract that, called with a word, stores it and logs it, and without data reverts. */
const CONTRACT = '6016600c60003960166000f3366007575f5ffd5b5f35805f555f525f3560205fa100';

export const PRODUCER_KEY = keyOf('producer');
const ALICE_KEY = keyOf('alice');

/** A genesis that is the same in every run; `name` makes another chain of it. */
export function chainGenesis(name = 'producer'): Genesis {
  const accounts = ['alice', 'bob'].map((account, index) => ({
    publicKey: keyOf(account).publicKey,
    evmAddress: toAddress(new Uint8Array(20).fill(index + 1)),
  }));
  return testGenesis({ accounts, producerKey: keyOf(name).publicKey });
}

/** Options of making a chain. */
export interface ChainOptions {
  readonly blocks: number;
  readonly kind?: ChainKind;
  readonly history?: boolean;
  /** Transactions that wait at the end, each worth one unit more than the one before. */
  readonly pending?: number;
}

/** Makes a chain in a data folder, or adds blocks to the one there: transfers, contracts, logs and failures. */
export async function makeChain(dataDir: string, options: ChainOptions): Promise<void> {
  const { blocks, kind = 'test', pending = 0 } = options;
  const genesis = chainGenesis();
  const store = openStore({
    path: join(dataDir, 'ledger'),
    durable: false,
    historyOfNewFile: options.history,
  });
  if (kind === 'node') writeFileSync(join(dataDir, 'genesis.json'), formatGenesis(genesis));
  const clock = { now: () => GENESIS_TIME + (store.head() ?? 0) };
  const keys = [PRODUCER_KEY];
  const { ledger } = await openTestLedger({ store, genesis, clock, keys, mining: 'manual' });
  for (let made = 0; made < blocks; made += 1) {
    for (const operation of operationsOf(ledger.blocks.head().number + 1)) submit(ledger, operation);
    ledger.miner.mine();
  }
  for (let amount = 1; amount <= pending; amount += 1) submit(ledger, transfer(BigInt(amount)));
  await store.close();
}

function submit(ledger: Ledger, operation: Operation): void {
  const head = ledger.blocks.head();
  const reference = ledger.blocks.blockByNumber(Math.max(0, head.number - 5)) ?? head;
  ledger.pool.submit(
    signTransaction(operation, ALICE_KEY, ledger.parameters.chainId, reference, head.header.timestamp + 60),
  );
}

/** Every third block is empty; block 1 makes the contract that later ones call, some in vain. */
function operationsOf(number: number): Operation[] {
  if (number === 1) {
    return [
      {
        type: 'contractCreate',
        fee: coreAmount(1_000_000n),
        registrar: ALICE,
        value: coreAmount(0n),
        code: CONTRACT,
        ethAccuracy: false,
      },
    ];
  }
  if (number % 3 === 0) return [];
  const data = number % 5 === 0 ? '' : number.toString(16).padStart(64, '0');
  return [transfer(BigInt(number)), { ...CALL, code: data }];
}

const CALL = {
  type: 'contractCall',
  fee: coreAmount(200_000n),
  registrar: ALICE,
  value: coreAmount(0n),
  callee: contractId(0),
} as const;

function transfer(amount: bigint): Operation {
  return { type: 'transfer', fee: coreAmount(20n), from: ALICE, to: BOB, amount: coreAmount(amount) };
}

/** Folders that one test uses, all gone after `clean`. */
export class TestFolders {
  readonly #folders: string[] = [];

  /** A new, empty folder. */
  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-chain-'));
    this.#folders.push(folder);
    return folder;
  }

  /** The path of something in a new folder that is not there yet. */
  unused(name: string): string {
    return join(this.folder(), name);
  }

  /** A new folder with the same content. */
  copyOf(folder: string): string {
    const copy = this.folder();
    cpSync(folder, copy, { recursive: true });
    return copy;
  }

  clean(): void {
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}

/** The other end of work: it counts, and asks to stop once so much is done. */
export function testJob(stopAfter = Number.POSITIVE_INFINITY): JobControl & { readonly seen: number[] } {
  const controller = new AbortController();
  const seen: number[] = [];
  return {
    seen,
    stop: controller.signal,
    onProgress: (_unit, done) => {
      seen.push(done);
      if (done >= stopAfter) controller.abort();
    },
  };
}

/**
 * Every entry of every table of a chain but for its reorganisation count, as text; without those of the given tables.
 */
export async function contentOf(dataDir: string, ...without: readonly string[]): Promise<string[]> {
  const store = openStoreForReading(join(dataDir, 'ledger'));
  const entries = [...store.tables()].filter(({ table }) => !without.includes(table));
  await store.close();
  const lines = entries.map(({ table, key, value }) => `${table} ${bytesToHex(key)} ${bytesToHex(value)}`);
  return lines.filter((line) => !line.startsWith(EPOCH));
}

/** Number of the newest block of a chain. */
export async function headOf(dataDir: string): Promise<number | undefined> {
  const store = openStoreForReading(join(dataDir, 'ledger'));
  const head = store.head();
  await store.close();
  return head;
}
