import { type Hex, optional } from './reading.ts';
import { callIfKnown } from './rpc.ts';

/** An operation in the ledger's own JSON; undefined where the node has none of it. @throws as `call` */
export async function operationOf(hash: Hex): Promise<unknown> {
  return optional(await callIfKnown('ledger_getOperation', hash), (operation) => operation);
}
