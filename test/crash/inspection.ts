import { encodeAbiParameters, keccak256 } from 'viem';
import type { BlockObject, ReceiptObject, TransactionObject } from '../json-rpc.ts';
import type { ChainModel, TallyState, WholeBlock } from './chain-model.ts';
import { CrashFinding } from './finding.ts';
import type { Journal, SentTransaction } from './journal.ts';
import { type Call, headOf, resultsOf } from './node-client.ts';

/** Blocks that are read at once. */
const BLOCKS_AT_ONCE = 50;
/** Times that a comparison begins again because a block came meanwhile. */
const ATTEMPTS = 100;

/** Storage of a `Tally`: the digest, the count, and a mapping with hashed slots. */
const DIGEST_SLOT = '0x0';
const COUNT_SLOT = '0x1';
const CALLS_SLOT = 2n;

/** The numbers that an inspection confirmed. */
export interface Inspected {
  readonly height: number;
  /** Given transactions that are in a block. */
  readonly included: number;
  /** Given transactions that wait. */
  readonly pending: number;
  /** Acknowledged transactions that expired. */
  readonly expired: number;
}

/**
 * Compares a node with its earlier responses and with its own blocks.
 *
 * @param model is brought up to the node's newest block
 * @throws CrashFinding for anything that must not be
 */
export async function inspect(url: string, journal: Journal, model: ChainModel): Promise<Inspected> {
  await catchUp(url, model);
  checkShown(journal, model);
  checkOrigin(journal, model);
  await checkBalances(url, model);
  await checkTallies(url, model);
  return checkGiven(url, journal, model);
}

/** Adds the new blocks of the chain to the model, and detects a shorter chain. */
async function catchUp(url: string, model: ChainModel): Promise<BlockObject> {
  const head = await headOf(url);
  const height = Number(head.number);
  while (model.height < height) {
    const first = model.height + 1;
    const count = Math.min(BLOCKS_AT_ONCE, height - model.height);
    const numbers = Array.from({ length: count }, (_, index) => first + index);
    for (const block of await wholeBlocks(url, numbers)) model.add(block);
  }
  if (model.hashes[height] !== head.hash) {
    throw new CrashFinding(`block ${height} is ${head.hash}, it was ${model.hashes[height]}`);
  }
  if (height < model.height) {
    throw new CrashFinding(`the newest block is ${height}; there was block ${model.height} before`);
  }
  return head;
}

async function wholeBlocks(url: string, numbers: readonly number[]): Promise<WholeBlock[]> {
  const blocks = await resultsOf<WholeBlock['block']>(
    url,
    numbers.map((number): Call => ['eth_getBlockByNumber', quantity(number), true]),
  );
  const transactions = blocks.flatMap(({ transactions }) => transactions);
  const receipts = await resultsOf<ReceiptObject>(
    url,
    transactions.map(({ hash }): Call => ['eth_getTransactionReceipt', hash]),
  );
  return blocks.map((block) => ({ block, receipts: receipts.splice(0, block.transactions.length) }));
}

/** Every block that a client was shown is on the chain, where it was. */
function checkShown(journal: Journal, model: ChainModel): void {
  for (const [number, hash] of journal.shown) {
    const now = model.hashes[number];
    if (now === hash) continue;
    throw new CrashFinding(`a client was shown block ${number} ${hash}; the chain has ${now ?? 'none'}`);
  }
}

/** Nothing is on the chain that nobody sent, nor anything that was refused, nor a part of a transaction. */
function checkOrigin(journal: Journal, model: ChainModel): void {
  for (const { operationHashes, title } of journal.refused.values()) {
    const hash = operationHashes.find((candidate) => model.included.has(candidate));
    if (hash === undefined) continue;
    throw new CrashFinding(`${title} was refused and is in block ${model.included.get(hash)}: ${hash}`);
  }
  const sent = new Set<string>();
  for (const { name, title, operationHashes } of journal.transactions()) {
    for (const hash of operationHashes) {
      sent.add(hash);
      const [block, first] = [model.included.get(hash), model.included.get(name)];
      if (block !== first) throw new CrashFinding(`${title} ${name} is in blocks ${first} and ${block}`);
    }
  }
  for (const [hash, block] of model.included) {
    if (!sent.has(hash)) throw new CrashFinding(`nobody sent the operation ${hash} of block ${block}`);
  }
}

/** The balances are those that follow from the blocks. */
async function checkBalances(url: string, model: ChainModel): Promise<void> {
  const supply = model.supply;
  const { keys, answers } = await atOneHead(url, model, () =>
    [...model.balances.keys()].map((address) => [address, ['eth_getBalance', address]]),
  );
  let sum = 0n;
  answers.forEach((answer, index) => {
    const address = keys[index] ?? '';
    sum += BigInt(answer);
    if (BigInt(answer) === model.balances.get(address)) return;
    throw new CrashFinding(`${address} has ${BigInt(answer)} units, not ${model.balances.get(address)}`);
  });
  if (sum !== supply) throw new CrashFinding(`the balances sum to ${sum}, the supply is ${supply}`);
}

/** Checks the storage of the contracts against the included calls. */
async function checkTallies(url: string, model: ChainModel): Promise<void> {
  const expected = new Map<string, string>();
  const { keys, answers } = await atOneHead(url, model, () => {
    expected.clear();
    return [...model.tallies].flatMap(([address, state]) =>
      slotsOf(state).map(([slot, word]): readonly [string, Call] => {
        const name = `${address} ${slot}`;
        expected.set(name, word);
        return [name, ['eth_getStorageAt', address, slot, 'latest']];
      }),
    );
  });
  answers.forEach((answer, index) => {
    const name = keys[index] ?? '';
    if (BigInt(answer) === BigInt(expected.get(name) ?? -1)) return;
    throw new CrashFinding(`storage ${name} is ${answer}, not ${expected.get(name)}`);
  });
}

function slotsOf({ digest, count, callsOf }: TallyState): [slot: string, word: string][] {
  const mapping = [{ type: 'address' }, { type: 'uint256' }] as const;
  return [
    [DIGEST_SLOT, digest],
    [COUNT_SLOT, quantity(count)],
    ...Array.from(callsOf, ([caller, calls]): [string, string] => {
      const slot = keccak256(encodeAbiParameters(mapping, [caller as `0x${string}`, CALLS_SLOT]));
      return [slot, quantity(calls)];
    }),
  ];
}

/**
 * Repeats requests about the state until no block comes between the first and the last of them.
 *
 * @param questions are made anew after each block, which the model knows then
 */
async function atOneHead(
  url: string,
  model: ChainModel,
  questions: () => readonly (readonly [key: string, call: Call])[],
): Promise<{ keys: string[]; answers: string[] }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await catchUp(url, model);
    const asked = questions();
    const answers = await resultsOf<string>(
      url,
      asked.map(([, call]) => call),
    );
    const after = await headOf(url);
    if (after.hash === before.hash) return { keys: asked.map(([key]) => key), answers };
  }
  throw new CrashFinding(`blocks come faster than the state can be read, ${ATTEMPTS} times`);
}

/** Checks that every acknowledged transaction is in a block, pending, or expired. */
async function checkGiven(url: string, journal: Journal, model: ChainModel): Promise<Inspected> {
  const counts = { included: 0, pending: 0, expired: 0 };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { timestamp } = await catchUp(url, model);
    const outside = [...journal.given.values()].filter(({ name }) => !model.included.has(name));
    const found = await resultsOf<TransactionObject | null>(
      url,
      outside.map(({ pendingHash }): Call => ['eth_getTransactionByHash', pendingHash]),
    );
    // One that was included meanwhile is checked again with its block.
    if (found.some((transaction) => (transaction?.blockHash ?? null) !== null)) continue;
    counts.included = journal.given.size - outside.length;
    counts.pending = found.filter((transaction) => transaction !== null).length;
    const gone = outside.filter((_, index) => found[index] === null);
    const lost = gone.find(({ expiration }) => expiration > Number(timestamp));
    counts.expired = gone.length;
    if (lost === undefined) return { height: model.height, ...counts };
    // It may have run out of time with a block that came meanwhile.
    if ((await headOf(url)).timestamp === timestamp) throw lostTransaction(lost, Number(timestamp));
  }
  throw new CrashFinding(`blocks come faster than transactions can be looked up, ${ATTEMPTS} times`);
}

function lostTransaction({ title, pendingHash, expiration, life }: SentTransaction, now: number): Error {
  return new CrashFinding(
    `lost: ${title} ${pendingHash}, given out by start ${life}; it expires at ${expiration}, ` +
      `the newest block's time is ${now}`,
  );
}

/**
 * Looks up every transaction that was ever given out, also those that were in a block long ago.
 *
 * @throws CrashFinding when the node does not find one where the blocks have it
 */
export async function inspectLookups(url: string, journal: Journal, model: ChainModel): Promise<number> {
  const included = [...journal.given.values()].filter(({ name }) => model.included.has(name));
  const found = await resultsOf<TransactionObject | null>(
    url,
    included.map(({ pendingHash }): Call => ['eth_getTransactionByHash', pendingHash]),
  );
  included.forEach(({ name, title }, index) => {
    const block = model.included.get(name);
    const transaction = found[index];
    if (Number(transaction?.blockNumber) === block && transaction?.hash.endsWith(name)) return;
    throw new CrashFinding(
      `${title} ${name} is in block ${block}; it is found as ${JSON.stringify(transaction)}`,
    );
  });
  return included.length;
}

function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
