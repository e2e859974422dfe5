import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endedByLibrary } from './ending.ts';
import { countCalls, type FaultChoice } from './shim.ts';

const LOAD = fileURLToPath(new URL('store-load.js', import.meta.url));
/** Time-out of a hanging process. */
const HANG_MS = 60_000;
/**
 * Exit statuses of the load: done or without space, rejected at opening, or a disk that failed within a
 * commit.
 */
const STATUSES = [0, 3, 5];

interface Told {
  readonly block?: number;
  readonly gone?: readonly number[];
  readonly pending?: number;
  readonly refused?: string;
  readonly message?: string;
}

interface Found {
  readonly head: number;
  readonly digest: string;
  readonly pending: readonly number[];
}

/** Runs a part of the load; gives its lines. @throws Error when it ends as it must not */
function run(task: string, folder: string, launcher: readonly string[] = []): unknown[] {
  const [command = '', ...words] = [...launcher, process.execPath, LOAD, task, folder];
  const { stdout, stderr, status, signal } = spawnSync(command, words, {
    encoding: 'utf8',
    timeout: HANG_MS,
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  const isEnd = signal === null && STATUSES.includes(status ?? -1);
  if (!isEnd && !endedByLibrary(signal, stderr)) {
    throw new Error(
      `${task} ends with ${signal ?? status}\n${lines.slice(-3).join('\n')}\n${stderr.slice(-2_000)}`,
    );
  }
  return lines.map((line) => JSON.parse(line));
}

/** Commits blocks and pending transactions to a store while one call fails, then reads it. */
export class StoreScenario {
  readonly #folder: string;
  readonly #digests: Readonly<Record<number, string>>;

  /** @param folder work folder, recreated for every run */
  constructor(folder: string) {
    this.#folder = folder;
    const [digests] = run('reference', folder);
    this.#digests = digests as Readonly<Record<number, string>>;
  }

  /**
   * Runs once, with or without a fault; returns the number of calls.
   * @throws Error for any violation
   */
  run(fault: FaultChoice = {}): Promise<number> {
    return countCalls(this.#folder, fault, async (launcher) => {
      mkdirSync(this.#folder);
      const path = join(this.#folder, 'store');
      const told = run('write', path, launcher) as Told[];
      if (fault.at === undefined && told.some(({ refused }) => refused !== undefined)) {
        throw new Error(`refused without a fault: ${JSON.stringify(told)}`);
      }
      const [found] = run('read', path) as Found[];
      if (found === undefined) throw new Error('nothing was told of the store');
      this.#compare(told, found);
    });
  }

  #compare(told: readonly Told[], { head, digest, pending }: Found): void {
    const answered = told.reduce((highest, { block }) => Math.max(highest, block ?? -1), -1);
    if (head < answered) throw new Error(`block ${answered} was answered, and the newest is ${head}`);
    if (head > answered + 1)
      throw new Error(`block ${head} is there, and ${answered} was the last to be answered`);
    if (digest !== this.#digests[head])
      throw new Error(`the tables after block ${head} are not what they should be`);
    const gone = new Set(told.flatMap((line) => line.gone ?? []));
    const waiting = told.flatMap((line) =>
      line.pending === undefined || gone.has(line.pending) ? [] : line.pending,
    );
    // The last block may be stored without an acknowledgement, with its removals.
    const missing = waiting.filter((sequence) => !pending.includes(sequence));
    if (missing.length > (head > answered ? 1 : 0)) {
      throw new Error(`${missing.join()} were answered and do not wait any more`);
    }
  }
}
