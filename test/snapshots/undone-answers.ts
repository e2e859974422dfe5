import { deepStrictEqual } from 'node:assert';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { DEFAULT_CONFIGURATION, startTestNode } from '../../src/node/index.ts';
import { Random } from '../fuzz/random.ts';
import { workersOf } from '../processes/nodes.ts';
import { dataIn, inputIn, inputsIn, serialOf, wordOf, wordsOnStacks } from './serial-numbers.ts';

/** Options of a campaign. */
export interface UndoneAnswersOptions {
  readonly sequences: number;
  /** Seed of the changes and reverts; the reads depend on the speed of the responses. */
  readonly seed: number;
  /** Number of worker processes. */
  readonly workers: number;
  /** Gets a line of progress every now and then. */
  report?(line: string): void;
}

/** The summary of a campaign without findings. */
export interface UndoneAnswersSummary {
  readonly sequences: number;
  readonly reverts: number;
  /** Concurrent reads. */
  readonly reads: number;
  /** Reads that were sent before a revert and got their response after it. */
  readonly late: number;
  /** Reads during which nothing changed, so that only one response was correct. */
  readonly exact: number;
}

/** Steps of a sequence at most. */
const STEPS_MAX = 12;
/** Reads in flight at any time. */
const READS_AT_ONCE = 8;
/** One of so many of them is a trace, which takes longer. */
const TRACED = 20;
const PROGRESS_EVERY = 50;
const SENDER = '0x0000000000000000000000000000000000000400';
const GAS = '0x186a0';
/** Stores the word of its input in slot 0 and logs it; without input it returns the slot. */
const CONTRACT = '0x6019600a5f3960195ff336600c575f545f5260205ff35b5f35805f555f5260205fa000';

/** A serial number that was written, and the transaction that did it; undefined for a change without a block. */
interface Written {
  readonly serial: number;
  readonly hash: string | undefined;
}

/** A read of the written numbers. */
interface Question {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Returns the serial numbers in a response. */
  serialsIn(result: unknown): readonly number[];
  /** Those that there are while nothing changes; absent: that depends. */
  expected?(): readonly number[];
}

/** A response on arrival. */
interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/**
 * Writes serial numbers and takes them back, at random, while they are read without a pause: what comes after the
 * answer of a revert, asked before that or after it, knows nothing of what was taken back. All goes over one WebSocket,
 * whose order is that of the answers.
 *
 * @throws an error for the first answer that knows of it
 */
export async function runUndoneAnswers(options: UndoneAnswersOptions): Promise<UndoneAnswersSummary> {
  const { sequences, seed, workers, report } = options;
  const node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, workers });
  const socket = new WebSocket(node.url.replace('http', 'ws'));
  try {
    await once(socket, 'open');
    while ((await workersOf(node)) < workers) await new Promise(setImmediate);
    const run = new Run(socket, new Random(seed));
    await run.deploy();
    const reading = run.readOn();
    const writing = async (): Promise<void> => {
      for (let done = 1; done <= sequences; done += 1) {
        await run.sequence();
        if (done % PROGRESS_EVERY === 0) report?.(`sequences ${done}: ${JSON.stringify(run.counts)}`);
      }
      run.isOver = true;
    };
    await Promise.all([writing(), reading]);
    return { sequences, ...run.counts };
  } finally {
    socket.terminate();
    await node.close();
  }
}

/** One chain and its expected content. */
class Run {
  readonly #socket: WebSocket;
  readonly #random: Random;
  readonly #awaited = new Map<number, (answer: Answer) => void>();
  readonly counts = { reverts: 0, reads: 0, late: 0, exact: 0 };
  isOver = false;
  #contract = '';
  #questions = 0;
  #serials = 0;
  /** The operations of the chain, oldest first. */
  #written: readonly Written[] = [];
  /** Serial numbers of all reverted changes. */
  readonly #undone = new Set<number>();
  #lastUndone: Written | undefined;
  #snapshots: { readonly id: unknown; readonly written: readonly Written[] }[] = [];
  /** Number of begun and ended changes: odd while one is in flight. */
  #turns = 0;

  constructor(socket: WebSocket, random: Random) {
    this.#socket = socket;
    this.#random = random;
    socket.on('message', (text) => {
      const answer: Answer = JSON.parse(String(text));
      this.#awaited.get(answer.id)?.(answer);
      this.#awaited.delete(answer.id);
    });
  }

  async deploy(): Promise<void> {
    const transaction = { from: SENDER, data: CONTRACT, gas: GAS };
    const hash = await this.#change('eth_sendTransaction', [transaction], (result) => result);
    await this.#ask('eth_getTransactionReceipt', [hash], ({ result }) => {
      this.#contract = String(Object(result).contractAddress);
    });
    await this.#write();
  }

  async sequence(): Promise<void> {
    await this.#takeSnapshot();
    const steps = 1 + this.#random.below(STEPS_MAX);
    for (let done = 0; done < steps; done += 1) {
      const step = this.#random.pickWeighted<() => Promise<unknown>>([
        [6, () => this.#write()],
        [2, () => this.#patch()],
        [2, () => this.#takeSnapshot()],
        [4, () => this.#readAlone()],
        [3, () => this.#goBack(this.#random.below(this.#snapshots.length), this.#random.oneIn(2))],
      ]);
      if (this.#snapshots.length === 0) await this.#takeSnapshot();
      await step();
    }
    if (this.#snapshots.length > 0) await this.#goBack(0, false);
  }

  /** Reads without a pause until all is over. */
  async readOn(): Promise<void> {
    const reader = async (): Promise<void> => {
      while (!this.isOver) {
        const questions = this.#random.oneIn(TRACED) ? this.#traces() : this.#lookUps();
        await this.#read(this.#random.pick(questions));
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, reader));
  }

  #write(): Promise<unknown> {
    this.#serials += 1;
    const serial = this.#serials;
    const transaction = { from: SENDER, to: this.#contract, data: wordOf(serial), gas: GAS };
    return this.#change('eth_sendTransaction', [transaction], (hash) => {
      this.#written = [...this.#written, { serial, hash: String(hash) }];
    });
  }

  /** Reads what there is while nothing changes. */
  async #readAlone(): Promise<void> {
    for (const question of this.#lookUps()) {
      if (question.expected !== undefined) await this.#read(question);
    }
  }

  /** Writes without a block. */
  #patch(): Promise<unknown> {
    this.#serials += 1;
    const serial = this.#serials;
    return this.#change('anvil_setStorageAt', [this.#contract, '0x0', wordOf(serial)], () => {
      this.#written = [...this.#written, { serial, hash: undefined }];
    });
  }

  #takeSnapshot(): Promise<unknown> {
    return this.#change('evm_snapshot', [], (id) => {
      this.#snapshots.push({ id, written: this.#written });
    });
  }

  async #goBack(index: number, keep: boolean): Promise<void> {
    const snapshot = this.#snapshots[index];
    if (snapshot === undefined) return;
    await this.#change('evm_revert', [snapshot.id, { keep }], (isDone) => {
      deepStrictEqual(isDone, true);
      const undone = this.#written.slice(snapshot.written.length);
      for (const { serial } of undone) this.#undone.add(serial);
      this.#lastUndone = undone.findLast(({ hash }) => hash !== undefined) ?? this.#lastUndone;
      this.#written = snapshot.written;
      this.#snapshots.length = keep ? index + 1 : index;
      this.counts.reverts += 1;
    });
  }

  /** Hashes of the first transaction, and of the newest reverted one, or of the first without one. */
  get #hashes(): { readonly first: string | undefined; readonly undone: string | undefined } {
    const first = this.#written.find(({ hash }) => hash !== undefined)?.hash;
    return { first, undone: this.#lastUndone?.hash ?? first };
  }

  #traces(): readonly Question[] {
    const method = 'debug_traceTransaction';
    const { first, undone } = this.#hashes;
    return [
      { method, params: [undone, { tracer: 'callTracer' }], serialsIn: inputIn },
      { method, params: [undone, {}], serialsIn: wordsOnStacks },
      { method, params: [first, {}], serialsIn: wordsOnStacks },
    ];
  }

  #lookUps(): readonly Question[] {
    const newest = (): readonly number[] => this.#written.slice(-1).map(({ serial }) => serial);
    const call = { to: this.#contract, data: '0x' };
    const logs = { address: this.#contract, fromBlock: '0x0', toBlock: 'latest' };
    const { undone } = this.#hashes;
    return [
      { method: 'eth_call', params: [call, 'latest'], serialsIn: serialOf, expected: newest },
      {
        method: 'eth_getStorageAt',
        params: [this.#contract, '0x0', 'latest'],
        serialsIn: serialOf,
        expected: newest,
      },
      {
        method: 'eth_getLogs',
        params: [logs],
        serialsIn: dataIn,
        expected: () => this.#written.flatMap(({ serial, hash }) => (hash === undefined ? [] : serial)),
      },
      {
        method: 'eth_getBlockByNumber',
        params: ['latest', true],
        serialsIn: (block) => inputsIn(Object(block).transactions),
      },
      {
        method: 'eth_getTransactionReceipt',
        params: [undone],
        serialsIn: (receipt) => dataIn(Object(receipt).logs ?? []),
      },
      { method: 'eth_getTransactionByHash', params: [undone], serialsIn: inputIn },
    ];
  }

  #read({ method, params, serialsIn, expected }: Question): Promise<unknown> {
    const [turns, { reverts }] = [this.#turns, this.counts];
    return this.#ask(method, params, ({ result }) => {
      const serials = result === undefined || result === null ? [] : serialsIn(result);
      const undone = serials.filter((serial) => this.#undone.has(serial));
      const words = `${method} ${JSON.stringify(params)}`;
      deepStrictEqual(undone, [], `${words} answers ${JSON.stringify(result)}, which was taken back`);
      this.counts.reads += 1;
      if (reverts !== this.counts.reverts) this.counts.late += 1;
      if (expected === undefined || turns % 2 === 1 || turns !== this.#turns) return;
      deepStrictEqual(serials, expected(), words);
      this.counts.exact += 1;
    });
  }

  /** Sends a change, which takes effect with its response. */
  #change<T>(method: string, params: readonly unknown[], taken: (result: unknown) => T): Promise<T> {
    this.#turns += 1;
    return this.#ask(method, params, ({ result, error }) => {
      deepStrictEqual(error, undefined);
      const value = taken(result);
      this.#turns += 1;
      return value;
    });
  }

  /** Sends a request and processes its response at once, before any other is read. */
  #ask<T>(method: string, params: readonly unknown[], taken: (answer: Answer) => T): Promise<T> {
    this.#questions += 1;
    const id = this.#questions;
    return new Promise((resolve, reject) => {
      this.#awaited.set(id, (answer) => {
        try {
          resolve(taken(answer));
        } catch (error) {
          reject(error);
        }
      });
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }
}
