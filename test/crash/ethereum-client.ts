import type { RpcResponse } from '../json-rpc.ts';
import { CrashFinding } from './finding.ts';
import type { Call } from './node-client.ts';

/** Calls in one batch. */
const BATCH_CALLS = 500;

/**
 * Calls of the profile `/ethereum`, sent as batches; their answers in the same order.
 *
 * @param url of the profile itself
 * @throws TypeError when the connection is lost (`isConnectionLost`), CrashFinding for a response that does not fit
 */
export async function callEthereum(url: string, calls: readonly Call[]): Promise<RpcResponse[]> {
  const responses: RpcResponse[] = [];
  for (let start = 0; start < calls.length; start += BATCH_CALLS) {
    const batch = calls.slice(start, start + BATCH_CALLS);
    const body = batch.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.status !== 200) throw new CrashFinding(`HTTP ${response.status}: ${text}`);
    const answers: readonly RpcResponse[] = JSON.parse(text);
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    batch.forEach(([method], id) => {
      const answer = byId.get(id);
      if (answer === undefined) throw new CrashFinding(`the batch's response lacks that of ${method}`);
      responses.push(answer);
    });
  }
  return responses;
}

/** The results of calls that must not be answered by an error. */
export async function ethereumResults<T>(url: string, calls: readonly Call[]): Promise<T[]> {
  const responses = await callEthereum(url, calls);
  return responses.map(({ result, error }, index) => {
    if (error === undefined) return result as T;
    throw new CrashFinding(`${JSON.stringify(calls[index])} is answered by ${JSON.stringify(error)}`);
  });
}
