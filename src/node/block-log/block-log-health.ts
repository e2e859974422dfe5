import type { BlockLogStatus } from '../../rpc/index.ts';
import type { HealthCheck } from '../health.ts';
import type { ClusterNode } from './block-log.ts';

/** Milliseconds without a response of the block log after which health fails. */
const BLOCK_LOG_SILENCE_MS_MAX = 10_000;
/** Milliseconds between two notices that the block log is unreachable. */
const BLOCK_LOG_NOTICE_MS = 10_000;
/** Samples of the lag behind a block log: a time, and the number of known blocks at it. */
const BLOCK_LOG_LAG_MARKS_MAX = 64;

/** Returns true if a block log has responded within the last seconds. */
export function isResponding({ silentSeconds }: Pick<BlockLogStatus, 'silentSeconds'>): boolean {
  return silentSeconds * 1_000 <= BLOCK_LOG_SILENCE_MS_MAX;
}

/** Tracks if a block log responds, how far it is ahead, and if it is sound. */
export class BlockLogHealth implements HealthCheck {
  readonly appends = { appended: 0, conflicts: 0, unavailable: 0 };
  readonly #node: ClusterNode;
  #head = 0;
  /** Since when the log has blocks up to a number. The oldest is first; reached ones are removed by the next call. */
  #marks: { head: number; readonly since: number }[] = [];
  #respondedAt: number;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #state: 'unknown' | 'responding' | 'silent' = 'unknown';
  #halted: string | undefined;
  #losses = 0;

  constructor(node: ClusterNode) {
    this.#node = node;
    this.#respondedAt = node.time.now();
  }

  get head(): number {
    return this.#head;
  }

  get isHalting(): boolean {
    return this.#halted !== undefined;
  }

  /** Records a response: the log has blocks up to a number at least. */
  recordHead(head: number): void {
    const { time, log, events } = this.#node;
    this.#respondedAt = time.now();
    if (head > this.#head) this.#mark(head);
    if (this.#state === 'responding') return;
    this.#state = 'responding';
    events.onNotice?.({ kind: 'logAnswers', url: log.url, head });
  }

  recordFailure(reason: string): void {
    const { time, log, events } = this.#node;
    const now = time.now();
    // A log that responds to some queries only is reported rarely.
    if (this.#state === 'silent' || now - this.#reportedAt < BLOCK_LOG_NOTICE_MS) return;
    this.#state = 'silent';
    this.#losses += 1;
    this.#reportedAt = now;
    events.onNotice?.({ kind: 'logSilent', url: log.url, reason });
  }

  halt(reason: string): void {
    if (this.#halted !== undefined) return;
    this.#halted = reason;
    const { log, ledger, events } = this.#node;
    events.onNotice?.({ kind: 'logHalted', url: log.url, reason });
    ledger.chain.pauseWrites('the block log of this node is not safe to use');
  }

  status(): Omit<BlockLogStatus, 'transactions'> {
    const { log, time } = this.#node;
    const [oldest] = this.#openMarks();
    return {
      url: log.url,
      head: this.#head,
      lagBlocks: Math.max(0, this.#head - this.#localHead()),
      lagSeconds: oldest === undefined ? 0 : (time.now() - oldest.since) / 1_000,
      silentSeconds: (time.now() - this.#respondedAt) / 1_000,
      losses: this.#losses,
      elections: log.elections,
      halted: this.#halted,
      appends: { ...this.appends },
    };
  }

  problems(): string[] {
    const { log, time } = this.#node;
    if (this.#halted !== undefined) return [`the block log ${log.url} is not safe to use: ${this.#halted}`];
    const silence = time.now() - this.#respondedAt;
    if (silence <= BLOCK_LOG_SILENCE_MS_MAX) return [];
    return [`the block log ${log.url} has not responded for ${Math.floor(silence / 1_000)} s`];
  }

  #mark(head: number): void {
    this.#head = head;
    this.#marks = this.#openMarks();
    const last = this.#marks.at(-1);
    // Later blocks count from the last mark, so that none seems newer than it is.
    if (last !== undefined && this.#marks.length >= BLOCK_LOG_LAG_MARKS_MAX) last.head = head;
    else this.#marks.push({ head, since: this.#node.time.now() });
  }

  #openMarks() {
    const here = this.#localHead();
    return this.#marks.filter(({ head }) => head > here);
  }

  #localHead(): number {
    return this.#node.ledger.blocks.head().number;
  }
}
