import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { freePorts } from '../../../../test/free-ports.js';
import type { JetStreamSettings } from './log-address.ts';

/** The program `nats-server`: the one that `NATS_SERVER` names, or one on the path. */
export const NATS_SERVER: string | undefined = findProgram();

/** Suffix of the title of a test without the program. */
export const WITHOUT_SERVER = NATS_SERVER === undefined ? ' (skipped: no nats-server, see NATS_SERVER)' : '';

function findProgram(): string | undefined {
  const { NATS_SERVER: named = '', PATH = '' } = process.env;
  if (named !== '') return named;
  const found = PATH.split(delimiter).map((folder) => join(folder, 'nats-server'));
  return found.find((path) => existsSync(path));
}

export interface NatsServersOptions {
  readonly count?: number;
  /** Further lines of the block `jetstream`; without any it syncs always. */
  readonly jetstream?: string;
  /** Further lines of the configuration. */
  readonly lines?: string;
  /** Hosts of the servers; 127.0.0.1 by default. */
  readonly places?: readonly ServerPlace[];
}

/** The host of a server. */
export interface ServerPlace {
  readonly address: string;
  /** A program, with its own words, that runs what follows these on its command line. */
  readonly wrapper: readonly string[];
  /** Folder of what it stores; absent: below that of the group. */
  readonly store?: string;
}

const HERE: ServerPlace = { address: '127.0.0.1', wrapper: [] };

interface NatsServer {
  readonly name: string;
  readonly place: ServerPlace;
  readonly port: number;
  readonly monitor: string;
  process: ChildProcess | undefined;
}

/** Servers of NATS on this machine, as a cluster where there are several. */
export class NatsServers {
  readonly folder = mkdtempSync(join(tmpdir(), 'ledgerd-nats-'));
  readonly servers: readonly NatsServer[];

  private constructor(servers: readonly NatsServer[]) {
    this.servers = servers;
  }

  /** Starts them, and waits until JetStream can be used. */
  static async start(options: NatsServersOptions = {}): Promise<NatsServers> {
    const { count = 1, jetstream = 'sync_interval: always', lines = '', places = [] } = options;
    const addressOf = (index: number): string => (places[index] ?? HERE).address;
    const ports = await freePorts(3 * count);
    const at = (index: number): number => ports[index] ?? 0;
    const names = Array.from({ length: count }, (_, index) => `server-${index + 1}`);
    const routes = names.map((_, index) => `nats://${addressOf(index)}:${at(2 * count + index)}`).join(', ');
    const group = new NatsServers(
      names.map((name, index) => {
        const monitor = `http://${addressOf(index)}:${at(count + index)}`;
        return { name, place: places[index] ?? HERE, port: at(index), monitor, process: undefined };
      }),
    );
    for (const [index, { name, port }] of group.servers.entries()) {
      mkdirSync(group.storeOf(name), { recursive: true });
      const cluster =
        count === 1
          ? ''
          : `cluster { name: test, listen: "${addressOf(index)}:${at(2 * count + index)}", routes: [${routes}] }`;
      writeFileSync(
        group.#configuration(name),
        `server_name: ${name}\nlisten: "${addressOf(index)}:${port}"\n` +
          `http: "${addressOf(index)}:${at(count + index)}"\n` +
          `jetstream { store_dir: "${group.storeOf(name)}"\n${jetstream} }\n${cluster}\n${lines}\n`,
      );
    }
    await Promise.all(group.servers.map(({ name }) => group.launch(name)));
    return group;
  }

  /** The folder of what a server stores. */
  storeOf(name: string): string {
    return this.#named(name).place.store ?? join(this.folder, name);
  }

  /** Returns the settings of a node for these servers. */
  settings(changes: Partial<JetStreamSettings> = {}): JetStreamSettings {
    return {
      address: {
        servers: this.servers.map(({ port, place }) => `${place.address}:${port}`),
        login: undefined,
        tls: false,
      },
      credentialsFile: undefined,
      authorityFile: undefined,
      replicas: this.servers.length,
      monitors: this.servers.map(({ monitor }) => monitor),
      assumeSynced: false,
      ...changes,
    };
  }

  /** Starts one of them, and waits until it says that it is ready. */
  async launch(name: string): Promise<void> {
    const server = this.#named(name);
    const program = NATS_SERVER ?? 'nats-server';
    const [first = program, ...rest] = [...server.place.wrapper, program, '-c', this.#configuration(name)];
    const child = spawn(first, rest, {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server.process = child;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stderr?.on('data', (part: Buffer) => {
        said = (said + String(part)).slice(-10_000);
        if (said.includes('Server is ready')) resolve();
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`nats-server ended: ${said}`)));
    });
  }

  /** Sends a signal to one of them; waits for its end where it is the last one. */
  async signal(name: string, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const { process: child } = this.#named(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    if (signal === 'SIGKILL') await ended;
  }

  /** Ends them all and removes what they stored. */
  async stop(): Promise<void> {
    await Promise.all(this.servers.map(({ name }) => this.signal(name, 'SIGKILL')));
    rmSync(this.folder, { recursive: true, force: true });
  }

  #named(name: string): NatsServer {
    const server = this.servers.find((candidate) => candidate.name === name);
    if (server === undefined) throw new Error(`there is no server ${name}`);
    return server;
  }

  #configuration(name: string): string {
    return join(this.folder, `${name}.conf`);
  }
}

/** Does something with a connection of an operator's. */
export async function asOperator<T>(
  { address }: JetStreamSettings,
  action: (tools: {
    readonly nats: Awaited<ReturnType<typeof connect>>;
    readonly manager: Awaited<ReturnType<typeof import('@nats-io/jetstream').jetstreamManager>>;
  }) => Promise<T>,
): Promise<T> {
  const { jetstreamManager } = await import('@nats-io/jetstream');
  const nats = await connect({ servers: [...address.servers] });
  try {
    return await action({ nats, manager: await jetstreamManager(nats, { checkAPI: false }) });
  } finally {
    await nats.close();
  }
}

/** Does something until it works: a cluster says no while it elects its leaders. */
export async function eventually<T>(action: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(100);
    }
  }
}

/** The server that leads the stream of the log, as soon as one does. */
export function leaderOf(servers: NatsServers): Promise<string> {
  return eventually(() =>
    asOperator(servers.settings(), async ({ manager }) => {
      for await (const { cluster } of manager.streams.list()) {
        if (cluster?.leader !== undefined && cluster.leader !== '') return cluster.leader;
      }
      throw new Error('the stream has no leader');
    }),
  );
}
