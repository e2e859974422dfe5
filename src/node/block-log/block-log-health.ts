import { BLOCK_LOG_LAG_MARKS_MAX, BLOCK_LOG_NOTICE_MS, BLOCK_LOG_SILENCE_MS_MAX } from '../../limits.ts';
import type { BlockLogStatus } from '../../rpc/index.ts';
import type { HealthCheck } from '../health.ts';
import type { ClusterNode } from './block-log-source.ts';

/** The moment since which a log has blocks up to a number. */
interface LagMark {
  head: number;
  readonly since: number;
}

/** Tracks if a log of blocks answers, how far it is ahead, and if it is sound. */
export class BlockLogHealth implements HealthCheck {
  readonly appends = { appended: 0, conflicts: 0, unavailable: 0 };
  readonly #node: ClusterNode;
  #head = 0;
  /** The oldest first; reached ones are removed by the next call. */
  #marks: LagMark[] = [];
  #answeredAt: number;
  #toldAt = Number.NEGATIVE_INFINITY;
  #state: 'unasked' | 'answers' | 'silent' = 'unasked';
  #halted: string | undefined;
  #losses = 0;

  constructor(node: ClusterNode) {
    this.#node = node;
    this.#answeredAt = node.time.now();
  }

  get head(): number {
    return this.#head;
  }

  get isHalting(): boolean {
    return this.#halted !== undefined;
  }

  /** Records that the log answered and has blocks up to a number at least. */
  answered(head: number): void {
    const { time, log, events } = this.#node;
    this.#answeredAt = time.now();
    if (head > this.#head) this.#mark(head);
    if (this.#state === 'answers') return;
    this.#state = 'answers';
    events.onNotice?.({ kind: 'logAnswers', url: log.url, head });
  }

  failed(reason: string): void {
    const { time, log, events } = this.#node;
    const now = time.now();
    // A log that answers some queries and not others is reported rarely.
    if (this.#state === 'silent' || now - this.#toldAt < BLOCK_LOG_NOTICE_MS) return;
    this.#state = 'silent';
    this.#losses += 1;
    this.#toldAt = now;
    events.onNotice?.({ kind: 'logSilent', url: log.url, reason });
  }

  halt(reason: string): void {
    if (this.#halted !== undefined) return;
    this.#halted = reason;
    const { log, ledger, events } = this.#node;
    events.onNotice?.({ kind: 'logHalted', url: log.url, reason });
    ledger.chain.pauseWrites('this node does not trust its log of blocks');
  }

  status(): Omit<BlockLogStatus, 'transactions'> {
    const { log, time } = this.#node;
    const [oldest] = this.#openMarks();
    return {
      url: log.url,
      head: this.#head,
      lagBlocks: Math.max(0, this.#head - this.#headHere()),
      lagSeconds: oldest === undefined ? 0 : (time.now() - oldest.since) / 1_000,
      silentSeconds: (time.now() - this.#answeredAt) / 1_000,
      losses: this.#losses,
      elections: log.elections,
      halted: this.#halted,
      appends: { ...this.appends },
    };
  }

  problems(): string[] {
    const { log, time } = this.#node;
    if (this.#halted !== undefined) return [`the log ${log.url} is not what it should be: ${this.#halted}`];
    const silence = time.now() - this.#answeredAt;
    if (silence <= BLOCK_LOG_SILENCE_MS_MAX) return [];
    return [`the log ${log.url} has not answered for ${Math.floor(silence / 1_000)} s`];
  }

  #mark(head: number): void {
    this.#head = head;
    this.#marks = this.#openMarks();
    const last = this.#marks.at(-1);
    // Later blocks count from the last mark, so that none seems newer than it is.
    if (last !== undefined && this.#marks.length >= BLOCK_LOG_LAG_MARKS_MAX) last.head = head;
    else this.#marks.push({ head, since: this.#node.time.now() });
  }

  #openMarks(): LagMark[] {
    const here = this.#headHere();
    return this.#marks.filter(({ head }) => head > here);
  }

  #headHere(): number {
    return this.#node.ledger.blocks.head().number;
  }
}
