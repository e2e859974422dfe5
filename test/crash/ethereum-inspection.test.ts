import { keccak256, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_ETHEREUM } from '../../src/node/index.ts';
import { toPrefixedHex } from '../../src/protocol/index.ts';
import { mnemonicKeys } from '../../src/wallet/index.ts';
import { Random } from '../fuzz/random.ts';
import { type Program, startProgram } from '../program.ts';
import { EthereumModel, inspectEthereum } from './ethereum-inspection.ts';
import { EthereumJournal, type SentRaw } from './ethereum-journal.ts';
import { counterOf, EthereumLoad } from './ethereum-load.ts';
import { type Lie, startLyingNode } from './lying-node.ts';
import { callAll } from './node-client.ts';

const CLIENTS = 3;
const CHAIN_ID = 31_337;
const BALANCE = parseEther('10000');
/** Requests with transactions that are sent before anything is inspected. */
const REQUESTS = 40;
const GWEI = 10n ** 9n;

const clients = mnemonicKeys(DEFAULT_ETHEREUM.mnemonic, DEFAULT_ETHEREUM.derivationPath, CLIENTS).map((key) =>
  privateKeyToAccount(toPrefixedHex(key)),
);

let program: Program;
let url: string;
/** The responses that the clients received. */
const journal = new EthereumJournal(CLIENTS);
/** A queued transaction, behind a nonce that the program never received. */
let waiting: SentRaw;

beforeAll(async () => {
  program = await startProgram('--ethereum', '--accounts', `${CLIENTS}`);
  url = new URL('ethereum', program.url).href;
  const load = new EthereumLoad(new Random(3), journal, clients, CHAIN_ID);
  const ending = new AbortController();
  const loading = load.run(url, ending.signal);
  for (let request = 0; request < REQUESTS; request += 1) await load.sending();
  ending.abort();
  await loading;
  await load.repeat(url);
  await signed(1);
  waiting = await signed(1);
  const [answer] = await callAll(url, [['eth_sendRawTransaction', waiting.raw]]);
  journal.answer(waiting, answer?.result, answer?.error);
});

afterAll(() => program.stop());

/** The next transaction of a client, noted and not sent. */
async function signed(sender: number): Promise<SentRaw> {
  const client = clients[sender];
  if (client === undefined) throw new RangeError(`there is no client ${sender}`);
  const nonce = journal.nextNonce(sender);
  const fees = { maxFeePerGas: 40n * GWEI, maxPriorityFeePerGas: 0n };
  const raw = await client.signTransaction({
    ...{ type: 'eip1559', chainId: CHAIN_ID, nonce, gas: 21_000n, to: client.address, ...fees },
  });
  return journal.send({ sender, nonce, hash: keccak256(raw), raw });
}

function newModel(): EthereumModel {
  const addresses = clients.map(({ address }) => address);
  return new EthereumModel(addresses, BALANCE, counterOf(clients));
}

/** Inspects the program through somebody who lies about one method. */
async function inspectLie(method: string, lie: Lie): Promise<number> {
  const liar = await startLyingNode(url, method, lie);
  try {
    return await inspectEthereum(liar.url, journal, newModel());
  } finally {
    await liar.close();
  }
}

/** A result with other fields. */
const changed = (fields: object) => (result: unknown) => ({ ...(result as object), ...fields });
const oneMore = (result: unknown): string => `0x${(BigInt(String(result)) + 1n).toString(16)}`;

test('behavior: calls count from the contract on that counts them', () => {
  const model = newModel();
  const sent = [
    { sender: 1, to: model.counter },
    { sender: 0, to: null },
    { sender: 2, to: model.counter },
  ].map(({ sender, to }) => ({ hash: `0x${sender}`, from: clients[sender]?.address ?? '', to }));
  const transactions = sent.map((one) => ({ ...one, nonce: '0x0', value: '0x0' }));
  const receipts = sent.map(({ hash }) => ({ transactionHash: hash, ...{ status: '0x1', gasUsed: '0x0' } }));
  model.add(
    { number: '0x0', hash: '0xb0', parentHash: '0x0', transactions },
    receipts.map((receipt) => ({ ...receipt, effectiveGasPrice: '0x0' })),
  );
  expect(model.calls).toBe(1n);
});

test('default: a consistent node passes the inspection', async () => {
  const model = newModel();
  expect(await inspectEthereum(url, journal, model)).toBe(1);
  expect(model.included.flat().length).toBeGreaterThan(CLIENTS);
});

test('error: a lost pending transaction is detected', async () => {
  await expect(inspectLie('eth_getTransactionByHash', () => null)).rejects.toThrow(
    `lost: nonce ${waiting.nonce} of sender 1, ${waiting.hash}`,
  );
});

test('error: a pending transaction reported in a block that does not contain it is detected', async () => {
  await expect(inspectLie('eth_getTransactionByHash', changed({ blockNumber: '0x1' }))).rejects.toThrow(
    `${waiting.hash} is said to be in block 1, which does not have it`,
  );
});

test('error: a lost included transaction is detected', async () => {
  const [gone] = newestOf(await blocksOf());
  const without = (result: unknown): unknown => {
    const { transactions } = result as { transactions: readonly { readonly hash?: string }[] };
    return { ...(result as object), transactions: transactions.filter(({ hash }) => hash !== gone) };
  };
  await expect(inspectLie('eth_getBlockByNumber', without)).rejects.toThrow(
    /of block \d+ has|has nonce|balances, nonces and calls are/,
  );
});

test('error: a changed status, gas price or parent hash is detected', async () => {
  const receipts = (fields: object) => (result: unknown) => (result as object[]).map(changed(fields));
  await expect(inspectLie('eth_getBlockReceipts', receipts({ status: '0x0' }))).rejects.toThrow(' has {');
  await expect(inspectLie('eth_getBlockReceipts', receipts({ effectiveGasPrice: '0x1' }))).rejects.toThrow(
    'balances, nonces and calls are',
  );
  const parentHash = `0x${'11'.repeat(32)}`;
  await expect(inspectLie('eth_getBlockByNumber', changed({ parentHash }))).rejects.toThrow(
    'does not follow',
  );
});

test.each(['eth_getBalance', 'eth_getTransactionCount', 'eth_getStorageAt'])(
  'error: an off-by-one result of %s is detected',
  async (method) => {
    await expect(inspectLie(method, oneMore)).rejects.toThrow('balances, nonces and calls are');
  },
);

test('error: an accepted transaction that is lost without a report is detected', async () => {
  const sent = await signed(2);
  journal.answer(sent, sent.hash, undefined);
  await expect(inspectEthereum(url, journal, newModel())).rejects.toThrow(
    `lost: nonce ${sent.nonce} of sender 2, ${sent.hash}`,
  );
});

async function blocksOf(): Promise<EthereumModel> {
  const model = newModel();
  await inspectEthereum(url, journal, model);
  return model;
}

/** The transactions that are the newest of their senders. */
function newestOf({ included }: EthereumModel): string[] {
  return included.flatMap((hashes) => hashes.at(-1) ?? []);
}
