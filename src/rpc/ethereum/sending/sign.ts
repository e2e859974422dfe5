import { data, dataShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema, dataSchema } from '../../parameters/bytes.ts';
import { messageSchema, passphraseSchema } from '../../parameters/plain.ts';
import { optional, placed } from '../../parameters/schema.ts';
import { signedAt, typedDataSchema } from '../../parameters/typed-data.ts';
import { keysOf } from './send.ts';

export const sign = defineMethod({
  name: 'eth_sign',
  summary: 'Signs a message, prefixed as Ethereum clients do (EIP-191), for an account of the node.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'message', schema: dataSchema, summary: 'The bytes to sign; the prefix is added.' },
  ],
  result: dataShape,
  errors: [ERRORS.unknownAccount, ERRORS.authenticationNeeded],
  handler: (context, [address, message]) => data(keysOf(context).signMessage(address, message)),
});

export const signPersonal = defineMethod({
  name: 'personal_sign',
  summary: 'Signs a message as `eth_sign` does, the parameters turned round.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [
    { name: 'message', schema: messageSchema, summary: 'The bytes to sign, or a text; the prefix is added.' },
    { name: 'address', schema: addressSchema },
    { name: 'passphrase', schema: optional(passphraseSchema), summary: 'Makes up for a lock.' },
  ],
  result: dataShape,
  errors: [ERRORS.unknownAccount, ERRORS.authenticationNeeded, ERRORS.wrongPassword],
  handler: (context, [message, address, passphrase]) =>
    data(keysOf(context).signMessage(address, message, passphrase)),
});

export const signTypedData = defineMethod({
  name: 'eth_signTypedData_v4',
  aliases: ['eth_signTypedData_v3', 'eth_signTypedData'],
  summary: 'Signs typed structured data (EIP-712) for an account of the node.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'typedData', schema: placed(typedDataSchema) },
  ],
  result: dataShape,
  errors: [ERRORS.unknownAccount, ERRORS.authenticationNeeded],
  handler: (context, [address, typedData]) =>
    data(signedAt(typedData, (given) => keysOf(context).signTypedData(address, given))),
});
