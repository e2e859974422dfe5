import { type EthereumJournal, type SentRaw, title } from './ethereum-journal.ts';
import { CrashFinding } from './finding.ts';
import { type Call, resultsOf } from './node-client.ts';

interface EthereumBlock {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactions: readonly {
    readonly hash: string;
    readonly nonce: string;
    readonly from: string;
    readonly to: string | null;
    readonly value: string;
  }[];
}

interface EthereumReceipt {
  readonly transactionHash: string;
  readonly status: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
}

interface FoundTransaction {
  readonly blockNumber: string | null;
}

/** Blocks that are read at once. */
const BLOCKS_AT_ONCE = 25;
/** Times that a comparison begins again because a block came meanwhile. */
const ATTEMPTS = 100;

/** The expected chain, computed from its blocks alone. */
export class EthereumModel {
  /** Hashes of the blocks, by number. */
  readonly hashes: string[] = [];
  /** Hashes of the included transactions, by sender and nonce. */
  readonly included: string[][];
  /** Wei of each client. */
  readonly balances: bigint[];
  /** Calls of the counting contract since its creation: earlier ones are empty transfers. */
  calls = 0n;
  #isDeployed = false;
  readonly #addresses: readonly string[];
  readonly #counter: string;

  /** @param balance wei that each client begins with */
  constructor(addresses: readonly string[], balance: bigint, counter: string) {
    this.#addresses = addresses.map((address) => address.toLowerCase());
    this.#counter = counter.toLowerCase();
    this.included = addresses.map(() => []);
    this.balances = addresses.map(() => balance);
  }

  get addresses(): readonly string[] {
    return this.#addresses;
  }

  get counter(): string {
    return this.#counter;
  }

  /** Adds the next block. @throws CrashFinding when it does not follow, or a nonce does not */
  add(block: EthereumBlock, receipts: readonly EthereumReceipt[]): void {
    const number = this.hashes.length;
    if (Number(block.number) !== number || (number > 0 && block.parentHash !== this.hashes.at(-1))) {
      throw new CrashFinding(`block ${number} does not follow the one before it: ${JSON.stringify(block)}`);
    }
    this.hashes.push(block.hash);
    block.transactions.forEach((transaction, index) => {
      const receipt = receipts[index];
      if (receipt?.transactionHash !== transaction.hash || receipt.status !== '0x1') {
        throw new CrashFinding(`${transaction.hash} of block ${number} has ${JSON.stringify(receipt)}`);
      }
      const sender = this.#addresses.indexOf(transaction.from.toLowerCase());
      const included = this.included[sender];
      if (included === undefined) throw new CrashFinding(`block ${number} has one of ${transaction.from}`);
      if (Number(transaction.nonce) !== included.length) {
        throw new CrashFinding(
          `block ${number} has nonce ${Number(transaction.nonce)} of sender ${sender}, not ${included.length}`,
        );
      }
      included.push(transaction.hash);
      this.#move(sender, -BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice));
      this.#move(sender, -BigInt(transaction.value));
      const to = transaction.to?.toLowerCase();
      if (to === undefined) this.#isDeployed = true;
      else if (to === this.#counter) this.calls += this.#isDeployed ? 1n : 0n;
      else this.#move(this.#addresses.indexOf(to), BigInt(transaction.value));
    });
  }

  #move(client: number, wei: bigint): void {
    const balance = this.balances[client];
    if (balance === undefined) throw new CrashFinding('a transaction reaches nobody');
    this.balances[client] = balance + wei;
  }
}

/**
 * Compares a node with its earlier responses and with its own blocks.
 *
 * @returns the number of acknowledged pending transactions
 * @throws CrashFinding for any violation
 */
export async function inspectEthereum(
  url: string,
  journal: EthereumJournal,
  model: EthereumModel,
): Promise<number> {
  await catchUp(url, model);
  checkIncluded(journal, model);
  await checkState(url, model);
  return checkGiven(url, journal, model);
}

/** Adds the new blocks of the chain to the model. */
async function catchUp(url: string, model: EthereumModel): Promise<string> {
  const [head] = await resultsOf<EthereumBlock>(url, [['eth_getBlockByNumber', 'latest', false]]);
  if (head === undefined) throw new CrashFinding('there is no newest block');
  const height = Number(head.number);
  while (model.hashes.length <= height) {
    const first = model.hashes.length;
    const count = Math.min(BLOCKS_AT_ONCE, height + 1 - first);
    const numbers = Array.from({ length: count }, (_, index) => `0x${(first + index).toString(16)}`);
    const [blocks, receipts] = await Promise.all([
      resultsOf<EthereumBlock>(
        url,
        numbers.map((number): Call => ['eth_getBlockByNumber', number, true]),
      ),
      resultsOf<EthereumReceipt[]>(
        url,
        numbers.map((number): Call => ['eth_getBlockReceipts', number]),
      ),
    ]);
    for (const [index, block] of blocks.entries()) model.add(block, receipts[index] ?? []);
  }
  if (model.hashes.at(-1) !== head.hash) {
    throw new CrashFinding(
      `block ${height} is ${head.hash}; there was block ${model.hashes.length - 1} ${model.hashes.at(-1)}`,
    );
  }
  return head.hash;
}

/** Checks that blocks contain no transaction that was never sent, was rejected, or was replaced. */
function checkIncluded(journal: EthereumJournal, model: EthereumModel): void {
  for (const [sender, hashes] of model.included.entries()) {
    for (const [nonce, hash] of hashes.entries()) {
      const place = journal.places[sender]?.[nonce] ?? [];
      const index = place.findIndex((sent) => sent.hash === hash);
      const sent = place[index];
      if (sent === undefined) throw new CrashFinding(`nobody sent ${hash}, nonce ${nonce} of ${sender}`);
      if (sent.state === 'refused') throw new CrashFinding(`${title(sent)} was refused and is in a block`);
      const later = place.slice(index + 1).find(({ state }) => state === 'given');
      if (later === undefined) continue;
      throw new CrashFinding(`${title(sent)} is in a block in whose place came ${title(later)}`);
    }
  }
}

/** Balances, nonces and the contract are what follows from the blocks. */
async function checkState(url: string, model: EthereumModel): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const head = await catchUp(url, model);
    const answers = await resultsOf<string>(url, [
      ...model.addresses.map((address): Call => ['eth_getBalance', address, 'latest']),
      ...model.addresses.map((address): Call => ['eth_getTransactionCount', address, 'latest']),
      ['eth_getStorageAt', model.counter, '0x0', 'latest'],
    ]);
    if ((await catchUp(url, model)) !== head) continue;
    const expected = [
      ...model.balances,
      ...model.included.map(({ length }) => BigInt(length)),
      model.calls,
    ].join();
    const found = answers.map((answer) => BigInt(answer)).join();
    if (found === expected) return;
    throw new CrashFinding(`balances, nonces and calls are ${found}, not ${expected}`);
  }
  throw new CrashFinding(`blocks come faster than the state can be read, ${ATTEMPTS} times`);
}

/** Checks that every acknowledged hash without a replacement is in a block or pending. */
async function checkGiven(url: string, journal: EthereumJournal, model: EthereumModel): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await catchUp(url, model);
    const outside = outsideOf(journal, model);
    const asked = outside.flat();
    const found = await resultsOf<FoundTransaction | null>(
      url,
      asked.map(({ hash }): Call => ['eth_getTransactionByHash', hash]),
    );
    const there = new Set(asked.filter((_, index) => found[index] !== null));
    const height = model.hashes.length;
    if (asked.some((sent, index) => isInLaterBlock(found[index], height, sent))) continue;
    const lost = outside.find((candidates) => !candidates.some((candidate) => there.has(candidate)));
    if (lost === undefined) {
      const [twice] = outside.filter((candidates) => candidates.filter((one) => there.has(one)).length > 1);
      if (twice?.[0] !== undefined) throw new CrashFinding(`${title(twice[0])} and another one are there`);
      return outside.length;
    }
    await catchUp(url, model);
    // It may have got its block meanwhile.
    if (model.hashes.length > height) continue;
    const [first] = lost;
    throw new CrashFinding(`lost: ${first === undefined ? '' : title(first)}, sent to start ${first?.life}`);
  }
  throw new CrashFinding(`blocks come faster than transactions can be looked up, ${ATTEMPTS} times`);
}

/**
 * Returns true if a transaction that is in no block of the model is in a later block.
 *
 * @throws CrashFinding if its block is one of the model, which does not contain it
 */
function isInLaterBlock(found: FoundTransaction | null | undefined, height: number, sent: SentRaw): boolean {
  const block = found?.blockNumber ?? undefined;
  if (block === undefined) return false;
  if (Number(block) >= height) return true;
  throw new CrashFinding(`${title(sent)} is said to be in block ${Number(block)}, which does not have it`);
}

/** Lists for each nonce outside of blocks the last acknowledged transaction, and unacknowledged replacements. */
function outsideOf(journal: EthereumJournal, model: EthereumModel): SentRaw[][] {
  return journal.places.flatMap((places, sender) =>
    places.slice(model.included[sender]?.length ?? 0).flatMap((place) => {
      const passed = place.find(({ state }) => state === 'passed');
      if (passed !== undefined)
        throw new CrashFinding(`${title(passed)} was too low; no block has its nonce`);
      const last = place.findLastIndex(({ state }) => state === 'given');
      return last === -1 ? [] : [place.slice(last)];
    }),
  );
}
