import type { RpcLimits } from '../../rpc/index.ts';

export interface WorkerOrder {
  /** Folder of the store that it reads. */
  readonly storePath: string;
  /** Bounds of the interface, of which it keeps those of queries. */
  readonly limits: RpcLimits;
}

/** An order as one word of a command line: JSON, with the one bound that JSON has no number for as a text. */
export function writeOrder({ storePath, limits }: WorkerOrder): string {
  return JSON.stringify({ storePath, limits: { ...limits, callGasMax: String(limits.callGasMax) } });
}

/** Reads what `writeOrder` has written. */
export function readOrder(text: string): WorkerOrder {
  const { storePath, limits } = JSON.parse(text);
  return { storePath, limits: { ...limits, callGasMax: BigInt(limits.callGasMax) } };
}
