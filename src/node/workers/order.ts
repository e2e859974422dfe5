import type { RpcLimits } from '../../rpc/index.ts';

/** What a process of workers is told when it is started. */
export interface WorkerOrder {
  /** Folder of the store that it reads. */
  readonly storePath: string;
  /** Bounds of the interface, of which it keeps those of queries. */
  readonly limits: RpcLimits;
  /** Whether it makes traces, and tells all by `TRACE_STREAM`. */
  readonly isTracing: boolean;
  /** Whether it passes on what executions tell beside their outcomes. */
  readonly isTelling: boolean;
}

/** An order as one word of a command line: JSON, with the one bound that JSON has no number for as a text. */
export function writeOrder({ limits, ...rest }: WorkerOrder): string {
  return JSON.stringify({ ...rest, limits: { ...limits, callGasMax: String(limits.callGasMax) } });
}

/** Reads what `writeOrder` has written. */
export function readOrder(text: string): WorkerOrder {
  const { limits, ...rest } = JSON.parse(text);
  return { ...rest, limits: { ...limits, callGasMax: BigInt(limits.callGasMax) } };
}
