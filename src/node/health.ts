import type { Ledger } from '../ledger/index.ts';
import type { HealthReport } from '../server/index.ts';

/** A health check of a running node, such as that of its free space. */
export interface HealthCheck {
  /** Describes problems that the operator should fix, in sentences. */
  problems(): readonly string[];
  /** Describes problems of other nodes, while this node itself is healthy; absent: none is ever known. */
  warnings?(): readonly string[];
  /** True while the check prevents adding blocks; absent: never. */
  readonly isHalting?: boolean;
}

/** Reports the results of all checks in their order, and the newest block. */
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

/** The lag of a head beyond which a node should serve no reads. */
export interface MaxLag {
  readonly unit: 'blocks' | 'seconds';
  readonly most: number;
}

/** The number of missing blocks, and the age of the head in seconds while newer blocks are known, else 0. */
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

  /** Describes a head that is too far behind, so that load balancers stop sending reads. */
  problems(): string[] {
    const max = this.#max;
    const { lag } = this;
    if (max === undefined || lag[max.unit] <= max.most) return [];
    const { number } = this.#ledger.blocks.head();
    const allowed = max.unit === 'blocks' ? `${max.most} blocks` : `${max.most} s`;
    return [
      `block ${number}, the newest one here, is ${lag.blocks} blocks and ${lag.seconds} s behind the newest known ` +
        `block ${number + lag.blocks}: --max-lag allows ${allowed}`,
    ];
  }
}
