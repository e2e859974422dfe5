import { deepStrictEqual } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../fuzz/random.ts';
import { NodeProcess } from '../node-process.ts';
import { verify } from './commands.ts';
import { CrashFinding } from './finding.ts';
import { inKeptFolder } from './kept-folder.ts';
import { callAll, isConnectionLost, resultsOf } from './node-client.ts';

/** Options of a campaign. */
export interface RevertKillOptions {
  readonly kills: number;
  /** Seed of the requests and the kills; the machine's timing is not determined. */
  readonly seed: number;
  report(line: string): void;
}

/** Numbers of kills by the state afterwards: reverted, or not. */
export interface RevertKillSummary {
  readonly reverted: number;
  readonly notReverted: number;
}

/** A snapshot, and a client's view at its time. */
interface Taken {
  readonly id: string;
  readonly seen: unknown;
}

/** Blocks and transactions at most above a snapshot, so that a revert takes its time. */
const BLOCKS_MAX = 120;
/** Milliseconds from a revert to the kill at most. */
const KILL_MS = 40;
const [FROM, TO] = [
  '0x0000000000000000000000000000000000000400',
  '0x0000000000000000000000000000000000000401',
];
/** Is impersonated from time to time. */
const STRANGER = '0x1111111111111111111111111111111111111111';
const IMPERSONATING = ['anvil_impersonateAccount', 'anvil_stopImpersonatingAccount'];

/**
 * Kills a test node repeatedly while it reverts to a snapshot: afterwards the state must be that before the revert, or
 * that of the snapshot.
 *
 * @throws CrashFinding for anything else; the folder stays then
 */
export function runRevertKills(options: RevertKillOptions): Promise<RevertKillSummary> {
  const start = (folder: string) => new RevertKills(folder, new Random(options.seed));
  return inKeptFolder({ name: 'reverts', seed: options.seed }, start, async (run, folder) => {
    for (let kill = 0; kill < options.kills; kill += 1) {
      options.report(`revert ${kill + 1}: ${await run.next()}`);
    }
    await verify(folder);
    return run.summary;
  });
}

class RevertKills {
  readonly summary = { reverted: 0, notReverted: 0 };
  readonly #folder: string;
  readonly #random: Random;
  #node: NodeProcess | undefined;
  #taken: Taken[] = [];
  /** The last requested revert, and the view before it; undefined before the first one. */
  #asked: { readonly to: Taken; readonly before: unknown; readonly answered: boolean } | undefined;

  constructor(folder: string, random: Random) {
    this.#folder = folder;
    this.#random = random;
  }

  async next(): Promise<string> {
    // Without instant blocks, so that transactions are pending.
    const words = ['--data-dir', this.#folder, '--port', '0', '--no-mining', '--log-format', 'json'];
    this.#node = new NodeProcess(['start', '--test', ...words]);
    const url = await this.#node.ready();
    const outcome = await this.#check(url);
    await this.#prepare(url);
    await this.#revertAndKill(url, this.#node);
    return outcome;
  }

  async abandon(): Promise<void> {
    if (this.#node?.isRunning === true) await this.#node.end('SIGKILL');
  }

  /** Checks that the state after a kill is one of the two expected ones, with its snapshots. */
  async #check(url: string): Promise<string> {
    if (this.#asked === undefined) return 'the first life';
    const { to, before, answered } = this.#asked;
    const seen = await seenAt(url);
    const [there] = await resultsOf<boolean>(url, [['evm_revert', to.id, { keep: true }]]);
    if (there === true && answered) throw new CrashFinding(`${to.id} is there after its revert was answered`);
    deepStrictEqual(seen, there === true ? before : to.seen);
    deepStrictEqual(await seenAt(url), to.seen);
    const index = this.#taken.indexOf(to);
    this.#taken.length = there === true ? index + 1 : index;
    this.summary[there === true ? 'notReverted' : 'reverted'] += 1;
    return there === true ? 'all as before it' : 'done';
  }

  async #prepare(url: string): Promise<void> {
    const random = this.#random;
    await this.#take(url);
    const count = random.below(BLOCKS_MAX);
    for (let done = 0; done < count; done += 1) {
      const value = `0x${(1 + done).toString(16)}`;
      await callAll(url, [['eth_sendTransaction', { from: FROM, to: TO, value, gas: '0x14' }]]);
      if (!random.oneIn(4)) await callAll(url, [['evm_mine']]);
      if (random.oneIn(20)) await callAll(url, [['personal_newAccount', 'a passphrase']]);
      if (random.oneIn(20)) await callAll(url, [['evm_increaseTime', 1 + random.below(100)]]);
      if (random.oneIn(20)) await callAll(url, [[random.pick(IMPERSONATING), STRANGER]]);
      if (random.oneIn(40)) await this.#take(url);
    }
  }

  async #take(url: string): Promise<void> {
    const seen = await seenAt(url);
    const [id = ''] = await resultsOf<string>(url, [['evm_snapshot']]);
    this.#taken.push({ id, seen });
  }

  async #revertAndKill(url: string, node: NodeProcess): Promise<void> {
    const to = this.#random.pick(this.#taken);
    const before = await seenAt(url);
    let answered = false;
    const reverting = resultsOf(url, [['evm_revert', to.id]]).then(
      () => {
        answered = true;
      },
      (error: unknown) => {
        if (!isConnectionLost(error)) throw error;
      },
    );
    await delay(this.#random.below(KILL_MS));
    await node.end('SIGKILL');
    await reverting;
    this.#asked = { to, before, answered };
  }
}

/** Reads the chain, its pending transactions, and the data beside the store. */
async function seenAt(url: string): Promise<unknown> {
  const [isImpersonated] = await resultsOf(url, [['evm_removeAccount', STRANGER, '']]);
  if (isImpersonated === true) await callAll(url, [['evm_addAccount', STRANGER, '']]);
  const seen = await resultsOf(url, [
    ['eth_getBlockByNumber', 'latest', true],
    ['eth_getBalance', FROM],
    ['eth_getBalance', TO],
    ['eth_getTransactionCount', FROM],
    ['eth_pendingTransactions'],
    // Of these the wallet has keys: those that were registered after the block go with it.
    ['eth_accounts'],
    // By how much the clock is ahead.
    ['evm_increaseTime', 0],
  ]);
  return [isImpersonated, ...seen];
}
