import type { Ledger } from '../ledger/index.ts';
import type { HealthReport } from '../server/index.ts';

/** One concern of a running node that its operator watches, such as its free space. */
export interface HealthCheck {
  /** Returns what the operator should look after, in sentences; none while all is well. */
  problems(): readonly string[];
  /** Describes deviations elsewhere, while this node itself is well; absent: none is ever known. */
  warnings?(): readonly string[];
  /** True while this concern keeps the node from adding blocks; absent: it never does. */
  readonly isHalting?: boolean;
}

/** Reports the health of a node: what its checks find, in their order, and its newest block. */
export function healthReport(
  checks: readonly HealthCheck[],
  ledger: Pick<Ledger, 'head' | 'now'>,
): HealthReport {
  const problems = checks.flatMap((check) => check.problems());
  const warnings = checks.flatMap((check) => check.warnings?.() ?? []);
  const { number, header } = ledger.head();
  const blockAge = Math.max(0, ledger.now() - header.timestamp);
  return { ok: problems.length === 0, problems, warnings, block: number, blockAge };
}
