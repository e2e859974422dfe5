import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NatsServers } from '../../src/node/block-log/jetstream/nats-servers.testing.ts';
import { Random } from '../fuzz/random.ts';
import { runProgram } from '../program.ts';
import { ClusterLoad } from './cluster-load.ts';
import { type ClusterChain, ClusterNode, makeClusterChain } from './cluster-nodes.ts';
import { findDifferences, untilHigher } from './inspection.ts';

export interface LostLogOptions {
  /** Blocks that the chain has before the nodes are started. */
  readonly blocks: number;
  readonly seed: number;
  report(line: string): void;
}

export interface LostLogSummary {
  /** The highest block that any node had when the log was lost. */
  readonly height: number;
  readonly answered: number;
  /** Milliseconds from the stop of the nodes, which an operator begins with, to the next block. */
  readonly recoveryMs: number;
  readonly seedMs: number;
  /** Error of a node that was started on the empty log. */
  readonly refusal: string;
  /** Violations of the guarantees. */
  readonly findings: readonly string[];
}

const LOAD_MS = 5_000;
/** Milliseconds after a start within which there are blocks, and all nodes are the same. */
const HEALING_MS = 90_000;
const HERE = { address: '127.0.0.1', wrapper: [] } as const;

/**
 * Runs three nodes on three servers of a log, takes all that the servers have away, and makes the log again as an
 * operator does: by `ledgerd block-log seed` out of the store that has most blocks.
 */
export async function runLostLog(options: LostLogOptions): Promise<LostLogSummary> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-lost-log-'));
  let servers: NatsServers | undefined;
  try {
    servers = await NatsServers.start({ count: 3 });
    const chain = await makeClusterChain(folder, options.seed, options.blocks);
    const run = new LostLog(options, servers, chain);
    try {
      return await run.run();
    } finally {
      await run.end();
    }
  } finally {
    await servers?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

class LostLog {
  readonly #options: LostLogOptions;
  readonly #servers: NatsServers;
  readonly #chain: ClusterChain;
  readonly #nodes: readonly ClusterNode[];

  constructor(options: LostLogOptions, servers: NatsServers, chain: ClusterChain) {
    this.#options = options;
    this.#servers = servers;
    this.#chain = chain;
    this.#nodes = chain.folders.map(
      (folder, index) => new ClusterNode(`node-${index + 1}`, folder, HERE, servers),
    );
  }

  async run(): Promise<LostLogSummary> {
    const { blocks, seed, report } = this.#options;
    const load = new ClusterLoad(this.#chain.chainId, new Random(seed));
    if (blocks > 0) report(`seeded at first in ${seconds(await this.#seed(0))}`);
    await Promise.all(this.#nodes.map((node) => node.start()));
    await untilHigher(this.#nodes, blocks + 2, HEALING_MS);
    await this.#underLoad(load);
    await this.#loseLog();
    const refusal = await this.#startedOnNothing();

    const began = performance.now();
    await Promise.all(this.#nodes.map((node) => node.kill()));
    const heights = await Promise.all(this.#chain.folders.map(heightOf));
    const height = Math.max(...heights);
    const seedMs = await this.#seed(heights.indexOf(height));
    await Promise.all(this.#nodes.map((node) => node.start()));
    await untilHigher(this.#nodes, height, HEALING_MS);
    const recoveryMs = performance.now() - began;
    const urls = this.#nodes.flatMap(({ url }) => url ?? []);
    const findings = await findDifferences(urls, load.answered, HEALING_MS, blocks);
    return { ...{ height, answered: load.answered.length, recoveryMs, seedMs, refusal }, findings };
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#nodes.map((node) => node.kill()));
  }

  /** Clients send meanwhile; one node dies before the log does, so that the stores differ. */
  async #underLoad(load: ClusterLoad): Promise<void> {
    const stop = new AbortController();
    const urls = () => this.#nodes.flatMap(({ url }) => url ?? []);
    const clients = this.#chain.signers.map((signer) => load.run(signer, urls, stop.signal));
    await delay(LOAD_MS);
    const [first] = this.#nodes;
    await first?.kill();
    await delay(LOAD_MS);
    await Promise.all(this.#servers.servers.map(({ name }) => this.#servers.signal(name, 'SIGKILL')));
    stop.abort();
    await Promise.all(clients);
  }

  /** All that the servers had is gone, and they run again. */
  async #loseLog(): Promise<void> {
    for (const { name } of this.#servers.servers) {
      const store = this.#servers.storeOf(name);
      rmSync(store, { recursive: true });
      mkdirSync(store);
    }
    await Promise.all(this.#servers.servers.map(({ name }) => this.#servers.launch(name)));
  }

  /** The first node is down: what it says when it is started on a log that has nothing. */
  async #startedOnNothing(): Promise<string> {
    const [node] = this.#nodes;
    if (node === undefined) throw new RangeError('there are three nodes');
    try {
      await node.start();
    } catch {
      return node.output;
    }
    return 'it started';
  }

  /** Makes the log out of a node's folder. @returns milliseconds */
  async #seed(index: number): Promise<number> {
    const began = performance.now();
    const { address, monitors } = this.#servers.settings();
    const { status, output, errors } = await runProgram(
      ...['block-log', 'seed', '--data-dir', this.#chain.folders[index] ?? ''],
      ...['--block-log', address.servers.map((server) => `nats://${server}`).join(',')],
      ...monitors.flatMap((monitor) => ['--block-log-monitor', monitor]),
    );
    if (status !== 0) throw new Error(`seeding ends with ${status}: ${errors}`);
    this.#options.report(output.trim());
    return performance.now() - began;
  }
}

async function heightOf(folder: string): Promise<number> {
  const { output } = await runProgram('info', '--data-dir', folder, '--json');
  const { head } = JSON.parse(output) as { readonly head: { readonly number: number } };
  return head.number;
}

/** Milliseconds as an operator reads them. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
