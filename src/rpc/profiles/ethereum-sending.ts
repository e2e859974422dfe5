import { shape, signedTransactionShape, toSignedTransaction } from '../../formatters/index.ts';
import { nativeTransactionOf, parseAhead, submitEthereum, submitImpersonated } from '../../ledger/index.ts';
import {
  type Address,
  BLOB_TYPE,
  DecodeError,
  decode,
  delegationOf,
  type EthereumTransaction,
  ethereumTransactionKind,
  FormatError,
  type Hash,
  parseEthereumTransaction,
  signedTransactionCodec,
  toPrefixedHex,
} from '../../protocol/index.ts';
import type { EthereumWallet } from '../../wallet/index.ts';
import type { NodeDependencies } from '../context/node-dependencies.ts';
import { ERRORS } from '../description/described-errors.ts';
import type { MethodContext, Signer, TestChainContext } from '../method-context.ts';
import { mapped } from '../parameters/schema.ts';
import { RequestFailedError } from '../rpc-errors.ts';
import { readBlobTransaction, submitBlobTransaction } from '../transactions/blob-transactions.ts';
import {
  completeTransaction,
  type EthereumRequest,
  ethereumMessage,
  ethereumRequestSchema,
  requireChain,
  requireSendable,
} from '../transactions/ethereum-call-messages.ts';
import type { OutgoingTransaction, SendingStyle } from './profile.ts';

/** The result of `eth_signTransaction`. */
export const signedBytesShape = shape.named(
  'SignedBytes',
  { title: 'signed transaction' },
  shape.object({ raw: shape.data, tx: signedTransactionShape }),
);

/** Sending on `/ethereum`: Ethereum transactions, signed by the keys of the node. */
export const ETHEREUM_SENDING: SendingStyle = {
  transaction: mapped(
    ethereumRequestSchema,
    (request): OutgoingTransaction => ({
      send: (context, passphrase) => sendRequest(context, request, passphrase),
      sendUnsigned: (context) => sendImpersonated(context, request),
      sign: (context, passphrase) => {
        const raw = signedBytes(context, request, passphrase);
        return { raw: toPrefixedHex(raw), tx: toSignedTransaction(parseEthereumTransaction(raw)) };
      },
      signForBlock: (context, index) => {
        const { from } = request;
        const hasKey = from !== undefined && context.keys?.holds(from) === true;
        if (hasKey) return nativeTransactionOf(signedBytes(context, request));
        return context.wallet.sign(nativeRequest(context, request), undefined, index);
      },
    }),
  ),
  signer: ethereumSigner,
  rawForm:
    'A signed transaction of type 0 to 4; of type 3 in its network form, with blobs, commitments and proofs.',
  check: ({ ledger }, { value }) => {
    refuseNative(value);
    if (!ledger.parameters.knowsEthereum) return undefined;
    return nativeTransactionOf(readBlobTransaction(value, ledger)?.transaction ?? value);
  },
  expect: ({ ledger }, raw) => {
    if (ledger.parameters.knowsEthereum) raw.inner = ledger.pool.signatures.expectEthereum(raw.value);
  },
  submit: (context, { value, inner }, caller) => {
    const wrapper = value[0] === BLOB_TYPE ? readBlobTransaction(value, context.ledger) : undefined;
    return wrapper === undefined
      ? submitRaw(context, value, inner)
      : submitBlobTransaction(context, wrapper, caller);
  },
};

/** Returns the signer for the keys of the node. Native accounts can be locked and unlocked, too. */
function ethereumSigner({ keys, wallet }: Pick<NodeDependencies, 'wallet' | 'keys'>): Signer | undefined {
  if (wallet === undefined) return undefined;
  return {
    create: (passphrase, key) => keysOf({ keys }).create(passphrase, key),
    lock: (address) => (keys?.holds(address) === true ? keys : wallet).lock(address),
    unlock: (address, passphrase, duration) => {
      if (keys?.holds(address) === true) keys.unlock(address, passphrase, duration);
      else if (!wallet.unlock(address, passphrase, duration)) {
        throw new RequestFailedError(ERRORS.wrongPassword.message);
      }
      return true;
    },
    signMessage: (address, message, passphrase) => keysOf({ keys }).signMessage(address, message, passphrase),
    signTypedData: (address, typedData) => keysOf({ keys }).signTypedData(address, typedData),
  };
}

/** Signs a transaction object for a key account, which must be unlocked without a passphrase. */
function signedBytes(context: TestChainContext, request: EthereumRequest, passphrase?: string): Uint8Array {
  const from = senderOf(request);
  const keys = keysOf(context);
  // Checked first, since an estimate is expensive.
  keys.requireUsable(from, passphrase);
  return keys.signTransaction(from, completeTransaction(context, request, from), passphrase);
}

/**
 * Sends a transaction object: of a key account signed by its key; of an impersonated address without a signature, even
 * if it has a key and code; of a native account of the wallet as on `/`.
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
  // Checked first, since an estimate is expensive, and has errors of its own.
  wallet.requireUsable(senderOf(request), passphrase);
  return wallet.send(nativeRequest(context, request), passphrase);
}

/**
 * Sends a transaction object of any address as an unsigned Ethereum transaction. A native account sends a native
 * operation, as with its key, and pays for the gas.
 */
function sendImpersonated(context: TestChainContext, request: EthereumRequest): Hash {
  const { ledger, wallet } = context;
  const from = senderOf(request);
  wallet.refuseEvmAddress(from);
  if (ledger.accounts.accountByAddress(from) !== undefined) {
    return wallet.sendUnsigned(nativeRequest(context, request), true);
  }
  return submitImpersonated(ledger, completeTransaction(context, request, from), from);
}

/** Returns true for an impersonated address with code other than a delegation, whose key cannot sign (EIP-3607). */
function actsAsContract({ wallet, ledger }: TestChainContext, address: Address): boolean {
  if (!wallet.impersonation.has(address)) return false;
  const code = ledger.accounts.codeAt(address);
  return code.length > 0 && delegationOf(code) === undefined;
}

/** Converts a transaction object to a request to the wallet: native units, and the remainder in wei. */
function nativeRequest(context: TestChainContext, request: EthereumRequest) {
  const { ledger, limits } = context;
  const { to, data, value = 0n } = request;
  const from = senderOf(request);
  requireSendable(request);
  requireChain(request, ledger);
  if (request.authorizationList !== undefined) {
    throw new RequestFailedError('transaction type not supported: a native account sends no authorizations');
  }
  const { weiPerUnit } = ledger.parameters.rules;
  const gas = request.gas ?? ledger.pool.pending.estimateTransaction(ethereumMessage(request, context));
  const amount = { value: value / weiPerUnit, dust: value % weiPerUnit };
  return { from, to, gas, ...amount, data, timeLimit: limits.callTimeMsMax };
}

function senderOf({ from }: EthereumRequest): Address {
  if (from === undefined) throw new RequestFailedError('missing from: the address of the sender');
  return from;
}

/** @throws RequestFailedError for a node without keys */
function keysOf({ keys }: Pick<NodeDependencies, 'keys'>): EthereumWallet {
  if (keys !== undefined) return keys;
  throw new RequestFailedError('unknown account: the node signs for no accounts');
}

function submitRaw(
  { ledger, allowUnprotected = false }: MethodContext,
  bytes: Uint8Array,
  parsed: EthereumTransaction | undefined = parseAhead(bytes),
): Hash {
  if (parsed === undefined) refuseNative(bytes);
  return submitEthereum(ledger, bytes, { allowUnprotected }, undefined, parsed);
}

/** @throws RequestFailedError for a native transaction */
function refuseNative(bytes: Uint8Array): void {
  if (ethereumTransactionKind(bytes) !== undefined) return;
  try {
    decode(signedTransactionCodec, bytes, 'transaction');
  } catch (error) {
    if (error instanceof DecodeError || error instanceof FormatError) return;
    throw error;
  }
  throw new RequestFailedError(
    'this is a native transaction, and /ethereum accepts Ethereum transactions: send it to / of this node',
  );
}
