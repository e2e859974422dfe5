import { cpSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { CrashChain } from '../crash/chain.ts';
import { verify } from '../crash/commands.ts';
import { sendCreation } from '../crash/creation.ts';
import { inspect } from '../crash/inspection.ts';
import { Journal } from '../crash/journal.ts';
import { headOf, isConnectionLost } from '../crash/node-client.ts';
import { NodeProcess } from '../node-process.ts';
import { endFaultyNode } from './ending.ts';
import { countCalls, type FaultChoice } from './shim.ts';

const INTERVAL = 0.2;
/** Transactions that are sent, one by one, and bytes of the code that they bring. */
const CREATIONS = 12;
const CREATION_BYTES = 9_000;
/** Blocks after which nothing may be pending: on a stalled machine a block has room for one transaction. */
const MORE_BLOCKS = 20;

/** A node that begins a chain and takes transactions while one call fails; then what another start finds. */
export class NodeScenario {
  readonly #chain: CrashChain;
  readonly #folder: string;

  /**
   * @param chain an initialised folder;
   * @param folder work folder, recreated for every run
   */
  constructor(chain: CrashChain, folder: string) {
    this.#chain = chain;
    this.#folder = folder;
  }

  /**
   * Runs once, with or without a fault; returns the number of calls.
   * @throws Error for any violation
   */
  run(fault: FaultChoice = {}): Promise<number> {
    return countCalls(this.#folder, fault, async (launcher) => {
      cpSync(this.#chain.folder, this.#folder, { recursive: true });
      const journal = new Journal();
      await this.#live(launcher, journal);
      await this.#restart(journal);
    });
  }

  async #live(launcher: readonly string[], journal: Journal): Promise<void> {
    const node = this.#start(launcher);
    try {
      const url = await node.ready();
      for (let serial = 0; serial < CREATIONS; serial += 1) {
        await sendCreation({ chain: this.#chain, url, journal }, serial, CREATION_BYTES);
      }
      await delay(2 * INTERVAL * 1_000);
      journal.show(await headOf(url));
    } catch (error) {
      // An ended node does not respond; its end is checked below.
      if (!isConnectionLost(error) && node.isRunning) throw error;
    }
    await endFaultyNode(node);
  }

  async #restart(journal: Journal): Promise<void> {
    journal.life += 1;
    const node = this.#start();
    try {
      const url = await node.ready();
      await node.madeBlocks(2);
      let { pending } = await inspect(url, journal, this.#chain.newModel());
      for (let block = 0; pending > 0 && block < MORE_BLOCKS; block += 1) {
        await node.madeBlocks(1);
        ({ pending } = await inspect(url, journal, this.#chain.newModel()));
      }
      if (pending > 0) throw new Error(`${pending} transactions get no block`);
    } finally {
      if (node.isRunning) await node.end('SIGTERM');
    }
    await verify(this.#folder);
  }

  #start(launcher: readonly string[] = []): NodeProcess {
    const words = ['start', '--data-dir', this.#folder, '--port', '0', '--min-free-space', '0'];
    return new NodeProcess([...words, '--block-interval', `${INTERVAL}`], launcher);
  }
}
