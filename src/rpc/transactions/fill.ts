import type { Address, EthereumTransactionFields } from '../../protocol/index.ts';
import { RequestFailedError } from '../errors.ts';
import type { MethodContext } from '../method-context.ts';
import { type EthereumRequest, ethereumMessage, requireChain } from './ethereum-call-messages.ts';

/** What a fee is left free to rise to, in base fees: it never does, but it is what clients offer. */
const BASE_FEES_OFFERED = 2n;
const NO_BYTES = new Uint8Array(0);

/**
 * Fills in what a transaction object leaves out: the next nonce, the gas that it needs, the price of gas.
 *
 * @throws RequestFailedError, and what an estimate throws
 */
export function filledFields(
  context: MethodContext,
  request: EthereumRequest,
  from: Address,
): EthereumTransactionFields {
  const { ledger } = context;
  requireChain(request, ledger);
  const { to, value = 0n, data = NO_BYTES, accessList = [] } = request;
  if (to === undefined && data.length === 0) {
    throw new RequestFailedError('contract creation without any data provided');
  }
  const chainId = BigInt(ledger.network.chainId);
  const nonce = request.nonce ?? ledger.pending.nonceOf(from);
  const gas =
    request.gas ?? ledger.pending.estimateTransaction(ethereumMessage({ ...request, from }, context));
  const shared = { chainId, nonce, gas, to, value, data };
  const price = ledger.rules.weiPerUnit;
  switch (typeOf(request)) {
    case 'legacy':
      return { ...shared, type: 'legacy', gasPrice: request.gasPrice ?? price };
    case 'accessList':
      return { ...shared, type: 'accessList', gasPrice: request.gasPrice ?? price, accessList };
    case 'dynamicFee': {
      const maxPriorityFeePerGas = request.maxPriorityFeePerGas ?? 0n;
      const maxFeePerGas = offeredFee(request, price);
      return { ...shared, type: 'dynamicFee', maxFeePerGas, maxPriorityFeePerGas, accessList };
    }
  }
}

/** The most that a request offers for a unit of gas, or else what clients offer at this price. */
export function offeredFee(
  { maxFeePerGas, maxPriorityFeePerGas = 0n }: EthereumRequest,
  price: bigint,
): bigint {
  return maxFeePerGas ?? BASE_FEES_OFFERED * price + maxPriorityFeePerGas;
}

const TYPES = ['legacy', 'accessList', 'dynamicFee'] as const;

/** The type that is asked for, or else the one that has the fields which are given. */
function typeOf({ type, gasPrice, accessList }: EthereumRequest): (typeof TYPES)[number] {
  const asked = type === undefined ? undefined : TYPES[Number(type)];
  if (asked !== undefined) return asked;
  if (gasPrice === undefined) return 'dynamicFee';
  return accessList === undefined ? 'legacy' : 'accessList';
}
