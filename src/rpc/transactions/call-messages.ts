import type { AccountOverride, BlockOverride, CallMessage, LedgerQueries } from '../../ledger/index.ts';
import { WORD_MAX } from '../../limits.ts';
import { equalBytes, toPrefixedHex } from '../../protocol/index.ts';
import type { TransactionRequest } from '../../wallet/index.ts';
import type { QueryContext } from '../context/method-context.ts';
import { InvalidParametersError } from '../envelope/errors.ts';
import type { CallRequest, SendRequest } from '../parameters/call-object.ts';

/**
 * Makes the message of an `eth_call` or `eth_estimateGas` from its call object, whose amounts are in native units. The
 * gas is cut to the limit of the node, as clients ask for more than a call needs; the time is the limit of the node.
 *
 * @throws InvalidParametersError for another chain's id, and for code in the place of a precompiled contract
 */
export function callMessage(
  request: CallRequest,
  context: QueryContext,
  accounts: readonly AccountOverride[] = [],
  block?: BlockOverride,
): CallMessage {
  checkChain(request, context);
  requirePlainPrecompiles(accounts, context, 'parameter 3 (stateOverrides)');
  const isPlain = accounts.length === 0 && (block === undefined || Object.keys(block).length === 0);
  const { ledger } = context;
  const overrides = isPlain ? undefined : { accounts: inWei(accounts, ledger), block: block ?? {} };
  const { from, to, value, data, gas } = request;
  const { callGasMax: gasMax, callTimeMsMax: timeLimit } = context.limits;
  return {
    from,
    to,
    value: value === undefined ? undefined : ledger.inWei(value),
    data,
    gas: gas === undefined || gas > gasMax ? gasMax : gas,
    overrides,
    timeLimit,
  };
}

/** Accounts with their balances in Wei, which no balance can be more of than fits into a word. */
function inWei(accounts: readonly AccountOverride[], ledger: LedgerQueries): readonly AccountOverride[] {
  return accounts.map(({ balance, ...account }) => {
    if (balance === undefined) return { ...account, balance };
    return { ...account, balance: balance > WORD_MAX / ledger.inWei(1n) ? WORD_MAX : ledger.inWei(balance) };
  });
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

/**
 * The engine runs a precompiled contract whatever code its address has.
 *
 * @param parameter what messages call the overrides
 * @throws InvalidParametersError for code in the place of a precompiled contract
 */
export function requirePlainPrecompiles(
  accounts: readonly AccountOverride[],
  { ledger }: QueryContext,
  parameter: string,
): void {
  const coded = accounts.filter(({ code }) => code !== undefined);
  if (coded.length === 0) return;
  const precompiles = ledger.precompiles();
  for (const { address } of coded) {
    if (!precompiles.some((precompile) => equalBytes(precompile.address, address))) continue;
    throw new InvalidParametersError(
      `invalid ${parameter}: ${toPrefixedHex(address)}: a precompiled contract cannot be overridden`,
    );
  }
}

/** Both kinds of request object are the first parameter of their methods. */
function checkChain(request: CallRequest, { ledger }: QueryContext): void {
  const { chainId } = ledger.network;
  if (request.chainId === undefined || request.chainId === BigInt(chainId)) return;
  throw new InvalidParametersError(
    `invalid parameter 1 (transaction): chainId: expected ${chainId}, the id of this chain, got ${request.chainId}`,
  );
}
