import type { AccountOverride, BlockOverride, CallMessage, LedgerQueries } from '../../ledger/index.ts';
import { WORD_MAX } from '../../protocol/index.ts';
import type { TransactionRequest } from '../../wallet/index.ts';
import type { QueryContext } from '../method-context.ts';
import type { CallRequest, SendRequest } from '../parameters/call-object.ts';
import { refusal } from '../parameters/schema.ts';

/**
 * Converts a call object with amounts in native units to the message of an `eth_call` or `eth_estimateGas`. Cuts gas to
 * the limit of the node, since clients request more than a call needs.
 *
 * @throws InvalidParametersError for a wrong chain id
 */
export function callMessage(
  request: CallRequest,
  context: QueryContext,
  accounts: readonly AccountOverride[] = [],
  block?: BlockOverride,
): CallMessage {
  checkChain(request, context);
  const isPlain = accounts.length === 0 && (block === undefined || Object.keys(block).length === 0);
  const { ledger } = context;
  const overrides = isPlain ? undefined : { accounts: inWei(accounts, ledger), block: block ?? {} };
  const { from, to, value, data, gas } = request;
  const { callGasMax: gasMax, callTimeMsMax: timeLimit } = context.limits;
  return {
    from,
    to,
    value: value === undefined ? undefined : ledger.parameters.inWei(value),
    data,
    gas: gas === undefined || gas > gasMax ? gasMax : gas,
    overrides,
    timeLimit,
  };
}

/** Converts balances to wei, at most 2^256 - 1. */
function inWei(accounts: readonly AccountOverride[], ledger: LedgerQueries): readonly AccountOverride[] {
  return accounts.map(({ balance, ...account }) => {
    if (balance === undefined) return { ...account, balance };
    return {
      ...account,
      balance: balance > WORD_MAX / ledger.parameters.inWei(1n) ? WORD_MAX : ledger.parameters.inWei(balance),
    };
  });
}

/** Converts a transaction object to a request to the wallet. @throws InvalidParametersError for a wrong chain id */
export function sendMessage(request: SendRequest, context: QueryContext): TransactionRequest {
  checkChain(request, context);
  const { from, to, gas, value, data } = request;
  return { from, to, gas, value, data, timeLimit: context.limits.callTimeMsMax };
}

/** @throws InvalidParametersError for a wrong chain id */
function checkChain({ chainId: given }: CallRequest, { ledger }: QueryContext): void {
  const { chainId } = ledger.parameters.network;
  if (given === undefined || given.value === BigInt(chainId)) return;
  throw refusal(given.path, `expected ${chainId}, the id of this chain, got ${given.value}`);
}
