import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../fuzz/random.ts';
import type { NodeProcess } from '../node-process.ts';
import { type CrashChain, makeChain } from './chain.ts';
import type { ChainModel } from './chain-model.ts';
import { BLOCK_INTERVAL, startIn, verify } from './commands.ts';
import { CrashFinding } from './finding.ts';
import { type Inspected, inspect, inspectLookups } from './inspection.ts';
import { Journal } from './journal.ts';
import { killMoment } from './kill-moment.ts';
import { describeKill, type KillPlan, type LateKillPlan, nextKill } from './kill-plan.ts';
import { compileTally, Load } from './load.ts';

export interface CrashOptions {
  readonly kills: number;
  /** Determines what clients do and when the node is killed; the machine's own timing it does not. */
  readonly seed: number;
  /** Gets a line of progress for each kill. */
  report(line: string): void;
}

/** The summary of a campaign without findings. */
export interface CrashSummary {
  readonly kills: number;
  /** Kills by their kind. */
  readonly killsByKind: ReadonlyMap<KillPlan['kind'], number>;
  readonly blocks: number;
  /** Blocks that clients were shown. */
  readonly shown: number;
  /** Acknowledged transactions; those of them that expired; those without a response. */
  readonly given: number;
  readonly expired: number;
  readonly unanswered: number;
  /** Acknowledged transactions that were pending at a kill, in all kills together. */
  readonly carried: number;
}

/** Kills between two replays of the whole chain. */
const REPLAY_KILLS = 50;
/** Milliseconds that a start is taken to need until one was measured. */
const START_MS = 1_000;
/** A pause of this many milliseconds lets short transactions run out of time; one start of so many begins late. */
const PAUSE_MS = 2_500;
const PAUSE_SHARE = 20;
/** Blocks of the last run, after which nothing may be pending: on a busy machine a block has little room. */
const LAST_BLOCKS = 3;
const MORE_BLOCKS = 40;

/**
 * Kills a node repeatedly under load, and compares its data with its responses.
 *
 * @throws CrashFinding for any violation; the data folder stays then, with a journal beside it
 */
export async function runCrashCampaign(options: CrashOptions): Promise<CrashSummary> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-crash-'));
  const campaign = await Campaign.open(options, folder);
  try {
    const summary = await campaign.run();
    rmSync(folder, { recursive: true, force: true });
    return summary;
  } catch (error) {
    await campaign.abandon();
    writeFileSync(join(folder, 'journal.txt'), [...campaign.journal.lines(), ''].join('\n'));
    const message = error instanceof Error ? error.message : String(error);
    throw new CrashFinding(
      `seed ${options.seed}, start ${campaign.journal.life}: ${message}\n` +
        `the folders and what clients were told (journal.txt) are kept in ${folder}\n` +
        `again: npm run test:crash -- --kills ${options.kills} --seed ${options.seed}`,
      { cause: error },
    );
  }
}

class Campaign {
  readonly journal = new Journal();
  readonly #options: CrashOptions;
  readonly #chain: CrashChain;
  /** Folder of the node that all clients use, beside that of a node that creates its chain repeatedly. */
  readonly #folder: string;
  readonly #foundingFolder: string;
  readonly #model: ChainModel;
  readonly #random: Random;
  readonly #load: Load;
  readonly #killsByKind = new Map<KillPlan['kind'], number>();
  #node: NodeProcess | undefined;
  #kills = 0;
  #startMs = START_MS;
  /** The newest block that the previous run reported. */
  #height = 0;
  #carried = 0;

  private constructor(
    options: CrashOptions,
    chain: CrashChain,
    folder: string,
    load: (journal: Journal, model: ChainModel) => Load,
  ) {
    this.#options = options;
    this.#chain = chain;
    this.#folder = join(folder, 'node');
    this.#foundingFolder = join(folder, 'founding');
    this.#model = chain.newModel();
    this.#random = new Random(options.seed);
    this.#load = load(this.journal, this.#model);
  }

  static async open(options: CrashOptions, folder: string): Promise<Campaign> {
    const initialized = join(folder, 'initialized');
    const [chain, tally] = await Promise.all([makeChain(initialized, options.seed), compileTally()]);
    cpSync(initialized, join(folder, 'node'), { recursive: true });
    const random = new Random(options.seed + 1);
    const { signers, chainId } = chain;
    return new Campaign(
      options,
      chain,
      folder,
      (journal, model) => new Load({ random, journal, model, signers, chainId, tally }),
    );
  }

  async run(): Promise<CrashSummary> {
    await this.#kill({ kind: 'any', milliseconds: BLOCK_INTERVAL * 1_000 });
    while (this.#kills < this.#options.kills) {
      await this.#kill(nextKill(this.#random));
      if (this.#kills % REPLAY_KILLS === 0) await verify(this.#folder);
      if (this.#random.oneIn(PAUSE_SHARE)) await delay(PAUSE_MS);
    }
    const { included, expired } = await this.#lastLife();
    await verify(this.#folder, '--quick');
    await verify(this.#folder);
    const { journal } = this;
    return {
      kills: this.#kills,
      killsByKind: this.#killsByKind,
      blocks: this.#model.height,
      shown: journal.shown.size,
      given: included + expired,
      expired,
      unanswered: journal.unanswered.size,
      carried: this.#carried,
    };
  }

  /** Ends the node that a finding left behind. */
  async abandon(): Promise<void> {
    if (this.#node?.isRunning === true) await this.#node.end('SIGKILL');
  }

  async #kill(plan: KillPlan): Promise<void> {
    if (plan.kind === 'founding') await this.#found(plan.share * this.#startMs);
    else if (plan.kind === 'start') await this.#killStart(this.#folder, plan.share * this.#startMs);
    else await this.#live(plan);
    await verify(this.#folder, '--quick');
    this.#kills += 1;
    this.#killsByKind.set(plan.kind, (this.#killsByKind.get(plan.kind) ?? 0) + 1);
    const { given, unanswered } = this.journal;
    this.#options.report(
      `kill ${this.#kills} of ${this.#options.kills}: ${describeKill(plan)}; ` +
        `height ${this.#model.height}, ${given.size} hashes given, ${unanswered.size} requests unanswered`,
    );
  }

  /** One start of the node, with clients, and its end. */
  async #live(plan: LateKillPlan): Promise<void> {
    const started = performance.now();
    const node = this.#start(this.#folder);
    const url = await node.ready();
    this.#startMs = performance.now() - started;
    if (plan.kind !== 'early') await this.#inspect(url);
    const ending = new AbortController();
    const sending = () => this.#load.sending();
    const victim = { node, folder: this.#folder, signal: ending.signal, sending };
    const loading = this.#load.run(url, ending.signal);
    try {
      await Promise.race([killMoment(plan, victim), loading]);
    } finally {
      ending.abort();
      await node.end('SIGKILL');
      this.#height = Math.max(this.#height, node.height);
    }
    await loading;
  }

  async #killStart(folder: string, milliseconds: number): Promise<void> {
    const node = this.#start(folder);
    await delay(milliseconds);
    await node.end('SIGKILL');
  }

  /** A node that is killed while it begins its chain begins it with its next start. */
  async #found(milliseconds: number): Promise<void> {
    const folder = this.#foundingFolder;
    rmSync(folder, { recursive: true, force: true });
    cpSync(this.#chain.folder, folder, { recursive: true });
    await this.#killStart(folder, milliseconds);
    const node = this.#start(folder);
    await inspect(await node.ready(), new Journal(), this.#chain.newModel());
    await node.madeBlocks(1);
    await node.end('SIGKILL');
    await verify(folder, '--quick');
  }

  /** The life after the last kill, which ends as it should; until then everything gets its block. */
  async #lastLife(): Promise<Inspected> {
    const node = this.#start(this.#folder);
    const url = await node.ready();
    await this.#inspect(url);
    await node.madeBlocks(LAST_BLOCKS);
    let inspected = await inspect(url, this.journal, this.#model);
    for (let block = 0; inspected.pending > 0 && block < MORE_BLOCKS; block += 1) {
      await node.madeBlocks(1);
      inspected = await inspect(url, this.journal, this.#model);
    }
    if (inspected.pending > 0) throw new CrashFinding(`${inspected.pending} transactions get no block`);
    await inspectLookups(url, this.journal, this.#model);
    const { status } = await node.end('SIGTERM');
    if (status !== 0) throw new CrashFinding(`the node stops with status ${status}\n${node.output}`);
    return inspected;
  }

  #start(folder: string): NodeProcess {
    this.journal.life += 1;
    this.#node = startIn(folder);
    return this.#node;
  }

  /** Inspects a node that was just started. */
  async #inspect(url: string): Promise<void> {
    const inspected = await inspect(url, this.journal, this.#model);
    for (const name of this.journal.given.keys()) {
      if ((this.#model.included.get(name) ?? 0) > this.#height) this.#carried += 1;
    }
    this.#carried += inspected.pending;
    this.#height = inspected.height;
  }
}
