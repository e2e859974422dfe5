import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NatsServers } from '../../src/node/block-log/jetstream/nats-servers.testing.ts';
import { Random } from '../fuzz/random.ts';
import { ClusterLoad } from './cluster-load.ts';
import { type ClusterChain, ClusterNode, makeClusterChain } from './cluster-nodes.ts';
import { Disks } from './disks.ts';
import { findDifferences, untilHigher } from './inspection.ts';

export interface PowerCutOptions {
  readonly cuts: number;
  readonly seed: number;
  /** True if the log servers sync writes before they confirm them; without that, cuts must be detected. */
  readonly isSynced: boolean;
  report(line: string): void;
}

export interface PowerCutSummary {
  /** Those after which everything was looked at. */
  readonly cuts: number;
  readonly blocks: number;
  readonly answered: number;
  /** Milliseconds from power to the next block, the longest one. */
  readonly longestMs: number;
  /** Violations of the guarantees. */
  readonly findings: readonly string[];
}

/** Milliseconds under load before a cut. */
const LOAD_MS_MIN = 3_000;
const LOAD_MS_MAX = 9_000;
/** Milliseconds after a start within which there are blocks, and all nodes are the same. */
const HEALING_MS = 90_000;

/**
 * Runs three nodes on three servers of a log, each pair on a disk of its own, and cuts the power of all disks at one
 * moment, again and again: everything begins anew from what the disks have, and what was answered has to be there.
 *
 * @throws where this machine cannot make such disks
 */
export async function runPowerCuts(options: PowerCutOptions): Promise<PowerCutSummary> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-power-'));
  let disks: Disks | undefined;
  let servers: NatsServers | undefined;
  try {
    disks = Disks.open(folder, 3);
    const places = disks.folders.map((disk) => ({
      ...{ address: '127.0.0.1', wrapper: [], store: join(disk, 'log') },
    }));
    servers = await NatsServers.start({
      ...{ count: 3, places },
      ...(options.isSynced ? {} : { jetstream: 'sync_interval: 2m' }),
    });
    const chain = await makeClusterChain(folder, options.seed);
    const run = new PowerCuts(options, disks, servers, chain);
    try {
      return await run.run();
    } finally {
      await run.end();
    }
  } finally {
    await servers?.stop();
    await disks?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class PowerCuts {
  readonly #options: PowerCutOptions;
  readonly #disks: Disks;
  readonly #servers: NatsServers;
  readonly #chain: ClusterChain;
  readonly #nodes: readonly ClusterNode[];
  readonly #random: Random;
  #longestMs = 0;

  constructor(options: PowerCutOptions, disks: Disks, servers: NatsServers, chain: ClusterChain) {
    this.#options = options;
    this.#disks = disks;
    this.#servers = servers;
    this.#chain = chain;
    this.#random = new Random(options.seed);
    const words = options.isSynced ? [] : ['--block-log-assume-synced'];
    this.#nodes = chain.folders.map((own, index) => {
      const folder = join(disks.folders[index] ?? '', 'node');
      cpSync(own, folder, { recursive: true });
      const place = { address: '127.0.0.1', wrapper: [] };
      return new ClusterNode(`node-${index + 1}`, folder, place, servers, words);
    });
  }

  async run(): Promise<PowerCutSummary> {
    const { cuts, report } = this.#options;
    const load = new ClusterLoad(this.#chain.chainId, this.#random);
    this.#disks.settle();
    await Promise.all(this.#nodes.map((node) => node.start()));
    await untilHigher(this.#nodes, 3, HEALING_MS);
    const summary = (done: number, findings: readonly string[]): PowerCutSummary => {
      const { answered } = load;
      return {
        ...{ cuts: done, blocks: this.#height(), answered: answered.length },
        ...{ longestMs: this.#longestMs, findings },
      };
    };
    for (let cut = 1; cut <= cuts; cut += 1) {
      await this.#underLoad(load);
      const before = this.#height();
      const findings = await this.#beginAnew(before, load);
      report(`cut ${cut}: at block ${before}, now ${this.#height()}, ${load.answered.length} answered`);
      if (findings.length === 0) continue;
      for (const { name, output } of this.#nodes) report(`${name}\n${output}`);
      return summary(cut, findings);
    }
    return summary(cuts, []);
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#nodes.map((node) => node.kill()));
  }

  /** Lets clients send until the power is cut in the midst of that. */
  async #underLoad(load: ClusterLoad): Promise<void> {
    const stop = new AbortController();
    const urls = () => this.#nodes.flatMap(({ url }) => url ?? []);
    const clients = this.#chain.signers.map((signer) => load.run(signer, urls, stop.signal));
    await delay(LOAD_MS_MIN + this.#random.below(LOAD_MS_MAX - LOAD_MS_MIN));
    this.#disks.cut();
    await Promise.all([
      ...this.#nodes.map((node) => node.kill()),
      ...this.#servers.servers.map(({ name }) => this.#servers.signal(name, 'SIGKILL')),
    ]);
    stop.abort();
    await Promise.all(clients);
  }

  /** Gives everything its power again, and looks at what is there. @returns what must not be */
  async #beginAnew(height: number, load: ClusterLoad): Promise<string[]> {
    await this.#disks.restore();
    const began = performance.now();
    await Promise.all(this.#servers.servers.map(({ name }) => this.#servers.launch(name)));
    try {
      await Promise.all(this.#nodes.map((node) => node.start()));
      await untilHigher(this.#nodes, height, HEALING_MS);
    } catch (error) {
      return [`no blocks after the cut: ${error instanceof Error ? error.message : String(error)}`];
    }
    this.#longestMs = Math.max(this.#longestMs, performance.now() - began);
    const urls = this.#nodes.flatMap(({ url }) => url ?? []);
    return findDifferences(urls, load.answered, HEALING_MS);
  }

  #height(): number {
    return Math.max(...this.#nodes.map(({ height }) => height));
  }
}
