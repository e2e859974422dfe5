import { LATEST_HARDFORK, precompilesOf } from '../evm/index.ts';
import { type Address, equalBytes, type Hash, quantity, toPrefixedHex } from '../protocol/index.ts';
import { addressOf, arrayOf, dataOf, type JsonObject, objectOf, quantityOf } from './forms.ts';
import type { RemoteHistory } from './remote-history.ts';

/** Characters of `0x` and a selector. */
const SELECTOR_CHARACTERS = 10;

const TRANSFER = 0;
const INTERNAL_KINDS: Readonly<Record<string, number>> = {
  CALL: TRANSFER,
  SELFDESTRUCT: 1,
  CREATE: 2,
  CREATE2: 3,
};
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['STATICCALL', 'DELEGATECALL']);
const NOWHERE = `0x${'00'.repeat(20)}`;
const CALLS = { tracer: 'callTracer' };

/** A call of a transaction that the remote node has traced. */
interface Frame {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly input: string;
  readonly output: string;
  readonly depth: number;
  /** True if its failure, or that of a call around it, reverted it. */
  readonly isGone: boolean;
}

/**
 * Results of Otterscan's methods about the history of a remote chain, composed of those of methods that most nodes
 * have. Null or undefined stands for a block or transaction that it does not have. Errors are those of the history.
 */
export class RemoteOtterscan {
  readonly #history: RemoteHistory;
  /** Number of the last block. */
  readonly #last: number;
  readonly #precompiled: ReadonlySet<string>;

  constructor(history: RemoteHistory, last: number) {
    this.#history = history;
    this.#last = last;
    this.#precompiled = new Set(precompilesOf(LATEST_HARDFORK).map(({ address }) => toPrefixedHex(address)));
  }

  /** Returns true if an address has code after a block, by its name in raw parameters. */
  async hasCode(address: unknown, block: unknown): Promise<boolean> {
    return (await this.#history.forward('eth_getCode', [address, block], 'data')) !== '0x';
  }

  /** Returns a block without its transactions, and its fees. */
  async blockDetails(name: number | Hash): Promise<unknown> {
    const block = await this.#history.block(name, false);
    if (block === null) return null;
    const nothing = quantity(0);
    const receipts = await this.#history.blockReceipts(Number(block.number));
    const fees = receipts.map(
      ({ gasUsed, effectiveGasPrice }) =>
        quantityOf(gasUsed, 'gasUsed') * quantityOf(effectiveGasPrice, 'effectiveGasPrice'),
    );
    return {
      block: headerOf(block),
      issuance: { blockReward: nothing, uncleReward: nothing, issuance: nothing },
      totalFees: quantity(fees.reduce((sum, fee) => sum + fee, 0n)),
    };
  }

  /** Returns a page of the transactions of a block: page 0 has the last ones, in the order of the block. */
  async blockTransactions(name: number | Hash, page: number, size: number): Promise<unknown> {
    const block = await this.#history.block(name, true);
    if (block === null) return null;
    const transactions = arrayOf(block.transactions, 'transactions');
    const end = Math.max(0, transactions.length - page * size);
    const first = Math.max(0, end - size);
    const receipts = await this.#history.blockReceipts(Number(block.number));
    return {
      fullblock: {
        ...headerOf(block),
        transactions: transactions.slice(first, end).map((one) => {
          const transaction = objectOf(one, 'transaction');
          return { ...transaction, input: String(transaction.input).slice(0, SELECTOR_CHARACTERS) };
        }),
      },
      receipts: receipts.slice(first, end).map((receipt) => ({ ...receipt, logs: null, logsBloom: null })),
    };
  }

  /** Returns the revert data of a transaction; `0x` if it did not revert. */
  async transactionError(hash: Hash): Promise<string | undefined> {
    const receipt = await this.#history.receipt(hash);
    if (receipt === null) return undefined;
    if (receipt.status === '0x1') return '0x';
    const [root] = framesIn(await this.#trace(hash));
    return root?.output;
  }

  /** Returns the calls of a transaction but those of precompiled contracts, in the order in which they began. */
  async enteredCalls(hash: Hash): Promise<unknown> {
    if ((await this.#history.transaction(hash)) === null) return undefined;
    return framesIn(await this.#trace(hash)).flatMap(({ isGone: _, ...frame }) => {
      const { type, depth, from, to, value, input, output } = frame;
      if (depth > 0 && type !== 'SELFDESTRUCT' && this.#precompiled.has(to)) return [];
      return [{ type, depth, from, to, value: WITHOUT_VALUE.has(type) ? null : value, input, output }];
    });
  }

  /** Returns what calls within the outermost one moved, created and destroyed, unless a failure reverted it. */
  async internalOperations(hash: Hash): Promise<unknown> {
    if ((await this.#history.transaction(hash)) === null) return undefined;
    return framesIn(await this.#trace(hash)).flatMap(({ type: kind, depth, isGone, from, to, value }) => {
      const type = INTERNAL_KINDS[kind];
      const isNothing = depth === 0 || isGone || (type === TRANSFER && value === '0x0');
      return type === undefined || isNothing ? [] : [{ type, from, to, value }];
    });
  }

  /** Returns the hash of the transaction of a sender with a nonce; null if there is none. */
  async sentWithNonce(sender: Address, nonce: bigint): Promise<unknown> {
    const from = toPrefixedHex(sender);
    const hasSent = async (block: number): Promise<boolean> => {
      const count = await this.#history.forward(
        'eth_getTransactionCount',
        [from, quantity(block)],
        'quantity',
      );
      return quantityOf(count, 'nonce') > nonce;
    };
    const number = await this.#firstBlock(hasSent);
    const block = number === undefined ? null : await this.#history.block(number, true);
    const sent = arrayOf(block?.transactions ?? [], 'transactions')
      .map((one) => objectOf(one, 'transaction'))
      .find((one) => isAt(one.from, sender) && quantityOf(one.nonce, 'nonce') === nonce);
    return sent?.hash ?? null;
  }

  /** Returns the transaction that created a contract, and the creator; undefined for an address without code. */
  async contractCreator(contract: Address): Promise<unknown> {
    const address = toPrefixedHex(contract);
    const number = await this.#firstBlock((block) => this.hasCode(address, quantity(block)));
    if (number === undefined) return undefined;
    const receipts = await this.#history.blockReceipts(number);
    const own = receipts.find((one) => one.contractAddress != null && isAt(one.contractAddress, contract));
    if (own !== undefined) return { hash: own.transactionHash, creator: own.from };
    const traces = arrayOf(
      await this.#history.forward('debug_traceBlockByNumber', [quantity(number), CALLS], 'list'),
      'traces',
    );
    for (const [index, traced] of traces.entries()) {
      const created = framesIn(objectOf(traced, 'trace').result).find(
        ({ type, to, isGone }) => /^CREATE2?$/.test(type) && !isGone && to === address,
      );
      if (created !== undefined) return { hash: receipts[index]?.transactionHash, creator: created.from };
    }
    // It is one of the genesis.
    return null;
  }

  #trace(hash: Hash): Promise<unknown> {
    return this.#history.forward('debug_traceTransaction', [toPrefixedHex(hash), CALLS], 'object');
  }

  /** Finds the first block from which on a state has a property, by bisection; undefined if the last one lacks it. */
  async #firstBlock(has: (block: number) => Promise<boolean>): Promise<number | undefined> {
    if (!(await has(this.#last))) return undefined;
    let without = -1;
    let found = this.#last;
    while (without + 1 < found) {
      const middle = Math.floor((without + found) / 2);
      if (await has(middle)) found = middle;
      else without = middle;
    }
    return found;
  }
}

/** Returns a block without its transactions. */
function headerOf(block: JsonObject): JsonObject {
  const { length: transactionCount } = arrayOf(block.transactions, 'transactions');
  return { ...block, logsBloom: null, transactionCount, transactions: [] };
}

function isAt(value: unknown, address: Address): boolean {
  return equalBytes(addressOf(value, 'address'), address);
}

/**
 * Lists the calls of a tree of `callTracer` in the order in which they began; without recursion, since it may be deep.
 *
 * @throws {RemoteDataError} for a wrong form
 */
function framesIn(root: unknown): Frame[] {
  const found: Frame[] = [];
  const left: { readonly call: unknown; readonly depth: number; readonly isGone: boolean }[] = [
    { call: root, depth: 0, isGone: false },
  ];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { type, from, to, value, input, output, error, calls } = objectOf(next.call, 'call of a trace');
    const depth = next.depth + 1;
    const isGone = next.isGone || error !== undefined;
    found.push({
      type: String(type),
      from: toPrefixedHex(addressOf(from, 'from')),
      // A creation that failed has no address.
      to: to == null ? NOWHERE : toPrefixedHex(addressOf(to, 'to')),
      value: value == null ? '0x0' : quantity(quantityOf(value, 'value')),
      input: toPrefixedHex(dataOf(input ?? '0x', 'input')),
      output: toPrefixedHex(dataOf(output ?? '0x', 'output')),
      depth: next.depth,
      isGone,
    });
    for (const call of arrayOf(calls ?? [], 'calls').toReversed()) left.push({ call, depth, isGone });
  }
  return found;
}
