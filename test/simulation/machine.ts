import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Genesis } from '../../src/ledger/index.ts';
import { describeNotice, type NodeNotice } from '../../src/node/notices.ts';
import type { KeyPair } from '../../src/protocol/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import type { Random } from '../fuzz/random.ts';
import { type LogServers, SimulatedLog } from './block-log.ts';
import type { Checker } from './checker.ts';
import type { MachineClock, VirtualClock } from './clock.ts';
import { enginePool } from './engine-pool.ts';
import { type ExchangeHub, SimulatedExchange } from './exchange.ts';
import { mortalStore } from './mortal-store.ts';
import type { Network } from './network.ts';
import { openSimulatedNode, type SimulatedNode } from './node.ts';
import { Process, ProcessEnded } from './process.ts';
import { KeptSignatures } from './signatures.ts';

/** Milliseconds within which a node stops. */
const STOP_MS_MAX = 30_000;
const SECOND_MS = 1_000;
/** Greatest number of requests of a process to the log in a second, retries included. */
const ASKED_MAX = 60;

/** A mechanism that is removed, to prove that the checks detect it. */
export type Mutation =
  /** The log takes every block, whatever there is already. */
  | 'appendWithoutCompare'
  /** A block of unknown outcome is forgotten together with its signature. */
  | 'ambiguousIsFailure'
  /** A transaction may be in several blocks. */
  | 'withoutDedup'
  /** The record of signed blocks is lost. */
  | 'withoutRecord'
  /** Accepted transactions are sent to the other nodes only once. */
  | 'withoutRepeating';

/** The objects that machines share. */
export interface Surroundings {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly network: Network;
  readonly servers: LogServers;
  readonly hub: ExchangeHub;
  readonly clocks: ExchangeHub;
  readonly checker: Checker;
  readonly genesis: Genesis;
  readonly mutation: Mutation | undefined;
  /** Notes a line in the journal. */
  note(line: string): void;
  count(what: 'ambiguous' | 'conflict' | 'faults'): void;
}

/** A machine: its disk and its clock stay, and processes come and go. */
export class Machine {
  readonly name: string;
  readonly clock: MachineClock;
  /** Disk of the next process; the records beside the keys are on another disk. */
  nextDisk: 'same' | 'empty' | 'backup' = 'same';
  readonly #around: Surroundings;
  readonly #keys: readonly KeyPair[];
  readonly #signatures = new KeptSignatures();
  #folder = newFolder();
  #store: Store | undefined;
  #process: Process | undefined;
  #node: SimulatedNode | undefined;
  #isStopping = false;
  /** The second of the latest requests to the log, and their number. */
  #asked = { second: 0, count: 0 };
  /** A copy of the disk of some time ago. */
  #backup: string | undefined;

  constructor(name: string, around: Surroundings, clock: MachineClock, keys: readonly KeyPair[]) {
    this.name = name;
    this.#around = around;
    this.clock = clock;
    this.#keys = keys;
  }

  /** The process that runs; undefined while none does. */
  get process(): Process | undefined {
    return this.#process?.isAlive === true ? this.#process : undefined;
  }

  /** Its node, while it serves. */
  get node(): SimulatedNode | undefined {
    return this.process === undefined || this.#isStopping ? undefined : this.#node;
  }

  get store(): Store | undefined {
    return this.#store;
  }

  /** True if a process has ended here and was not cleared away yet. */
  get isDead(): boolean {
    return this.#process?.isAlive === false;
  }

  /** Starts a process: its store is opened, then everything else. */
  async start(): Promise<void> {
    const { clock, random, checker, hub, clocks, servers, network, mutation, count } = this.#around;
    const process = new Process(this.name, clock, this.clock, random);
    this.#process = process;
    if (this.nextDisk !== 'same') this.#replaceDisk();
    const store = openStore({ path: this.#folder, durable: false });
    this.#store = store;
    const onSigned = checker.signed.bind(checker);
    const log = new SimulatedLog({
      ...{ servers, network, process, random },
      onAsked: () => this.#countAsked(),
      onOutcome: (outcome) => count(outcome),
      onAmbiguous: (number) => {
        if (mutation !== 'ambiguousIsFailure' || servers.isStopped) return false;
        this.#signatures.forget(number);
        return true;
      },
    });
    try {
      this.#node = await openSimulatedNode({
        store: mortalStore({
          ...{ store, process },
          onCommit: ({ number, block }) => checker.stored(this.name, number, block),
          forgetsOperations: mutation === 'withoutDedup',
        }),
        ...{ process, log, genesis: this.#around.genesis },
        exchange: new SimulatedExchange(hub, process, mutation !== 'withoutRepeating'),
        clocks: new SimulatedExchange(clocks, process, true),
        signed: this.#signatures.of(process, onSigned, mutation !== 'withoutRecord'),
        keys: this.#keys,
        onDropped: (dropped) => {
          this.#around.note(`${this.name} drops a transaction: ${dropped.error.message}`);
          checker.dropped(this.name, dropped);
        },
        onNotice: (notice) => this.#hear(notice),
        onFailure: (task, error) => this.#fail(task, error),
      });
    } catch (error) {
      this.#fail('start', error);
      process.die();
    }
  }

  /** Ends the process at once. */
  kill(): void {
    this.#process?.die();
  }

  /** Ends the process as an operator does, which takes its time. */
  stop(): void {
    const { process, node } = this;
    if (process === undefined || node === undefined) return;
    this.#isStopping = true;
    const { clock, checker } = this.#around;
    clock.at(clock.now() + STOP_MS_MAX, () => {
      if (process.isAlive) checker.violate(`${this.name} has not stopped after ${STOP_MS_MAX} ms`);
    });
    const end = (): void => process.die();
    node.close().then(end, (error: unknown) => {
      this.#fail('close', error);
      end();
    });
  }

  /** Removes a dead process. */
  async clear(): Promise<void> {
    if (this.#process !== undefined) {
      this.#around.hub.remove(this.#process);
      this.#around.clocks.remove(this.#process);
      enginePool.release(this.#process);
    }
    this.#process = undefined;
    this.#node = undefined;
    this.#isStopping = false;
    await this.#store?.close();
    this.#store = undefined;
  }

  async remove(): Promise<void> {
    this.kill();
    await this.clear();
    for (const folder of [this.#folder, this.#backup]) {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    }
  }

  /** A log that is sound is never called unsound. */
  #hear(notice: NodeNotice): void {
    const line = `${this.name} says: ${describeNotice(notice).message}`;
    this.#around.note(line);
    if (notice.kind === 'logHalted') this.#around.checker.violate(line);
  }

  /** Copies the disk, while no process runs. */
  backUp(): void {
    if (this.#backup !== undefined) rmSync(this.#backup, { recursive: true, force: true });
    this.#backup = newFolder();
    cpSync(this.#folder, this.#backup, { recursive: true });
  }

  #replaceDisk(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = newFolder();
    if (this.nextDisk === 'backup' && this.#backup !== undefined) {
      cpSync(this.#backup, this.#folder, { recursive: true });
    }
    this.nextDisk = 'same';
    this.#around.checker.lostDisk(this.name);
  }

  #countAsked(): void {
    const second = Math.floor(this.#around.clock.now() / SECOND_MS);
    if (second !== this.#asked.second) this.#asked = { second, count: 0 };
    this.#asked.count += 1;
    if (this.#asked.count !== ASKED_MAX) return;
    this.#around.checker.violate(`${this.name} asks the log ${ASKED_MAX} times in a second`);
  }

  #fail(task: string, error: unknown): void {
    if (error instanceof ProcessEnded || this.process === undefined) return;
    this.#around.checker.violate(`${this.name} fails in ${task}: ${describe(error)}`);
  }
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'ledgerd-simulation-'));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
