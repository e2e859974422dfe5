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
