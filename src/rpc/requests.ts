import type { CallMessage } from '../ledger/index.ts';
import type { TransactionRequest } from '../wallet/index.ts';
import { InvalidParametersError } from './errors.ts';
import type { QueryContext } from './method.ts';
import type { CallRequest, SendRequest } from './schemas/transaction.ts';

/**
 * Makes the message of an `eth_call` or `eth_estimateGas` from its call object. The gas is cut to the limit of
 * the node, as clients ask for more than a call needs; the time is the limit of the node.
 *
 * @throws InvalidParametersError for another chain's id
 */
export function callMessage(request: CallRequest, context: QueryContext): CallMessage {
  checkChain(request, context);
  const { from, to, value, data, gas } = request;
  const { callGasMax: gasMax, callTimeMsMax: timeLimit } = context.limits;
  return { from, to, value, data, gas: gas === undefined || gas > gasMax ? gasMax : gas, timeLimit };
}

/**
 * Makes what the wallet sends from a transaction object.
 * @throws InvalidParametersError for another chain's id
 */
export function sendMessage(request: SendRequest, context: QueryContext): TransactionRequest {
  checkChain(request, context);
  const { from, to, gas, value, data } = request;
  return { from, to, gas, value, data, timeLimit: context.limits.callTimeMsMax };
}

/** Both kinds of request object are the first parameter of their methods. */
function checkChain(request: CallRequest, { ledger }: QueryContext): void {
  const { chainId } = ledger.network;
  if (request.chainId === undefined || request.chainId === BigInt(chainId)) return;
  throw new InvalidParametersError(
    `invalid parameter 1 (transaction): chainId: expected ${chainId}, the id of this chain, got ${request.chainId}`,
  );
}
