import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainIdOf, formatGenesis, parseGenesis } from '../../src/ledger/index.ts';
import type { NatsServers, ServerPlace } from '../../src/node/block-log/jetstream/nats-servers.testing.ts';
import { type Hash, parseAccountId } from '../../src/protocol/index.ts';
import { makeChain } from '../crash/chain.ts';
import type { Signer } from '../crash/transactions.ts';
import { NodeProcess } from '../node-process.ts';
import { makeBlocks } from './long-chain.ts';

/** Roles whose keys the nodes hold, one each. */
const PRODUCERS = ['producer', 'registrar', 'treasury'] as const;

/** A chain of three producers with a folder for each node. */
export interface ClusterChain {
  readonly folders: readonly string[];
  readonly chainId: Hash;
  readonly signers: readonly Signer[];
}

/**
 * Makes a chain that has a block each second, whose producers are on three nodes.
 *
 * @param blocks that it has already
 */
export async function makeClusterChain(folder: string, seed: number, blocks = 0): Promise<ClusterChain> {
  const first = join(folder, 'chain');
  const { signers } = await makeChain(first, seed);
  const keys = join(first, 'keys');
  const accountOf = (name: string) =>
    parseAccountId(JSON.parse(readFileSync(join(keys, `${name}.json`), 'utf8')).account);
  const file = join(first, 'genesis.json');
  const made = parseGenesis(readFileSync(file, 'utf8'));
  const timestamp = made.timestamp - blocks;
  const genesis = { ...made, timestamp, producers: PRODUCERS.map(accountOf), blockInterval: 1 };
  writeFileSync(file, formatGenesis(genesis));
  if (blocks > 0) await makeBlocks(first, genesis, blocks);
  const folders = PRODUCERS.map((name) => {
    const own = join(folder, `node-${name}`);
    cpSync(first, own, { recursive: true });
    for (const key of readdirSync(join(own, 'keys'))) {
      if (key.startsWith(name)) continue;
      rmSync(join(own, 'keys', key), { recursive: true });
    }
    return own;
  });
  return { folders, chainId: chainIdOf(genesis), signers };
}

/** A node of a cluster, in whatever process it runs at the moment. */
export class ClusterNode {
  readonly name: string;
  readonly #words: readonly string[];
  readonly #machine: ServerPlace;
  #process: NodeProcess | undefined;
  #url: string | undefined;
  #stopped = false;

  /** @param words further ones of its command line */
  constructor(
    name: string,
    folder: string,
    machine: ServerPlace,
    servers: NatsServers,
    words: readonly string[] = [],
  ) {
    this.name = name;
    this.#machine = machine;
    const { address, monitors } = servers.settings();
    const log = address.servers.map((server) => `nats://${server}`).join(',');
    this.#words = [
      ...['start', '--data-dir', folder, '--port', '0', '--host', machine.address, '--block-log', log],
      ...['--min-free-space', '0', '--log-level', 'info', '--log-format', 'json'],
      ...monitors.flatMap((monitor) => ['--block-log-monitor', monitor]),
      ...words,
    ];
  }

  /** URL of the node; undefined while it is stopped. */
  get url(): string | undefined {
    return this.#stopped ? undefined : this.#url;
  }

  /** The newest block that it told of in this run. */
  get height(): number {
    return this.#process?.height ?? 0;
  }

  get output(): string {
    return this.#process?.output ?? '';
  }

  async start(): Promise<void> {
    const process = new NodeProcess(this.#words, this.#machine.wrapper);
    this.#process = process;
    this.#url = await process.ready();
  }

  async kill(): Promise<void> {
    this.#url = undefined;
    if (this.#process?.isRunning === true) await this.#process.end('SIGKILL');
  }

  setRunning(isRunning: boolean): void {
    this.#stopped = !isRunning;
    this.#process?.signal(isRunning ? 'SIGCONT' : 'SIGSTOP');
  }
}
