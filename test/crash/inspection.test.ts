import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { chainIdOf, createTestGenesis, networkOf } from '../../src/ledger/index.ts';
import { DEFAULT_CONFIGURATION } from '../../src/node/index.ts';
import { accountAddress, coreAmount, createKeyPair, toPrefixedHex } from '../../src/protocol/index.ts';
import { deriveProducerSeed, deriveTestAccounts } from '../../src/wallet/index.ts';
import { Random } from '../fuzz/random.ts';
import { type Program, startProgram } from '../program.ts';
import { ChainModel } from './chain-model.ts';
import { inspect, inspectLookups } from './inspection.ts';
import { Journal } from './journal.ts';
import { compileTally, Load } from './load.ts';
import { type Lie, startLyingNode } from './lying-node.ts';
import { headOf, resultsOf } from './node-client.ts';
import { type SignedBytes, signOperations } from './transactions.ts';

const SEED_TEXT = 'inspected';
const CLIENTS = 3;
const BALANCE = 10n ** 12n;
/** Requests with transactions that are sent before anything is inspected. */
const REQUESTS = 60;
const DAY_SECONDS = 86_400;

const genesis = createTestGenesis({
  network: networkOf(DEFAULT_CONFIGURATION.network),
  hardfork: DEFAULT_CONFIGURATION.hardfork,
  accounts: deriveTestAccounts(SEED_TEXT, CLIENTS),
  balance: BALANCE,
  producerKey: createKeyPair(deriveProducerSeed(SEED_TEXT)).publicKey,
  timestamp: 0,
});
const signers = deriveTestAccounts(SEED_TEXT, CLIENTS).map(({ seed }, index) => {
  const account = genesis.accounts.find(({ name }) => name === `test-account-${index}`);
  if (account === undefined) throw new Error('the genesis lacks a test account');
  return { id: account.id, keys: createKeyPair(seed) };
});

let program: Program;
/** The responses that the clients received. */
let told: Journal;
/** A copy of that, and a model that knows the genesis alone. */
let journal: Journal;
let model: ChainModel;

beforeAll(async () => {
  program = await startProgram('--accounts', `${CLIENTS}`, '--balance', `${BALANCE}`, '--seed', SEED_TEXT);
  told = new Journal();
  const known = newModel();
  const [random, chainId, tally] = [new Random(1), chainIdOf(genesis), await compileTally()];
  const load = new Load({ random, journal: told, model: known, signers, chainId, tally });
  // The first part makes contracts, the second calls them.
  for (let part = 0; part < 2; part += 1) {
    const ending = new AbortController();
    const loading = load.run(program.url, ending.signal);
    for (let request = 0; request < REQUESTS; request += 1) await load.sending();
    ending.abort();
    await loading;
    await inspect(program.url, told, known);
  }
});

afterAll(() => program.stop());

beforeEach(() => {
  model = newModel();
  journal = new Journal();
  for (const [number, hash] of told.shown) journal.shown.set(number, hash);
  for (const [name, sent] of told.given) journal.given.set(name, sent);
});

function newModel(): ChainModel {
  return new ChainModel(
    genesis.accounts.map(({ id, balance }) => [toPrefixedHex(accountAddress(id)), balance]),
  );
}

/** Inspects the program through somebody who lies about one method. */
async function inspectLie(method: string, lie: Lie): Promise<unknown> {
  const liar = await startLyingNode(program.url, method, lie);
  try {
    return await inspect(liar.url, journal, model);
  } finally {
    await liar.close();
  }
}

/** A transaction that the program never got. */
async function unsentTransaction(patience: number): Promise<SignedBytes> {
  const [signer] = signers;
  if (signer === undefined) throw new Error('there are no signers');
  const transfer = { type: 'transfer', fee: coreAmount(20n), from: signer.id, to: signer.id } as const;
  const operations = [{ ...transfer, amount: coreAmount(999_999n) }];
  return signOperations(operations, signer, chainIdOf(genesis), await headOf(program.url), patience);
}

test('default: a node whose responses match the journal passes the inspection', async () => {
  const { height, included, pending, expired } = await inspect(program.url, journal, model);
  expect(height).toBeGreaterThan(0);
  expect({ included, pending, expired }).toEqual({ included: journal.given.size, pending: 0, expired: 0 });
  expect(await inspectLookups(program.url, journal, model)).toBe(included);
  const tallies = [...model.tallies.values()];
  expect(tallies.some(({ count }) => count > 0n)).toBe(true);
  expect(journal.shown.size).toBeGreaterThan(0);
});

test('behavior: a transaction that is unknown after its time ran out was not lost', async () => {
  const sent = journal.send(await unsentTransaction(0), 'transfer');
  journal.accept(sent, sent.pendingHash);
  expect(await inspect(program.url, journal, model)).toMatchObject({ expired: 1 });
});

test('error: a hash that was given out is unknown', async () => {
  const sent = journal.send(await unsentTransaction(DAY_SECONDS), 'transfer');
  journal.accept(sent, sent.pendingHash);
  await expect(inspect(program.url, journal, model)).rejects.toThrow(`lost: transfer ${sent.pendingHash}`);
});

test('error: a block that was shown is another now', async () => {
  journal.shown.set(2, `0x${'ab'.repeat(32)}`);
  await expect(inspect(program.url, journal, model)).rejects.toThrow('a client was shown block 2');
});

test('error: a block that was served and has disappeared is detected', async () => {
  const { height } = await inspect(program.url, journal, model);
  journal.shown.set(height + 1, `0x${'ab'.repeat(32)}`);
  await expect(inspect(program.url, journal, model)).rejects.toThrow('the chain has none');
});

test('error: the newest block is older than before', async () => {
  const { height } = await inspect(program.url, journal, model);
  const older = await resultsOf(program.url, [
    ['eth_getBlockByNumber', `0x${(height - 1).toString(16)}`, false],
  ]);
  await expect(inspectLie('eth_getBlockByNumber', () => older[0])).rejects.toThrow(
    `the newest block is ${height - 1}; there was block ${height} before`,
  );
});

test('error: blocks that do not follow each other', async () => {
  const lie: Lie = (block) => ({ ...Object(block), parentHash: `0x${'0'.repeat(64)}` });
  await expect(inspectLie('eth_getBlockByNumber', lie)).rejects.toThrow('does not follow the one before it');
});

test('error: an operation that is in two blocks', async () => {
  const [name = ''] = journal.given.keys();
  model.included.set(name, 0);
  await expect(inspect(program.url, journal, model)).rejects.toThrow(`the operation ${name} is in block 0`);
});

test('error: a transaction of which a part is in a block', async () => {
  await inspect(program.url, journal, model);
  const [whole] = journal.given.values();
  if (whole === undefined) throw new Error('nothing was given');
  const operationHashes = [...whole.operationHashes, '0'.repeat(40)];
  journal.given.set(whole.name, { ...whole, operationHashes });
  await expect(inspect(program.url, journal, model)).rejects.toThrow(`${whole.name} is in blocks`);
});

test('error: an operation that no client sent is detected', async () => {
  const [name = ''] = journal.given.keys();
  journal.given.delete(name);
  await expect(inspect(program.url, journal, model)).rejects.toThrow(`nobody sent the operation ${name}`);
});

test('error: an operation that was refused', async () => {
  const [sent] = journal.given.values();
  if (sent === undefined) throw new Error('nothing was given');
  journal.given.delete(sent.name);
  journal.refused.set(sent.name, sent);
  await expect(inspect(program.url, journal, model)).rejects.toThrow(`${sent.title} was refused`);
});

test('error: a unit more', async () => {
  const lie: Lie = (balance) => `0x${(BigInt(String(balance)) + 1n).toString(16)}`;
  await expect(inspectLie('eth_getBalance', lie)).rejects.toThrow(/^0x0+\w+ has \d+ units, not \d+$/);
});

test('error: storage that differs from the result of the included calls is detected', async () => {
  const lie: Lie = () => `0x${'0'.repeat(64)}`;
  await expect(inspectLie('eth_getStorageAt', lie)).rejects.toThrow(/^storage 0x01\w+ 0x0 is 0x0+, not 0x/);
});

test('error: a transaction that is in a block and is not found', async () => {
  await inspect(program.url, journal, model);
  const liar = await startLyingNode(program.url, 'eth_getTransactionByHash', () => null);
  await expect(inspectLookups(liar.url, journal, model)).rejects.toThrow('it is found as null');
  await liar.close();
});
