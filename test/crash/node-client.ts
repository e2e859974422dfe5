import { type BlockObject, post, type RpcResponse } from '../json-rpc.ts';
import { CrashFinding } from './finding.ts';

/** A call, as a batch takes it. */
export type Call = readonly [method: string, ...parameters: readonly unknown[]];

/** Calls in one batch. */
const BATCH_CALLS = 500;

/** Returns true if the other process does not exist, or ended during the call. */
export function isConnectionLost(error: unknown): boolean {
  // What `fetch` throws when there is no connection or no whole response; everything else is no such error.
  return error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message);
}

/**
 * Sends calls in as few requests as possible; returns their responses in order.
 *
 * @throws TypeError when the connection is lost (`isConnectionLost`), Error for a response that does not fit
 */
export async function callAll(url: string, calls: readonly Call[]): Promise<RpcResponse[]> {
  const responses: RpcResponse[] = [];
  for (let start = 0; start < calls.length; start += BATCH_CALLS) {
    const batch = calls.slice(start, start + BATCH_CALLS);
    const body = batch.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const posted = await post(url, body);
    if (posted.status !== 200) throw new CrashFinding(`HTTP ${posted.status}: ${posted.text}`);
    const byId = new Map(posted.responses().map((response) => [response.id, response]));
    for (const { id, method } of body) responses.push(byId.get(id) ?? lacking(method));
  }
  return responses;
}

function lacking(method: string): never {
  throw new CrashFinding(`the batch's response lacks that of ${method}`);
}

/** Returns the results of calls, none of which may fail. */
export async function resultsOf<T>(url: string, calls: readonly Call[]): Promise<T[]> {
  const responses = await callAll(url, calls);
  return responses.map(({ result, error }, index) => {
    if (error === undefined) return result as T;
    throw new CrashFinding(`${JSON.stringify(calls[index])} is answered by ${JSON.stringify(error)}`);
  });
}

/** The newest block. */
export async function headOf(url: string): Promise<BlockObject> {
  const [head] = await resultsOf<BlockObject>(url, [['eth_getBlockByNumber', 'latest', false]]);
  if (head === undefined) throw new CrashFinding('there is no newest block');
  return head;
}
