import { requireProtected } from '../../ledger/index.ts';
import { dataShape } from '../../view/index.ts';
import { ERRORS } from '../description/described-errors.ts';
import { COMPOSITION_ERRORS } from '../description/error-groups.ts';
import { sendRequestSchema } from '../parameters/call-object.ts';
import { mapped } from '../parameters/schema.ts';
import { sendMessage } from '../transactions/call-messages.ts';
import { decodeTransaction, rawTransaction } from '../transactions/raw-transactions.ts';
import type { OutgoingTransaction, SendingStyle } from './sending.ts';

/** Sends on `/`: native transactions, signed by the wallet. */
export const LEDGER_SENDING: SendingStyle = {
  transaction: mapped(
    sendRequestSchema,
    (request): OutgoingTransaction => ({
      send: (context, passphrase) => {
        const message = sendMessage(request, context);
        const { wallet } = context;
        return passphrase === undefined
          ? wallet.send(message)
          : wallet.sendWithPassphrase(message, passphrase);
      },
      sendUnsigned: (context) => context.wallet.sendUnsigned(sendMessage(request, context)),
      sign: (context, passphrase) =>
        rawTransaction(context.wallet.sign(sendMessage(request, context), passphrase)),
      // Two that are equal differ in their expiration.
      signForBlock: (context, index) => context.wallet.sign(sendMessage(request, context), undefined, index),
    }),
  ),
  signedShape: dataShape,
  signer: ({ wallet }) => wallet,
  compositionErrors: COMPOSITION_ERRORS,
  lockedError: ERRORS.accountLocked,
  passphraseError: ERRORS.wrongPassphrase,
  decode: (bytes) => decodeTransaction(bytes, { knowsEthereum: false }),
  check: ({ ledger }, bytes) => void decodeTransaction(bytes, ledger),
  // One of Ethereum's that it carries has to be one that `/ethereum` takes.
  submit: ({ ledger, allowUnprotected = false }, bytes) => {
    const transaction = decodeTransaction(bytes, ledger);
    if (ledger.knowsEthereum) requireProtected(transaction, { allowUnprotected });
    return ledger.submit(transaction).hash;
  },
};
