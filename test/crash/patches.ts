import { deepStrictEqual } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../fuzz/random.ts';
import { NodeProcess } from '../node-process.ts';
import { verify } from './commands.ts';
import { inKeptFolder } from './kept-folder.ts';
import { isConnectionLost, resultsOf } from './node-client.ts';

/** Options of a campaign. */
export interface PatchKillOptions {
  readonly kills: number;
  /** Seed of the requests and the kills; the machine's timing is not determined. */
  readonly seed: number;
  report(line: string): void;
}

/** The summary of a campaign without findings. */
export interface PatchKillSummary {
  /** Acknowledged changes. */
  readonly answered: number;
  /** Kills after which an unacknowledged change was found. */
  readonly unanswered: number;
}

/** Milliseconds from a start to the kill at most. */
const KILL_MS = 400;
const [FROM, TO] = [
  '0x0000000000000000000000000000000000000400',
  '0x0000000000000000000000000000000000000401',
];
const ANYWHERE = '0x1111111111111111111111111111111111111111';

type Request = readonly [method: string, ...params: unknown[]];

/** The change of a number: each sets the next of these to it, and some make a block. */
function changeOf(number: number): Request {
  const value = `0x${number.toString(16)}`;
  const changes: readonly Request[] = [
    ['tenderly_setBalance', [FROM, TO], value],
    ['anvil_setStorageAt', ANYWHERE, '0x0', value],
    ['anvil_setCode', ANYWHERE, `0x${number.toString(16).padStart(8, '0')}`],
    ['anvil_setNonce', FROM, value],
    ['evm_mine'],
  ];
  return changes[number % changes.length] ?? ['evm_mine'];
}

/** Returns the state that a client reads after a number of changes. */
function stateAfter(count: number): readonly unknown[] {
  const last = (kind: number): number => {
    for (let number = count; number > 0; number -= 1) if (number % 5 === kind) return number;
    return 0;
  };
  const balance = last(0) === 0 ? '0x16345785d8a0000' : `0x${last(0).toString(16)}`;
  const code = last(2) === 0 ? '' : `0x${last(2).toString(16).padStart(8, '0')}`;
  const slot = `0x${last(1).toString(16).padStart(64, '0')}`;
  const blocks = `0x${Math.floor((count + 1) / 5).toString(16)}`;
  return [balance, balance, slot, code, `0x${last(3).toString(16)}`, blocks];
}

/**
 * Kills a test node repeatedly while it changes the state without blocks: afterwards all acknowledged changes must be
 * there, at most one more, and each completely.
 *
 * @throws CrashFinding for anything else; the folder stays then
 */
export function runPatchKills(options: PatchKillOptions): Promise<PatchKillSummary> {
  const start = (folder: string) => new PatchKills(folder, new Random(options.seed));
  return inKeptFolder({ name: 'patches', seed: options.seed }, start, async (run, folder) => {
    for (let kill = 0; kill < options.kills; kill += 1) {
      options.report(`change ${kill + 1}: ${await run.next()}`);
      await verify(folder, '--quick');
    }
    await run.next();
    await verify(folder);
    return run.summary;
  });
}

class PatchKills {
  readonly summary = { answered: 0, unanswered: 0 };
  readonly #folder: string;
  readonly #random: Random;
  #node: NodeProcess | undefined;
  /** Number of changes that must be there. */
  #count = 0;

  constructor(folder: string, random: Random) {
    this.#folder = folder;
    this.#random = random;
  }

  async next(): Promise<string> {
    const words = ['--data-dir', this.#folder, '--port', '0', '--log-format', 'json'];
    this.#node = new NodeProcess(['start', '--test', ...words]);
    const url = await this.#node.ready();
    await this.#check(url);
    const before = this.#count;
    const changing = this.#change(url);
    await delay(this.#random.below(KILL_MS));
    await this.#node.end('SIGKILL');
    await changing;
    return `killed after ${this.#count - before} changes`;
  }

  async abandon(): Promise<void> {
    if (this.#node?.isRunning === true) await this.#node.end('SIGKILL');
  }

  /** Checks the changes; an unacknowledged one may be there. */
  async #check(url: string): Promise<void> {
    const seen = await resultsOf(url, [
      ['eth_getBalance', FROM],
      ['eth_getBalance', TO],
      ['eth_getStorageAt', ANYWHERE, '0x0'],
      ['eth_getCode', ANYWHERE],
      ['eth_getTransactionCount', FROM],
      ['eth_blockNumber'],
    ]);
    const isFurther = JSON.stringify(seen) === JSON.stringify(stateAfter(this.#count + 1));
    if (isFurther) {
      this.#count += 1;
      this.summary.unanswered += 1;
    }
    deepStrictEqual(seen, stateAfter(this.#count));
  }

  /** Makes changes, one after the other, until the node ends. */
  async #change(url: string): Promise<void> {
    try {
      for (;;) {
        await resultsOf(url, [changeOf(this.#count + 1)]);
        this.#count += 1;
        this.summary.answered += 1;
      }
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
    }
  }
}
