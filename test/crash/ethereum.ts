import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../fuzz/random.ts';
import { NodeProcess } from '../node-process.ts';
import { startIn, verify } from './commands.ts';
import { EthereumModel, inspectEthereum } from './ethereum-inspection.ts';
import { EthereumJournal } from './ethereum-journal.ts';
import { clientsOf, counterOf, EthereumLoad } from './ethereum-load.ts';
import { CrashFinding } from './finding.ts';
import { inKeptFolder } from './kept-folder.ts';
import { killMoment } from './kill-moment.ts';
import { describeKill, type LateKillPlan, nextKill } from './kill-plan.ts';

/** Options of a campaign. */
export interface EthereumKillOptions {
  readonly kills: number;
  /** Determines what clients do and when the node is killed; the machine's own timing it does not. */
  readonly seed: number;
  report(line: string): void;
}

/** The summary of a campaign without findings. */
export interface EthereumKillSummary {
  readonly blocks: number;
  readonly included: number;
  /** Transactions that replaced another one. */
  readonly replaced: number;
  /** Acknowledged transactions that were in no block after the kill, in all kills together. */
  readonly carried: number;
}

/** Clients that are at work at the same time, and ether that each begins with. */
const CLIENTS = 4;
const ETHER = 1_000n;
const WEI_PER_ETHER = 10n ** 18n;
const CHAIN_ID = 5_150;
/** Milliseconds that a start is taken to need until one was measured. */
const START_MS = 1_000;
/** Blocks at most after which nothing may wait any more. */
const LAST_BLOCKS = 12;

/**
 * Kills a node repeatedly while external keys send it raw transactions: with nonce gaps, in batches, and as
 * replacements. No acknowledged transaction may be lost or included twice.
 *
 * @throws CrashFinding for anything else; the folder stays then, and a journal in it
 */
export function runEthereumKills(options: EthereumKillOptions): Promise<EthereumKillSummary> {
  const start = (folder: string) => new EthereumKills(join(folder, 'node'), options.seed);
  return inKeptFolder({ name: 'ethereum', seed: options.seed }, start, async (run) => {
    await run.initialize();
    for (let kill = 1; kill <= options.kills; kill += 1) {
      options.report(`kill ${kill} of ${options.kills} under raw transactions: ${await run.next()}`);
    }
    return run.last();
  });
}

class EthereumKills {
  readonly #journal = new EthereumJournal(CLIENTS);
  readonly #folder: string;
  readonly #random: Random;
  readonly #model: EthereumModel;
  readonly #load: EthereumLoad;
  readonly #addresses: readonly string[];
  #node: NodeProcess | undefined;
  #startMs = START_MS;
  #carried = 0;

  constructor(folder: string, seed: number) {
    this.#folder = folder;
    this.#random = new Random(seed);
    const clients = clientsOf(seed, CLIENTS);
    this.#addresses = clients.map(({ address }) => address);
    this.#model = new EthereumModel(this.#addresses, ETHER * WEI_PER_ETHER, counterOf(clients));
    this.#load = new EthereumLoad(new Random(seed + 1), this.#journal, clients, CHAIN_ID);
  }

  async initialize(): Promise<void> {
    const accounts = this.#addresses.flatMap((address) => ['--ethereum-account', `${address}=${ETHER}`]);
    const words = ['init', '--data-dir', this.#folder, '--ethereum', '--chain-id', `${CHAIN_ID}`];
    const initialization = new NodeProcess([...words, ...accounts]);
    const { status } = await initialization.ended();
    if (status === 0) return;
    throw new CrashFinding(`init ends with status ${status}\n${initialization.output}`);
  }

  /** Runs the node until its end; returns a description. */
  async next(): Promise<string> {
    let plan = nextKill(this.#random);
    // How a chain begins is the same with and without Ethereum.
    while (plan.kind === 'founding') plan = nextKill(this.#random);
    if (plan.kind === 'start') await this.#killStart(plan.share);
    else await this.#live(plan);
    await verify(this.#folder, '--quick');
    const { byHash } = this.#journal;
    return `${describeKill(plan)}; height ${this.#model.hashes.length - 1}, ${byHash.size} sent`;
  }

  /** The life after the last kill: everything that was sent gets its block. */
  async last(): Promise<EthereumKillSummary> {
    const node = this.#start();
    const url = await profileOf(node);
    await inspectEthereum(url, this.#journal, this.#model);
    await this.#load.repeat(url);
    let waiting = await inspectEthereum(url, this.#journal, this.#model);
    for (let block = 0; waiting > 0 && block < LAST_BLOCKS; block += 1) {
      await node.madeBlocks(1);
      waiting = await inspectEthereum(url, this.#journal, this.#model);
    }
    if (waiting > 0) throw new CrashFinding(`${waiting} transactions get no block`);
    const { status } = await node.end('SIGTERM');
    if (status !== 0) throw new CrashFinding(`the node stops with status ${status}\n${node.output}`);
    await verify(this.#folder);
    return this.#summary();
  }

  /** Ends the node that a finding left behind. */
  async abandon(): Promise<void> {
    if (this.#node?.isRunning === true) await this.#node.end('SIGKILL');
    writeFileSync(join(this.#folder, '../journal.txt'), [...this.#journal.lines(), ''].join('\n'));
  }

  #summary(): EthereumKillSummary {
    const { hashes, included } = this.#model;
    const { places } = this.#journal;
    const all = included.reduce((sum, { length }) => sum + length, 0);
    const taken = places.reduce((sum, { length }) => sum + length, 0);
    if (all !== taken) throw new CrashFinding(`${all} nonces are in blocks, ${taken} were taken`);
    const first = new Set(places.flat().flatMap(([sent]) => sent?.hash ?? []));
    const replaced = included.flat().filter((hash) => !first.has(hash)).length;
    return { blocks: hashes.length - 1, included: all, replaced, carried: this.#carried };
  }

  async #live(plan: LateKillPlan): Promise<void> {
    const started = performance.now();
    const node = this.#start();
    const url = await profileOf(node);
    this.#startMs = performance.now() - started;
    if (plan.kind !== 'early') this.#carried += await inspectEthereum(url, this.#journal, this.#model);
    const ending = new AbortController();
    const loading = this.#load.run(url, ending.signal);
    const sending = () => this.#load.sending();
    const victim = { node, folder: this.#folder, signal: ending.signal, sending };
    try {
      await Promise.race([killMoment(plan, victim), loading]);
    } finally {
      ending.abort();
      await node.end('SIGKILL');
    }
    await loading;
  }

  async #killStart(share: number): Promise<void> {
    const node = this.#start();
    await delay(share * this.#startMs);
    await node.end('SIGKILL');
  }

  #start(): NodeProcess {
    this.#journal.life += 1;
    this.#node = startIn(this.#folder);
    return this.#node;
  }
}

async function profileOf(node: NodeProcess): Promise<string> {
  return new URL('ethereum', await node.ready()).href;
}
