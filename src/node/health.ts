import type { Ledger } from '../ledger/index.ts';
import type { HealthReport } from '../server/index.ts';

/** A check of a running node, such as that of its free space. */
export interface HealthCheck {
  /** Describes what the operator should fix, in sentences; none while all is well. */
  problems(): readonly string[];
  /** Describes deviations elsewhere, while this node itself is well; absent: none is ever known. */
  warnings?(): readonly string[];
  /** True while the check keeps the node from adding blocks; absent: it never does. */
  readonly isHalting?: boolean;
}

/** Reports the findings of all checks in their order, and the newest block. */
export function healthReport(
  checks: readonly HealthCheck[],
  ledger: Pick<Ledger, 'blocks' | 'clock'>,
): HealthReport {
  const problems = checks.flatMap((check) => check.problems());
  const warnings = checks.flatMap((check) => check.warnings?.() ?? []);
  const { number, header } = ledger.blocks.head();
  const blockAge = Math.max(0, ledger.clock.now() - header.timestamp);
  return { ok: problems.length === 0, problems, warnings, block: number, blockAge };
}

/** The allowed lag of a head, beyond which a node should serve no reads. */
export interface MaxLag {
  readonly unit: 'blocks' | 'seconds';
  readonly most: number;
}

/** The blocks that a head lacks, and its age where newer blocks are known, else 0. */
export type Lag = HeadLag['lag'];

/** Compares a node's head with the newest known block, and with the allowed lag. */
export class HeadLag implements HealthCheck {
  readonly #ledger: Pick<Ledger, 'blocks' | 'clock'>;
  readonly #newest: () => number;
  readonly #max: MaxLag | undefined;

  /** @param newest returns the number of the newest known block */
  constructor(ledger: Pick<Ledger, 'blocks' | 'clock'>, newest: () => number, max?: MaxLag) {
    this.#ledger = ledger;
    this.#newest = newest;
    this.#max = max;
  }

  get lag() {
    const { number, header } = this.#ledger.blocks.head();
    const blocks = Math.max(0, this.#newest() - number);
    return { blocks, seconds: blocks === 0 ? 0 : Math.max(0, this.#ledger.clock.now() - header.timestamp) };
  }

  /** Describes a head that is too far behind, which keeps a balancer from sending reads here. */
  problems(): string[] {
    const max = this.#max;
    const { lag } = this;
    if (max === undefined || lag[max.unit] <= max.most) return [];
    const { number } = this.#ledger.blocks.head();
    const allowed = max.unit === 'blocks' ? `${max.most} blocks` : `${max.most} s`;
    return [
      `block ${number}, the newest one here, is ${lag.blocks} blocks and ${lag.seconds} s behind the newest that is ` +
        `known, block ${number + lag.blocks}: --max-lag allows ${allowed}`,
    ];
  }
}
