import { shape } from '../../../formatters/index.ts';
import { recoverAddress, toPrefixedHex } from '../../../protocol/index.ts';
import { personalMessageHash } from '../../../wallet/index.ts';
import { COMPOSITION_ERRORS, ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod, type MethodDefinition } from '../../method.ts';
import { messageSchema, passphraseSchema } from '../../parameters/plain.ts';
import { addressSchema, messageDataSchema, optional, withPath } from '../../parameters/schema.ts';
import { signedAt, typedDataSchema } from '../../parameters/typed-data.ts';
import { signedBytesShape } from '../../profiles/ethereum-sending.ts';
import type { Profile } from '../../profiles/profile.ts';
import { RequestFailedError } from '../../rpc-errors.ts';

const ADDRESS_PARAMETER = {
  name: 'address',
  schema: addressSchema,
  summary: 'An account of the node.',
} as const;

const sign = defineTestMethod({
  name: 'eth_sign',
  summary: 'Signs a message, prefixed as Ethereum clients do (EIP-191), with the key of an unlocked account.',
  scheduling: 'turn',
  parameters: [
    ADDRESS_PARAMETER,
    { name: 'message', schema: messageDataSchema, summary: 'The bytes to sign; the prefix is added.' },
  ],
  result: shape.data,
  errors: [ERRORS.unknownAccount, ERRORS.authenticationNeeded],
  handler: ({ signer }, [address, message]) => toPrefixedHex(signer.signMessage(address, message)),
});

const signPersonal = defineTestMethod({
  name: 'personal_sign',
  summary:
    'Signs a message like `eth_sign`, with the parameters in reverse order; the passphrase unlocks for this call.',
  scheduling: 'turn',
  parameters: [
    {
      name: 'message',
      schema: messageSchema,
      summary: 'The bytes to sign, or a text; the prefix is added.',
    },
    ADDRESS_PARAMETER,
    { name: 'passphrase', schema: optional(passphraseSchema) },
  ],
  result: shape.data,
  errors: [ERRORS.unknownAccount, ERRORS.authenticationNeeded, ERRORS.wrongPassword],
  handler: ({ signer }, [message, address, passphrase]) =>
    toPrefixedHex(signer.signMessage(address, message, passphrase)),
});

const signTypedData = defineTestMethod({
  name: 'eth_signTypedData_v4',
  // The names of earlier versions; what both can sign they sign alike.
  aliases: ['eth_signTypedData_v3', 'eth_signTypedData'],
  summary: 'Signs typed structured data (EIP-712) with the key of an unlocked account.',
  scheduling: 'turn',
  parameters: [ADDRESS_PARAMETER, { name: 'typedData', schema: withPath(typedDataSchema) }],
  result: shape.data,
  errors: [ERRORS.unknownAccount, ERRORS.authenticationNeeded],
  differences: 'All versions are version 4.',
  handler: (context, [address, typedData]) =>
    toPrefixedHex(signedAt(typedData, (given) => context.signer.signTypedData(address, given))),
});

const signTransaction = ({ sending }: Profile): MethodDefinition =>
  defineTestMethod({
    name: 'eth_signTransaction',
    summary:
      'Signs a transaction with the key of an unlocked account and returns its bytes; nothing is sent.',
    scheduling: 'turn',
    parameters: [{ name: 'transaction', schema: sending.transaction }],
    result: signedBytesShape,
    errors: [ERRORS.unknownAccount, ERRORS.authenticationNeeded, ...COMPOSITION_ERRORS],
    handler: (context, [transaction]) => transaction.sign(context),
  });

const signTransactionWithPassphrase = ({ sending }: Profile): MethodDefinition =>
  defineTestMethod({
    name: 'personal_signTransaction',
    summary: 'Signs a transaction of an account given its passphrase and returns its bytes; nothing is sent.',
    scheduling: 'turn',
    parameters: [
      { name: 'transaction', schema: sending.transaction },
      { name: 'passphrase', schema: passphraseSchema },
    ],
    result: signedBytesShape,
    errors: [ERRORS.unknownAccount, ERRORS.wrongPassword, ...COMPOSITION_ERRORS],
    differences: 'As `eth_signTransaction`.',
    handler: (context, [transaction, passphrase]) => transaction.sign(context, passphrase),
  });

const SIGNATURE_BYTES = 65;

const recoverPersonal = defineTestMethod({
  name: 'personal_ecRecover',
  summary: 'Returns the address whose key signed a message by `personal_sign` or `eth_sign`.',
  scheduling: 'turn',
  parameters: [
    { name: 'message', schema: messageSchema, summary: 'The signed bytes, or a text, without the prefix.' },
    { name: 'signature', schema: messageDataSchema, summary: 'r, s and v, 65 bytes.' },
  ],
  result: shape.address,
  errors: [ERRORS.invalidSignature],
  handler: (_context, [message, signature]) => {
    // The words are geth's.
    if (signature.length !== SIGNATURE_BYTES) throw new RequestFailedError('signature must be 65 bytes long');
    const yParity = (signature.at(-1) ?? 0) - 27;
    if (yParity !== 0 && yParity !== 1)
      throw new RequestFailedError('invalid Ethereum signature (V is not 27 or 28)');
    const r = signature.subarray(0, 32);
    const s = signature.subarray(32, 64);
    const address = recoverAddress(personalMessageHash(message), r, s, yParity);
    if (address === undefined) throw new RequestFailedError(ERRORS.invalidSignature.message);
    return toPrefixedHex(address);
  },
});

/** Returns the methods of test mode that sign with keys of the node. */
export function signingMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    sign,
    signPersonal,
    recoverPersonal,
    signTypedData,
    signTransaction(profile),
    signTransactionWithPassphrase(profile),
  ];
}
