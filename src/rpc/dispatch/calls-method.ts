import { DEFAULT_RPC_LIMITS } from '../context/rpc-limits.ts';
import { LongBody } from '../json/text-writer.ts';
import { parseJson, readRequest } from '../messages/json-rpc.ts';

/** Returns true for a body with a call of a method, and for one that is too long to be read at once. */
export function callsMethod(body: Uint8Array | string | LongBody): boolean {
  if (body instanceof LongBody) return true;
  try {
    const parsed = parseJson(body, DEFAULT_RPC_LIMITS);
    return [parsed].flat().some((request) => readRequest(request).kind === 'call');
  } catch {
    return false;
  }
}
