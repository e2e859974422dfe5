import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from './chain-kind.ts';

const PROGRAM = fileURLToPath(new URL('../bin/ledgerd.js', import.meta.url));

/** Number of stored lines of a node's output; the last ones explain a failure. */
const KEPT_LINES = 200;

/** The end of a process. */
export interface Ending {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A line of the node's log. */
interface LogLine {
  readonly event?: unknown;
  readonly url?: unknown;
  readonly number?: unknown;
}

/** A run of the program in a separate process. */
export class NodeProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ending>;
  readonly #lines: string[] = [];
  readonly #changes = new EventEmitter();
  #ending: Ending | undefined;
  readonly #events = new Set<unknown>();
  #url: string | undefined;
  #blocks = 0;
  #height = 0;

  /**
   * @param words what follows the program's name on its command line
   * @param wrapper a program, with its own words, that runs what follows these on its command line
   */
  constructor(words: readonly string[], wrapper: readonly string[] = []) {
    const [program = process.execPath, ...rest] = [...wrapper, process.execPath, PROGRAM, ...words];
    const env = programEnvironment(words);
    this.#child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'], env });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', (line) => this.#read(line));
    }
    this.#ended = once(this.#child, 'close').then(([status, signal]) => {
      this.#ending = { status, signal };
      this.#changes.emit('change');
      return this.#ending;
    });
  }

  /** The last lines that it wrote to either of its outputs. */
  get output(): string {
    return this.#lines.join('\n');
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#ending === undefined;
  }

  /** Number of the last reported block; 0 before. */
  get height(): number {
    return this.#height;
  }

  /** Waits until it serves requests and gives its address. @throws Error when it ends before */
  async ready(): Promise<string> {
    for (;;) {
      if (this.#url !== undefined) return this.#url;
      await this.#change();
    }
  }

  /**
   * Waits until its log has an event.
   * @throws Error if it ends before
   */
  async logged(event: string): Promise<void> {
    while (!this.#events.has(event)) await this.#change();
  }

  /** Waits until it has made so many blocks more. @throws Error when it ends before */
  async madeBlocks(count: number): Promise<void> {
    const last = this.#blocks + count;
    while (this.#blocks < last) await this.#change();
  }

  /**
   * Ends it by a signal and waits for its end.
   * @throws Error if it ended before
   */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<Ending> {
    if (!this.#child.kill(signal)) throw this.#endedByItself();
    return this.#ended;
  }

  /** Suspends or resumes it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** Waits for its end. */
  ended(): Promise<Ending> {
    return this.#ended;
  }

  async #change(): Promise<void> {
    if (this.#ending !== undefined) throw this.#endedByItself();
    await once(this.#changes, 'change');
  }

  #endedByItself(): Error {
    return new Error(`the program ended by itself: ${JSON.stringify(this.#ending)}\n${this.output}`);
  }

  #read(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
    if (!line.startsWith('{"')) return;
    const { event, url, number }: LogLine = JSON.parse(line);
    this.#events.add(event);
    if (event === 'started' && typeof url === 'string') this.#url = url;
    if (event === 'block' && typeof number === 'number') {
      this.#blocks += 1;
      this.#height = number;
    }
    this.#changes.emit('change');
  }
}
