import type { HealthCheck } from './health.ts';

/** How far behind the newest block that it knows of a node's head may be, before it serves no reads. */
export interface MaxLag {
  readonly unit: 'blocks' | 'seconds';
  readonly most: number;
}

/** How far a head is behind. */
export interface Lag {
  readonly blocks: number;
  /** Age of the head where newer blocks are known, and 0 where none are. */
  readonly seconds: number;
}

/** What says how far a node is behind, and how far it may be. */
export interface HeadLagOptions {
  /** The newest block here; its time in Unix seconds. */
  head(): { readonly number: number; readonly timestamp: number };
  /** Number of the newest block that this node knows of, here or elsewhere. */
  newest(): number;
  /** The time of day that blocks go by, in Unix seconds. */
  now(): number;
  /** Absent: the head may be behind as far as it likes. */
  readonly max: MaxLag | undefined;
}

/** Knows how far a node's head is behind the newest block that it knows of, and whether that is too far. */
export class HeadLag implements HealthCheck {
  readonly #options: HeadLagOptions;

  constructor(options: HeadLagOptions) {
    this.#options = options;
  }

  /** How far the head is behind at this moment. */
  get lag(): Lag {
    const { head, newest, now } = this.#options;
    const { number, timestamp } = head();
    const blocks = Math.max(0, newest() - number);
    return { blocks, seconds: blocks === 0 ? 0 : Math.max(0, now() - timestamp) };
  }

  /** Describes a head that is too far behind, which keeps a balancer from sending reads here. */
  problems(): string[] {
    const { head, max } = this.#options;
    if (max === undefined) return [];
    const { lag } = this;
    if (lag[max.unit] <= max.most) return [];
    const { number } = head();
    const allowed = max.unit === 'blocks' ? `${max.most} blocks` : `${max.most} s`;
    return [
      `block ${number}, the newest one here, is ${lag.blocks} blocks and ${lag.seconds} s behind the newest that is ` +
        `known, block ${number + lag.blocks}: --max-lag allows ${allowed}`,
    ];
  }
}
