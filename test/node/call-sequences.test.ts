import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { FIRST_ACCOUNT_INSTANCE } from '../../src/consensus.ts';
import { ArtifactRegistry } from '../../src/contracts/index.ts';
import { type Ledger, RegistrationService, signTransaction, TestChain } from '../../src/ledger/index.ts';
import { openTestLedger, testGenesis } from '../../src/ledger/ledger.testing.ts';
import { chainDumpsOf } from '../../src/node/archive/chain-dumps.ts';
import { TestChainControl } from '../../src/node/index.ts';
import {
  accountAddress,
  accountId,
  blockHashOf,
  coreAmount,
  createKeyPair,
  encode,
  hexToBytes,
  signedTransactionCodec,
  toPrefixedHex,
} from '../../src/protocol/index.ts';
import { createDispatcher, type Dispatcher, METHODS } from '../../src/rpc/index.ts';
import { CpuBackoff } from '../../src/scheduling/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { systemTime } from '../../src/time/time.ts';
import { deriveProducerSeed, deriveTestAccounts, Wallet } from '../../src/wallet/index.ts';

/** Milliseconds between two calls: more than a call may take. */
const PAUSE_MS = 10_000;
const START = 1_700_000_000;
const SEED = 'each other';
const ACCOUNTS = deriveTestAccounts(SEED, 2);
const PRODUCER = createKeyPair(deriveProducerSeed(SEED));
const ALICE = accountId(FIRST_ACCOUNT_INSTANCE);
const FROM = toPrefixedHex(accountAddress(ALICE));
const TO = toPrefixedHex(accountAddress(accountId(FIRST_ACCOUNT_INSTANCE + 1)));

/** Init code of a contract that answers what is in its first slot; with a number, so that each has code of its own. */
const deploying = (number: number) => {
  const code = `5f545f5260205ff3${number.toString(16).padStart(4, '0')}`;
  return hexToBytes(`69${code}5f52600a6016f3`);
};

/** Methods that change what others answer, or answer something new each time. */
const CHANGING: ReadonlySet<string> = new Set([
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  'eth_uninstallFilter',
  'evm_increaseTime',
  'evm_mine',
  'ledger_requestRegistrationTask',
  'ledger_submitRegistrationSolution',
  'miner_start',
  'miner_stop',
  'personal_lockAccount',
  'personal_newAccount',
  'personal_sendTransaction',
  'personal_unlockAccount',
]);

const isReading = (method: string) => !CHANGING.has(method);

/** A chain with a contract for each method, so that the first to ask for one finds it in no cache. */
interface Chain {
  readonly store: Store;
  readonly contracts: ReadonlyMap<string, string>;
}

const stores: Store[] = [];
/** Milliseconds by which the clock that deadlines are taken from is ahead. */
let pausedMs = 0;

async function openLedger(store: Store): Promise<{ ledger: Ledger; wallet: Wallet }> {
  const { publicKey: producerKey } = PRODUCER;
  const genesis = testGenesis({ hardfork: 'osaka', accounts: ACCOUNTS, producerKey, timestamp: START });
  const clock = { now: () => START };
  const { ledger } = await openTestLedger({ store, genesis, clock, keys: [PRODUCER] });
  const held = ACCOUNTS.map(({ seed }, index) => ({ id: accountId(FIRST_ACCOUNT_INSTANCE + index), seed }));
  const registrar = { id: genesis.registrar, keys: PRODUCER };
  return { ledger, wallet: new Wallet(ledger, held, { time: TIME, registrar }) };
}

async function openChain(): Promise<Chain> {
  const store = openStore({ durable: false });
  stores.push(store);
  const { ledger, wallet } = await openLedger(store);
  const deploy = (number: number): string => {
    wallet.send({ from: accountAddress(ALICE), data: deploying(number) });
    const address = ledger.blocks.receiptOf(ledger.blocks.head().number, 0)?.contractAddress;
    if (address === undefined) throw new RangeError('the contract was not created');
    return toPrefixedHex(address);
  };
  return { store, contracts: new Map(names.map((method, index) => [method, deploy(index)])) };
}

const TIME = { ...systemTime, now: () => 0 };

interface Started extends Pick<Chain, 'contracts'> {
  readonly dispatcher: Dispatcher;
  readonly ledger: Ledger;
}

/** A node of the chain that was just started: its caches are cold. */
async function start({ store, contracts }: Chain): Promise<Started> {
  const { ledger, wallet } = await openLedger(store);
  const testChain = new TestChain(ledger, store);
  const dispatcher = createDispatcher({
    ledger,
    wallet,
    control: controlOf(ledger),
    testChain,
    artifacts: new ArtifactRegistry(),
    dumps: chainDumpsOf({ ledger, store, testChain, producer: PRODUCER, onBalanceCut: () => undefined }),
    registration: new RegistrationService(ledger, PRODUCER, { difficulty: 1, time: TIME }),
    time: TIME,
    version: '0.0.0',
  });
  return { dispatcher, ledger, contracts };
}

/** Makes blocks as soon as they are asked for. */
function controlOf(ledger: Ledger): TestChainControl {
  return new TestChainControl({
    ...{ ledger, time: TIME, backoff: new CpuBackoff(TIME) },
    storage: undefined,
    setLogging: () => undefined,
    onFailure: (_task, error) => expect(error).toBeUndefined(),
  });
}

/** Makes valid parameters of a method. */
function parametersOf(method: string, { contracts, ledger }: Started): readonly unknown[] {
  const contract = contracts.get(method);
  const block = toPrefixedHex(blockHashOf(ledger.blocks.head().id));
  const [included] = ledger.blocks.blockTransactions(1);
  const parameters: Readonly<Record<string, () => readonly unknown[]>> = {
    eth_call: () => [{ from: FROM, to: contract }],
    eth_estimateGas: () => [{ from: FROM, to: contract }],
    eth_getBalance: () => [TO],
    eth_getBlockByHash: () => [block, true],
    eth_getBlockByNumber: () => ['latest', true],
    eth_getBlockTransactionCountByHash: () => [block],
    eth_getBlockTransactionCountByNumber: () => ['latest'],
    eth_getCode: () => [contract],
    eth_getFilterChanges: () => ['0x1'],
    eth_getFilterLogs: () => ['0x1'],
    eth_getLogs: () => [{ fromBlock: '0x0', toBlock: 'latest' }],
    eth_getStorageAt: () => [contract, '0x0'],
    eth_getTransactionByBlockHashAndIndex: () => [block, '0x0'],
    eth_getTransactionByBlockNumberAndIndex: () => ['latest', '0x0'],
    eth_getTransactionByHash: () => [toPrefixedHex(included?.hash ?? new Uint8Array(32))],
    eth_getTransactionCount: () => [FROM],
    eth_getTransactionReceipt: () => [toPrefixedHex(included?.hash ?? new Uint8Array(32))],
    eth_newFilter: () => [{}],
    eth_sendRawTransaction: () => [rawTransfer(ledger)],
    eth_sendTransaction: () => [{ from: FROM, to: contract }],
    eth_sign: () => [FROM, '0xc0ffee'],
    eth_uninstallFilter: () => ['0x1'],
    evm_increaseTime: () => [1],
    ledger_getAddressReference: () => [TO],
    ledger_submitRegistrationSolution: () => ['eve', 'ECHO1', 'ECHO1', null, '0x1', '0x1'],
    personal_lockAccount: () => [TO],
    personal_newAccount: () => ['secret'],
    personal_sendTransaction: () => [{ from: FROM, to: TO, value: '0x1' }, ''],
    personal_unlockAccount: () => [TO, ''],
    web3_sha3: () => ['0xc0ffee'],
  };
  return parameters[method]?.() ?? [];
}

/** A signed transfer, another one each time. */
function rawTransfer(ledger: Ledger): string {
  const [alice] = ACCOUNTS;
  if (alice === undefined) throw new RangeError('there is no account');
  const fee = coreAmount(20n);
  const to = accountId(FIRST_ACCOUNT_INSTANCE + 1);
  const amount = coreAmount(BigInt(ledger.blocks.head().number));
  const operation = { type: 'transfer', fee, from: ALICE, to, amount } as const;
  const head = ledger.blocks.head();
  const expiration = head.header.timestamp + 60;
  const signed = signTransaction(
    operation,
    createKeyPair(alice.seed),
    ledger.parameters.chainId,
    head,
    expiration,
  );
  return toPrefixedHex(encode(signedTransactionCodec, signed));
}

/** The text that a method is answered with; afterwards there is a pause. */
async function answerOf(node: Started, method: string, before = 'nothing'): Promise<string | undefined> {
  const params = parametersOf(method, node);
  const answer = await node.dispatcher.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const text = answer?.toString();
  const { error } = JSON.parse(text ?? '{}') as { readonly error?: { readonly code: number } };
  expect(error?.code, `${method} after ${before}: ${text}`).not.toBe(-32603);
  pausedMs += PAUSE_MS;
  return text;
}

/** Those that control a chain are left out: by them it is another one, or they look at nothing else. */
const names = [...METHODS].filter(([, { section }]) => section !== 'control').map(([name]) => name);
const alone = new Map<string, string | undefined>();
let steady: Chain;

beforeAll(async () => {
  steady = await openChain();
  for (const method of names.filter(isReading))
    alone.set(method, await answerOf(await start(steady), method));
});

beforeEach(() => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + pausedMs);
});

afterEach(async () => {
  vi.restoreAllMocks();
  // Each takes so much address space that one process can't have one for every test.
  for (const store of stores.splice(1)) await store.close();
});

afterAll(async () => {
  for (const store of stores) await store.close();
});

test.each(names.filter(isReading))(
  'default: after %s and a pause all answer as they do alone',
  async (first) => {
    const node = await start(steady);
    for (const second of names.filter(isReading)) {
      await answerOf(node, first);
      expect(await answerOf(node, second, first), `${second} after ${first}`).toBe(alone.get(second));
    }
  },
);

test.each(names)('behavior: after %s and a pause no state-changing method fails', async (first) => {
  const node = await start(await openChain());
  for (const second of names.filter((name) => !isReading(first) || !isReading(name))) {
    await answerOf(node, first);
    await answerOf(node, second, first);
  }
});

test('default: every state-changing name is a known method', () => {
  expect([...CHANGING].filter((name) => !names.includes(name))).toEqual([]);
});
