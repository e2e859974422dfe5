import { blockCodec, decode } from '../../src/protocol/index.ts';
import { Random } from '../fuzz/random.ts';
import { LogServers } from './block-log.ts';
import { GENESIS_TIME, genesisWith, idOfGenesis, PRODUCER_KEYS } from './chain.ts';
import { Checker } from './checker.ts';
import { Clients } from './clients.ts';
import { VirtualClock } from './clock.ts';
import { ExchangeHub } from './exchange.ts';
import { startFaults } from './faults.ts';
import { Machine, type Mutation, type Surroundings } from './machine.ts';
import { Network } from './network.ts';

const SECOND_MS = 1_000;
const MACHINES_MIN = 3;
const MACHINES_MAX = 5;
/** Least duration of the phase with faults. */
const FAULTS_MS_MIN = 10_000;
const FAULTS_MS_MAX = 40_000;
/** Time without faults after which all valid transactions must be included soon. */
const RECOVERY_MS = 15_000;
/** So many blocks come meanwhile at least. */
const RECOVERY_BLOCKS_MIN = 8;
/** Error of a clock at the end, and its duration. */
const WRONG_CLOCK_MS = 20_000;
const WRONG_CLOCK_FOR_MS = 40_000;
/** Least number of producers whose majority identifies a wrong clock. */
const MAJORITY_PRODUCERS_MIN = 3;
/** Time without faults after which every accepted transaction has an outcome. */
const END_MS_MAX = 120_000;
/** Final period without appends, in which all nodes reach the same block. */
const STILL_MS = 5_000;
/** The most milliseconds after which a machine starts again. */
const DOWN_MS_MAX = 6_000;
/** Of how many ends of processes one is followed by a copy of the disk. */
const BACKUP_ONE_IN = 4;
/** Greatest initial error of a clock, and its drift in millionths. */
const WRONG_MS_MAX = 3_000;
const DRIFT_MAX = 500;

/** The outcome of a run. */
export interface Outcome {
  readonly seed: number;
  /** Violated guarantees; empty if all hold. */
  readonly violations: readonly string[];
  /** The events of the run, a line each. */
  readonly journal: readonly string[];
  readonly counts: Readonly<Record<Count, number>>;
}

/** Counted events of a run. */
export type Count =
  | 'machines'
  /** Processes that were started. */
  | 'starts'
  | 'faults'
  /** Clocks that were set wrong at the end. */
  | 'wrongClocks'
  | 'blocks'
  /** Producers that had no block in time. */
  | 'passedOver'
  /** Blocks that lost their number to another one. */
  | 'conflict'
  /** Blocks of unknown outcome. */
  | 'ambiguous'
  /** Transactions that a machine accepted, by machine. */
  | 'answered'
  /** Transactions in the chain. */
  | 'included'
  /** Those of them that are Ethereum's. */
  | 'ethereum';

/** Simulates a cluster with injected faults, all determined by the seed. */
export async function simulate(seed: number, mutation?: Mutation): Promise<Outcome> {
  const simulation = new Simulation(seed, mutation);
  try {
    return await simulation.run();
  } finally {
    await simulation.remove();
  }
}

class Simulation {
  readonly #seed: number;
  readonly #random: Random;
  readonly #clock = new VirtualClock(GENESIS_TIME * SECOND_MS);
  readonly #around: Surroundings;
  readonly #machines: readonly Machine[];
  readonly #clients: Clients;
  readonly #faults: Random;
  readonly #journal: string[] = [];
  readonly #counts: Record<Count, number>;
  /** Machines that start when what happens now has happened. */
  readonly #starting = new Set<Machine>();
  /** Machines that start some time. */
  readonly #waiting = new Set<Machine>();
  #isMended = false;

  constructor(seed: number, mutation: Mutation | undefined) {
    this.#seed = seed;
    const root = new Random(seed);
    const another = (): Random => new Random(root.next());
    this.#random = another();
    const machines = MACHINES_MIN + this.#random.below(MACHINES_MAX - MACHINES_MIN + 1);
    // Some runs have machines that make no blocks.
    const producers = this.#random.oneIn(3) ? 1 + this.#random.below(machines) : machines;
    this.#counts = {
      ...{ machines, starts: 0, faults: 0, wrongClocks: 0, blocks: 0, passedOver: 0 },
      ...{ conflict: 0, ambiguous: 0, answered: 0, included: 0, ethereum: 0 },
    };
    // Some chains know Ethereum, and their clients send its transactions as well.
    const genesis = genesisWith(producers, this.#random.oneIn(2));
    const clock = this.#clock;
    const network = new Network(clock, another(), this.#networkAtFirst());
    const servers = new LogServers(clock, another(), mutation !== 'appendWithoutCompare');
    this.#around = {
      ...{ clock, network, servers, genesis, mutation },
      random: another(),
      hub: new ExchangeHub(network),
      clocks: new ExchangeHub(network),
      checker: new Checker(servers),
      note: (line) => this.#note(line),
      count: (what) => {
        this.#counts[what] += 1;
      },
    };
    this.#machines = Array.from({ length: machines }, (_, index) => {
      const key = index < producers ? PRODUCER_KEYS[index] : undefined;
      return new Machine(`m${index}`, this.#around, this.#clockAtFirst(), key === undefined ? [] : [key]);
    });
    this.#clients = new Clients(this.#around, this.#machines, another());
    this.#faults = another();
  }

  async run(): Promise<Outcome> {
    const { checker, servers } = this.#around;
    const phases = [
      () => this.#letGoWrong(),
      () => this.#recover(),
      () => this.#judgeClock(),
      () => this.#end(),
    ];
    for (const phase of phases) {
      if (checker.violations.length === 0) await phase();
    }
    this.#counts.blocks = servers.head;
    this.#counts.answered = this.#clients.answered;
    this.#counts.included = checker.includedCount();
    this.#counts.ethereum = checker.ethereumCount();
    this.#counts.passedOver = checker.passedOverCount();
    const { violations } = checker;
    return { seed: this.#seed, violations, journal: this.#journal, counts: this.#counts };
  }

  /** Starts all machines, and injects faults for a while. */
  async #letGoWrong(): Promise<void> {
    const { servers, genesis } = this.#around;
    const until = FAULTS_MS_MIN + this.#random.below(FAULTS_MS_MAX - FAULTS_MS_MIN);
    servers.onLanded(() => this.#note(`the log has ${describeNewest(servers)}`));
    servers.begin(await idOfGenesis(genesis));
    for (const machine of this.#machines) this.#starting.add(machine);
    await this.#startAll();
    this.#clients.start(until);
    startFaults(this.#faults, this.#around, this.#machines, until);
    await this.#passUntil(until);
  }

  /** Ends the faults; soon the chain must continue normally. */
  async #recover(): Promise<void> {
    const { checker, servers } = this.#around;
    const before = servers.head;
    this.#mend();
    await this.#passUntil(this.#clock.now() + RECOVERY_MS);
    const blocks = servers.head - before;
    if (blocks < RECOVERY_BLOCKS_MIN) checker.violate(`only ${blocks} blocks came in ${RECOVERY_MS} ms`);
    for (const { name, node } of this.#machines) {
      for (const problem of node?.runtime.health().problems ?? []) {
        // Blocks of a clock that was ahead stay.
        if (!problem.includes('clock')) checker.violate(`${name} has a problem: ${problem}`);
      }
    }
  }

  /** Sets one machine's clock wrong: only that machine must report it. */
  async #judgeClock(): Promise<void> {
    const { checker, genesis } = this.#around;
    if (genesis.producers.length < MAJORITY_PRODUCERS_MIN) return;
    const wrong = this.#random.pick(this.#machines);
    wrong.clock.wallAhead = this.#random.pick([-WRONG_CLOCK_MS, WRONG_CLOCK_MS]);
    this.#note(`the clock of ${wrong.name} is ${wrong.clock.wallAhead} ms ahead`);
    await this.#passUntil(this.#clock.now() + WRONG_CLOCK_FOR_MS);
    for (const machine of this.#machines) {
      const problems =
        machine.node?.runtime.health().problems.filter((problem) => problem.includes('clock')) ?? [];
      if (problems.length > 0 !== (machine === wrong)) {
        checker.violate(`${wrong.name} has a wrong clock, and ${machine.name} reports ${problems.join()}`);
      }
    }
    this.#counts.wrongClocks += 1;
    wrong.clock.wallAhead = 0;
  }

  /** Lets everything find its end, and checks it. */
  async #end(): Promise<void> {
    const { checker, servers } = this.#around;
    const mended = checker.headTime();
    const latest = this.#clock.now() + END_MS_MAX;
    while (this.#clock.now() < latest && checker.open().length > 0) {
      await this.#passUntil(this.#clock.now() + SECOND_MS);
    }
    servers.stop();
    await this.#passUntil(this.#clock.now() + STILL_MS);
    if (checker.violations.length === 0) await checker.end(this.#stores(), mended);
  }

  async remove(): Promise<void> {
    for (const machine of this.#machines) await machine.remove();
  }

  #networkAtFirst(): Network['mood'] {
    const random = this.#random;
    return {
      lostOneIn: random.pick([0, 0, 100, 20, 8]),
      repeatedOneIn: random.pick([0, 20, 5]),
      lateOneIn: random.pick([0, 100, 20]),
      delayMs: random.pick([1, 5, 30, 100]),
      lateMs: random.pick([500, 2_500, 10_000]),
    };
  }

  #clockAtFirst(): Machine['clock'] {
    const random = this.#random;
    return {
      rate: 1 + (random.below(2 * DRIFT_MAX) - DRIFT_MAX) / 1_000_000,
      wallAhead: random.below(2 * WRONG_MS_MAX) - WRONG_MS_MAX,
      slownessMs: random.oneIn(4) ? random.below(10) : 0,
    };
  }

  async #passUntil(moment: number): Promise<void> {
    await this.#clock.passUntil(moment, async () => {
      for (const machine of this.#machines) if (machine.isDead) await this.#bury(machine);
      await this.#startAll();
      return this.#around.checker.violations.length === 0;
    });
  }

  async #bury(machine: Machine): Promise<void> {
    await machine.clear();
    if (this.#random.oneIn(BACKUP_ONE_IN)) machine.backUp();
    const downMs = this.#isMended ? SECOND_MS : this.#random.below(DOWN_MS_MAX);
    this.#note(`${machine.name} has ended, and starts in ${downMs} ms`);
    this.#waiting.add(machine);
    this.#clock.at(this.#clock.now() + downMs, () => {
      if (this.#waiting.delete(machine)) this.#starting.add(machine);
    });
  }

  async #startAll(): Promise<void> {
    for (const machine of this.#starting) {
      this.#starting.delete(machine);
      this.#counts.starts += 1;
      await machine.start();
    }
  }

  /** Ends all faults. */
  #mend(): void {
    this.#note('from now on nothing goes wrong');
    this.#isMended = true;
    this.#around.network.mend();
    this.#around.servers.mend();
    for (const { clock, process } of this.#machines) {
      clock.slownessMs = 0;
      clock.wallAhead = 0;
      process?.live();
    }
  }

  #stores(): Map<string, NonNullable<Machine['store']>> {
    const stores = new Map<string, NonNullable<Machine['store']>>();
    for (const { name, store } of this.#machines) {
      if (store === undefined) this.#around.checker.violate(`${name} does not run in the end`);
      else stores.set(name, store);
    }
    return stores;
  }

  #note(line: string): void {
    this.#journal.push(`${Math.round(this.#clock.now())} ${line}`);
  }
}

/** The newest block of a log. */
function describeNewest(servers: LogServers): string {
  const { head } = servers;
  const bytes = servers.bytesOf(head);
  if (bytes === undefined) return 'no blocks';
  const { account, attempt, timestamp, transactions } = decode(blockCodec, bytes);
  const seconds = timestamp - GENESIS_TIME;
  return `block ${head}, attempt ${attempt} by 1.2.${account} at ${seconds} s, of ${transactions.length} transactions`;
}
