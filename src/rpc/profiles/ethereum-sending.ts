import { ethereumEnvelope } from '../../ledger/index.ts';
import { parseEthereumTransaction } from '../../protocol/index.ts';
import {
  data,
  dataShape,
  namedShape,
  objectShape,
  signedTransactionShape,
  toSignedTransaction,
} from '../../view/index.ts';
import { ERRORS } from '../description/described-errors.ts';
import { RequestFailedError } from '../errors.ts';
import type { TestChainContext } from '../method-context.ts';
import { mapped } from '../parameters/schema.ts';
import { ethereumRequestSchema } from '../transactions/ethereum-call-messages.ts';
import {
  keysOf,
  nativeRequest,
  sendImpersonated,
  sendRequest,
  signedBytes,
} from '../transactions/ethereum-sending.ts';
import { checkRaw, submitRaw } from '../transactions/raw-transactions.ts';
import type { OutgoingTransaction, SendingStyle, Signer } from './sending.ts';

const signedBytesShape = namedShape(
  'SignedBytes',
  { title: 'signed transaction' },
  objectShape({ raw: dataShape, tx: signedTransactionShape }),
);

/** Sends on `/ethereum`: Ethereum's transactions, signed by the keys of the node. */
export const ETHEREUM_SENDING: SendingStyle = {
  transaction: mapped(
    ethereumRequestSchema,
    (request): OutgoingTransaction => ({
      send: (context, passphrase) => sendRequest(context, request, passphrase),
      sendUnsigned: (context) => sendImpersonated(context, request),
      sign: (context, passphrase) => {
        const raw = signedBytes(context, request, passphrase);
        return { raw: data(raw), tx: toSignedTransaction(parseEthereumTransaction(raw)) };
      },
      signForBlock: (context, index) => {
        const { from } = request;
        const hasKey = from !== undefined && context.keys?.holds(from) === true;
        if (hasKey) return ethereumEnvelope(signedBytes(context, request));
        return context.wallet.sign(nativeRequest(context, request), undefined, index);
      },
    }),
  ),
  signedShape: signedBytesShape,
  signer: ethereumSigner,
  compositionErrors: [
    ERRORS.executionReverted,
    ERRORS.executionHalted,
    ERRORS.gasRequired,
    ERRORS.insufficientFunds,
  ],
  lockedError: ERRORS.authenticationNeeded,
  passphraseError: ERRORS.wrongPassword,
  decode: ({ value }) => ethereumEnvelope(value),
  check: (context, { value }) => checkRaw(context, value),
  submit: (context, { value }) => submitRaw(context, value),
};

/** Returns the keys of the node; those of native accounts, which it signs for as well, can be locked and unlocked. */
function ethereumSigner(context: TestChainContext): Signer {
  const { keys, wallet } = context;
  return {
    create: (passphrase, key) => keysOf(context).create(passphrase, key),
    lock: (address) => (keys?.holds(address) === true ? keys : wallet).lock(address),
    unlock: (address, passphrase, duration) => {
      if (keys?.holds(address) === true) keys.unlock(address, passphrase, duration);
      else if (!wallet.unlock(address, passphrase, duration)) {
        throw new RequestFailedError(ERRORS.wrongPassword.message);
      }
      return true;
    },
    signMessage: (address, message, passphrase) => keysOf(context).signMessage(address, message, passphrase),
    signTypedData: (address, typedData) => keysOf(context).signTypedData(address, typedData),
  };
}
