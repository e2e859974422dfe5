import type { NodeParts } from './node-parts.ts';

/** True if the node knows contracts, by which it decodes errors; its workers know none. */
export function knowsErrors({ artifacts }: Pick<NodeParts, 'artifacts'>): boolean {
  return artifacts !== undefined && artifacts.size > 0;
}
