import { submitImpersonated } from '../../ledger/index.ts';
import type { Address, Hash } from '../../protocol/index.ts';
import type { EthereumKeys } from '../context/ethereum-keys.ts';
import { RequestFailedError } from '../errors.ts';
import type { TestChainContext } from '../method-context.ts';
import { type EthereumRequest, ethereumMessage, requireChain } from './ethereum-call-messages.ts';
import { filledFields } from './fill.ts';
import { submitRaw } from './raw-transactions.ts';

/**
 * Signs a transaction object for a key account.
 *
 * @param passphrase of an account that may be locked; absent: it must not be
 * @throws RequestFailedError, WalletError, and what an estimate throws
 */
export function signedBytes(
  context: TestChainContext,
  request: EthereumRequest,
  passphrase?: string,
): Uint8Array {
  const { from } = request;
  if (from === undefined) throw new RequestFailedError('missing from: it says which account sends');
  const keys = keysOf(context);
  // Before an estimate is paid for.
  keys.requireUsable(from, passphrase);
  return keys.signTransaction(from, filledFields(context, request, from), passphrase);
}

/**
 * Sends a transaction object: of a key account signed by its key, of an impersonated address without a signature, also
 * where it has a key and code, of a native account of the wallet as `/` does.
 *
 * @param passphrase of an account that may be locked; absent: it must not be
 * @returns its hash
 * @throws RequestFailedError, WalletError, RefusedError
 */
export function sendRequest(context: TestChainContext, request: EthereumRequest, passphrase?: string): Hash {
  const { from } = request;
  if (from !== undefined && context.keys?.holds(from) === true && !actsAsContract(context, from)) {
    return submitRaw(context, signedBytes(context, request, passphrase));
  }
  const { wallet } = context;
  if (from !== undefined && passphrase === undefined && wallet.impersonates(from)) {
    return sendImpersonated(context, request);
  }
  const native = nativeRequest(context, request);
  return passphrase === undefined ? wallet.send(native) : wallet.sendWithPassphrase(native, passphrase);
}

/**
 * Sends a transaction object of whatever address as a transaction of Ethereum's that it did not sign. A native account
 * sends a native operation, as it does with its key, and pays for the gas like all others.
 *
 * @returns its hash
 * @throws RequestFailedError, WalletError, RefusedError
 */
export function sendImpersonated(context: TestChainContext, request: EthereumRequest): Hash {
  const { ledger, wallet } = context;
  const { from } = request;
  if (from === undefined) throw new RequestFailedError('missing from: it says which account sends');
  wallet.refuseEvmAddress(from);
  if (ledger.accountByAddress(from) !== undefined) {
    return wallet.sendUnsigned(nativeRequest(context, request), true);
  }
  return submitImpersonated(ledger, filledFields(context, request, from), from);
}

/** Whether an impersonated address of the wallet was given code, so that no signature of its key counts. */
function actsAsContract({ wallet, ledger }: TestChainContext, address: Address): boolean {
  return wallet.impersonation.has(address) && ledger.codeAt(address).length > 0;
}

/** The transaction object as the wallet takes it: in native units, and what is left in wei. */
export function nativeRequest(context: TestChainContext, request: EthereumRequest) {
  const { ledger, limits } = context;
  const { from, to, data, value = 0n } = request;
  if (from === undefined) throw new RequestFailedError('missing from: it says which account sends');
  requireChain(request, ledger);
  const { weiPerUnit } = ledger.rules;
  const gas = request.gas ?? ledger.pending.estimateTransaction(ethereumMessage(request, context));
  const amount = { value: value / weiPerUnit, dust: value % weiPerUnit };
  return { from, to, gas, ...amount, data, timeLimit: limits.callTimeMsMax };
}

/** @throws RequestFailedError where the node signs for nobody */
export function keysOf({ keys }: TestChainContext): EthereumKeys {
  if (keys !== undefined) return keys;
  throw new RequestFailedError('unknown account: the node signs for no accounts');
}
