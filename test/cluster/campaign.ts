import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { leaderOf, NatsServers } from '../../src/node/block-log/jetstream/nats-servers.testing.ts';
import { Random } from '../fuzz/random.ts';
import { ClusterLoad } from './cluster-load.ts';
import { type ClusterChain, ClusterNode, makeClusterChain } from './cluster-nodes.ts';
import { findDifferences } from './inspection.ts';
import { type Machines, openMachines } from './machines.ts';

/** The faults of a cluster. */
const FAULTS = [
  'kill node',
  'stop node',
  'kill leader',
  'stop leader',
  'kill server',
  'cut machine',
] as const;
type Fault = (typeof FAULTS)[number];

/** A pause between two blocks that began with a fault. */
export interface Pause {
  readonly fault: Fault;
  readonly ms: number;
}

export interface ClusterSummary {
  readonly pauses: readonly Pause[];
  readonly blocks: number;
  readonly answered: number;
  readonly canCut: boolean;
  /** Violations of the guarantees. */
  readonly findings: readonly string[];
}

export interface ClusterOptions {
  readonly seconds: number;
  readonly seed: number;
  report(line: string): void;
}

/** Milliseconds that a fault lasts, and that the cluster has to itself after each. */
const FAULT_MS = 4_000;
const QUIET_MS = 8_000;
const LOOK_MS = 20;
/** Milliseconds after the end of a run within which all nodes are to be the same. */
const HEALING_MS = 90_000;

/** Runs three nodes on three servers of a log, does to them what happens to machines, and looks at what they kept. */
export async function runClusterCampaign(options: ClusterOptions): Promise<ClusterSummary> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-cluster-'));
  const machines = openMachines(3);
  let servers: NatsServers | undefined;
  try {
    servers = await NatsServers.start({ count: 3, places: machines.machines });
    const chain = await makeClusterChain(folder, options.seed);
    return await new Campaign(options, machines, servers, chain).run();
  } finally {
    await servers?.stop();
    machines.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Campaign {
  readonly #options: ClusterOptions;
  readonly #machines: Machines;
  readonly #servers: NatsServers;
  readonly #chain: ClusterChain;
  readonly #nodes: readonly ClusterNode[];
  readonly #random: Random;
  readonly #pauses: Pause[] = [];
  #height = 0;
  /** Time of the last reported block. */
  #cameAt = performance.now();
  /** The fault that pauses are counted to, since when, and the longest one. */
  #fault: { readonly name: Fault; longest: number } | undefined;

  constructor(options: ClusterOptions, machines: Machines, servers: NatsServers, chain: ClusterChain) {
    this.#options = options;
    this.#machines = machines;
    this.#servers = servers;
    this.#chain = chain;
    this.#random = new Random(options.seed);
    this.#nodes = chain.folders.map((path, index) => {
      const machine = machines.machines[index];
      if (machine === undefined) throw new RangeError('there is a machine for each node');
      return new ClusterNode(`node-${index + 1}`, path, machine, servers);
    });
  }

  async run(): Promise<ClusterSummary> {
    const { seconds } = this.#options;
    const stop = new AbortController();
    const watch = setInterval(() => this.#look(), LOOK_MS);
    try {
      await Promise.all(this.#nodes.map((node) => node.start()));
      await this.#until(() => this.#height >= 5, 'the first blocks');
      const load = new ClusterLoad(this.#chain.chainId, this.#random);
      const urls = () => this.#nodes.flatMap(({ url }) => url ?? []);
      const clients = this.#chain.signers.map((signer) => load.run(signer, urls, stop.signal));
      const deadline = performance.now() + seconds * 1_000;
      while (performance.now() < deadline) await this.#round();
      stop.abort();
      await Promise.all(clients);
      const findings = await findDifferences(urls(), load.answered, HEALING_MS);
      const { canCut } = this.#machines;
      if (findings.length > 0)
        for (const { name, output } of this.#nodes) this.#options.report(`${name}\n${output}`);
      return {
        ...{ findings, canCut, blocks: this.#height, answered: load.answered.length },
        pauses: this.#pauses,
      };
    } finally {
      clearInterval(watch);
      stop.abort();
      await Promise.allSettled(this.#nodes.map((node) => node.kill()));
    }
  }

  /** One fault, its end, and a time in which all is well. */
  async #round(): Promise<void> {
    const faults = this.#machines.canCut ? FAULTS : FAULTS.filter((fault) => fault !== 'cut machine');
    const fault = this.#random.pick(faults);
    const mend = await this.#harm(fault);
    this.#fault = { name: fault, longest: 0 };
    await delay(FAULT_MS + this.#random.below(FAULT_MS));
    await mend();
    await delay(QUIET_MS);
    this.#look();
    const longest = Math.max(this.#fault.longest, performance.now() - this.#cameAt);
    this.#pauses.push({ fault, ms: longest });
    this.#options.report(`${fault}: ${(longest / 1_000).toFixed(1)} s, block ${this.#height}`);
    this.#fault = undefined;
  }

  /** Does it; gives what undoes it. */
  async #harm(fault: Fault): Promise<() => Promise<void> | void> {
    const index = this.#random.below(3);
    const [node, machine] = [this.#nodes[index], this.#machines.machines[index]];
    const server = fault.endsWith('leader')
      ? await leaderOf(this.#servers)
      : this.#servers.servers[index]?.name;
    if (node === undefined || machine === undefined || server === undefined)
      throw new RangeError('there are three');
    switch (fault) {
      case 'kill node':
        await node.kill();
        return () => node.start();
      case 'stop node':
        node.setRunning(false);
        return () => node.setRunning(true);
      case 'kill leader':
      case 'kill server':
        await this.#servers.signal(server, 'SIGKILL');
        return () => this.#servers.launch(server);
      case 'stop leader':
        await this.#servers.signal(server, 'SIGSTOP');
        return () => this.#servers.signal(server, 'SIGCONT');
      case 'cut machine':
        machine.setConnected(false);
        return () => machine.setConnected(true);
    }
  }

  #look(): void {
    const height = Math.max(...this.#nodes.map((node) => node.height));
    if (height <= this.#height) return;
    const now = performance.now();
    if (this.#fault !== undefined) this.#fault.longest = Math.max(this.#fault.longest, now - this.#cameAt);
    this.#height = height;
    this.#cameAt = now;
  }

  async #until(condition: () => boolean, what: string): Promise<void> {
    const deadline = performance.now() + HEALING_MS;
    while (!condition()) {
      if (performance.now() > deadline) {
        throw new Error(`${what} did not come\n${this.#nodes.map(({ output }) => output).join('\n')}`);
      }
      await delay(LOOK_MS);
    }
  }
}
