import type { MethodContext } from './method-context.ts';

/** True if the node knows contracts, by which it decodes errors; its workers know none. */
export function knowsErrors({ artifacts }: Pick<MethodContext, 'artifacts'>): boolean {
  return artifacts !== undefined && artifacts.size > 0;
}
