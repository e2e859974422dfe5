import { BLOCK_LOG_LAG_MARKS_MAX, BLOCK_LOG_NOTICE_MS, BLOCK_LOG_SILENCE_MS_MAX } from '../../limits.ts';
import type { BlockLogStatus } from '../../rpc/index.ts';
import type { Stopwatch } from '../../time.ts';
import type { HealthCheck } from '../health.ts';
import type { NodeNotice } from '../notices.ts';

/** The log, the head here, and the listeners of a watch. */
export interface BlockLogWatchOptions {
  readonly url: string;
  readonly time: Stopwatch;
  elections(): number;
  head(): number;
  onNotice(notice: NodeNotice): void;
  onHalt(reason: string): void;
}

/** The moment since which a log has blocks up to a number. */
interface LagMark {
  head: number;
  readonly since: number;
}

/** Tracks if a log of blocks answers, how far it is ahead, and if it is sound. */
export class BlockLogWatch implements HealthCheck {
  readonly appends = { appended: 0, conflicts: 0, unavailable: 0 };
  readonly #options: BlockLogWatchOptions;
  #head = 0;
  /** The oldest first; reached ones are removed by the next call. */
  #marks: LagMark[] = [];
  #answeredAt: number;
  #toldAt = Number.NEGATIVE_INFINITY;
  #state: 'unasked' | 'answers' | 'silent' = 'unasked';
  #halted: string | undefined;
  #losses = 0;

  constructor(options: BlockLogWatchOptions) {
    this.#options = options;
    this.#answeredAt = options.time.now();
  }

  get head(): number {
    return this.#head;
  }

  get isHalting(): boolean {
    return this.#halted !== undefined;
  }

  /** Records that the log answered and has blocks up to a number at least. */
  answered(head: number): void {
    const { time, url, onNotice } = this.#options;
    this.#answeredAt = time.now();
    this.#mark(head);
    if (this.#state === 'answers') return;
    this.#state = 'answers';
    onNotice({ kind: 'logAnswers', url, head });
  }

  failed(reason: string): void {
    const now = this.#options.time.now();
    // A log that answers some queries and not others is reported rarely.
    if (this.#state === 'silent' || now - this.#toldAt < BLOCK_LOG_NOTICE_MS) return;
    this.#state = 'silent';
    this.#losses += 1;
    this.#toldAt = now;
    this.#options.onNotice({ kind: 'logSilent', url: this.#options.url, reason });
  }

  halt(reason: string): void {
    if (this.#halted !== undefined) return;
    this.#halted = reason;
    this.#options.onNotice({ kind: 'logHalted', url: this.#options.url, reason });
    this.#options.onHalt(reason);
  }

  status(): Omit<BlockLogStatus, 'transactions'> {
    const { url, time, head, elections } = this.#options;
    const [oldest] = this.#openMarks();
    return {
      url,
      head: this.#head,
      lagBlocks: Math.max(0, this.#head - head()),
      lagSeconds: oldest === undefined ? 0 : (time.now() - oldest.since) / 1_000,
      silentSeconds: (time.now() - this.#answeredAt) / 1_000,
      losses: this.#losses,
      elections: elections(),
      halted: this.#halted,
      appends: { ...this.appends },
    };
  }

  problems(): string[] {
    const { url, time } = this.#options;
    if (this.#halted !== undefined) return [`the log ${url} is not what it should be: ${this.#halted}`];
    const silence = time.now() - this.#answeredAt;
    if (silence <= BLOCK_LOG_SILENCE_MS_MAX) return [];
    return [`the log ${url} has not answered for ${Math.floor(silence / 1_000)} s`];
  }

  #mark(head: number): void {
    if (head <= this.#head) return;
    this.#head = head;
    this.#marks = this.#openMarks();
    const last = this.#marks.at(-1);
    // Later blocks count from the last mark, so that none seems newer than it is.
    if (last !== undefined && this.#marks.length >= BLOCK_LOG_LAG_MARKS_MAX) last.head = head;
    else this.#marks.push({ head, since: this.#options.time.now() });
  }

  #openMarks(): LagMark[] {
    const here = this.#options.head();
    return this.#marks.filter(({ head }) => head > here);
  }
}
