import type { SnapshotPart } from '../ledger/index.ts';
import type { Impersonation, ImpersonationState } from './impersonation.ts';

/** Who is impersonated, as a snapshot of the chain holds it. */
export function impersonationPart(impersonation: Impersonation): SnapshotPart {
  const takeUp = (held: unknown): void => impersonation.restore(readState(held));
  return {
    name: 'impersonation',
    hold: () => (impersonation.isUsed ? impersonation.state : undefined),
    takeUp,
    kept: { epoch: () => impersonation.keptEpoch() ?? Number.POSITIVE_INFINITY, catchUp: takeUp },
  };
}

/** What is not there, or not as it should be, is as at first. */
function readState(held: unknown): ImpersonationState {
  const { impersonated, auto }: Partial<Record<keyof ImpersonationState, unknown>> = Object(held);
  const addresses: unknown[] = Array.isArray(impersonated) ? impersonated : [];
  return {
    impersonated: addresses.filter((one) => typeof one === 'string'),
    auto: auto === true,
  };
}
