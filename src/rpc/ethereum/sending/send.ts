import type { Address, Hash } from '../../../protocol/index.ts';
import type { EthereumKeys } from '../../context/ethereum-keys.ts';
import type { TestChainContext } from '../../context/method-context.ts';
import { RequestFailedError } from '../../envelope/errors.ts';
import {
  type EthereumRequest,
  ethereumMessage,
  requireChain,
} from '../../transactions/ethereum-call-messages.ts';
import { filledFields } from './fill.ts';
import { submitRaw } from './submit-raw.ts';

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
 * Sends a transaction object: of a key account signed by its key, of a native account of the wallet or an impersonated
 * address as `/` does, also where it has a key and code.
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
  const native = nativeRequest(context, request);
  const { wallet } = context;
  return passphrase === undefined ? wallet.send(native) : wallet.sendWithPassphrase(native, passphrase);
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
