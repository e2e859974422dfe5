import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { BlockCommit } from './index.ts';

/**
 * A block whose content depends on its number alone: it writes, changes and removes entries of the state, small
 * and large ones. It runs in other processes too, by its text, so that it refers to nothing outside of it.
 */
export function loadBlock(number: number): BlockCommit {
  let seed = Math.imul(number + 1, 2_654_435_761) >>> 0;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  const changes = new Map<number, Uint8Array | undefined>();
  const removes = number % 11 === 10;
  for (let count = random(removes ? 1_000 : 100); count > 0; count -= 1) {
    const length = random(20) === 0 ? random(60_000) : random(300);
    const after = removes || random(3) === 0 ? undefined : new Uint8Array(length).fill(number);
    changes.set(random(5_000), after);
  }
  return {
    number,
    block: new Uint8Array(random(10) === 0 ? random(100_000) : 300).fill(number),
    transactions: [],
    receipts: [],
    operationHashes: [],
    logs: [],
    payers: [],
    state: [...changes].map(([index, after]) => ({
      key: Uint8Array.of(1, index >> 8, index),
      before: undefined,
      after,
    })),
    accumulator: new Uint8Array(32).fill(number),
  };
}

/** The compiled store, which `npm test` brings up to date: processes know no TypeScript. */
const COMPILED = new URL('../../dist/store/', import.meta.url).href;

const PRELUDE = `
import { createInterface } from 'node:readline';
import { openStore, openStoreForReading } from '${COMPILED}index.js';
import { Gate } from '${COMPILED}file/gate.js';
const words = process.argv.slice(1);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const nextLine = async () => (await lines.next()).value;
const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));
const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
${loadBlock}
`;

/** Characters of standard error that are stored. LMDB also writes the errors that it throws there. */
const ERRORS_LENGTH = 2_000;

/** The end of a process. */
export interface End {
  readonly status: number | null;
  readonly signal: string | null;
}

/**
 * Another process that works with a store. Its program finds `openStore`, `openStoreForReading`, `Gate`,
 * `loadBlock` and its `words`; it tells values by `say` and gets lines by `await nextLine()`.
 */
export class StoreProcess {
  readonly ended: Promise<End>;
  readonly #child: ChildProcess;
  readonly #said: AsyncIterator<string>;
  #errors = '';

  /** @param launcher a command line that the process is started through */
  constructor(program: string, words: readonly string[], launcher: readonly string[] = []) {
    const node = [process.execPath, '--input-type=module', '--eval', PRELUDE + program, ...words];
    const [command = '', ...rest] = [...launcher, ...node];
    this.#child = spawn(command, rest, { stdio: 'pipe' });
    this.#child.stderr?.on('data', (bytes: Buffer) => {
      this.#errors = (this.#errors + bytes.toString()).slice(-ERRORS_LENGTH);
    });
    this.ended = once(this.#child, 'exit').then(([status, signal]) => ({ status, signal }));
    const output = this.#child.stdout;
    if (output === null) throw new TypeError('a process without output');
    this.#said = createInterface({ input: output })[Symbol.asyncIterator]();
  }

  get processId(): number {
    return this.#child.pid ?? 0;
  }

  /** Returns the next value that the process reports. Fails if the process ends before. */
  async heard<T>(): Promise<T> {
    const { value, done } = await this.#said.next();
    if (done === true) {
      throw new TypeError(`the process ended: ${JSON.stringify(await this.ended)} ${this.#errors}`);
    }
    return JSON.parse(value);
  }

  tell(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
