import { LedgerdError } from '../protocol/index.ts';

/** A bound of the node was exceeded; the message names the bound and its value. */
export class LimitError extends LedgerdError {
  override readonly code = 'LIMIT';
  /** The code of its error object in JSON-RPC. */
  readonly rpcCode = -32005;
}
