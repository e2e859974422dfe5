import type { NodeNotice } from './notices.ts';

/** Returns true for a notice of the node itself: signatures in WebAssembly depend on the machine. */
export function isOfNode({ kind }: NodeNotice): boolean {
  return kind !== 'recoveryInWasm';
}
