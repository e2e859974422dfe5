import type { HealthCheck } from './health.ts';

/** The allowed lag of a head, beyond which a node should serve no reads. */
export interface MaxLag {
  readonly unit: 'blocks' | 'seconds';
  readonly most: number;
}

/** The lag of a head. */
export interface Lag {
  readonly blocks: number;
  /** Age of the head where newer blocks are known, else 0. */
  readonly seconds: number;
}

/** The newest blocks, and the allowed lag. */
export interface HeadLagOptions {
  head(): { readonly number: number; readonly timestamp: number };
  newest(): number;
  /** Unix seconds. */
  now(): number;
  /** Undefined: any. */
  readonly max: MaxLag | undefined;
}

/** Compares a node's head with the newest known block, and with the allowed lag. */
export class HeadLag implements HealthCheck {
  readonly #options: HeadLagOptions;

  constructor(options: HeadLagOptions) {
    this.#options = options;
  }

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
