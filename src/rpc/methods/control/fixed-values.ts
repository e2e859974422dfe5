import { equalBytes } from '../../../protocol/index.ts';
import { type DescribedError, ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineControlAction, type MethodDefinition, peerNames } from '../../method.ts';
import { controlQuantitySchema, quantitySchema, textSchema } from '../../parameters/plain.ts';
import { addressSchema, dataSchema, placed } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';

const setChainId = defineControlAction({
  ...peerNames('setChainId'),
  summary: 'Refused: the chain id is part of the genesis.',
  work: 'quick',
  parameters: [{ name: 'chainId', schema: quantitySchema }],
  errors: [ERRORS.chainIdFixed],
  handler: () => refuse(ERRORS.chainIdFixed),
});

const setCoinbase = defineControlAction({
  ...peerNames('setCoinbase', 'miner_setEtherbase'),
  summary: 'Accepts the account that makes the blocks, and refuses any other one.',
  work: 'quick',
  parameters: [{ name: 'address', schema: addressSchema }],
  errors: [ERRORS.coinbaseFixed],
  example: { parameters: ['0x00000000000000000000000000000000000003ff'], result: null },
  handler: ({ ledger }, [address]) => {
    if (!equalBytes(address, ledger.parameters.coinbase)) refuse(ERRORS.coinbaseFixed);
  },
});

const impersonateSignature = defineControlAction({
  ...peerNames('impersonateSignature'),
  summary: 'Refused: who signed what is found out anew whenever blocks are replayed.',
  work: 'quick',
  parameters: [
    { name: 'signature', schema: dataSchema },
    { name: 'address', schema: addressSchema },
  ],
  errors: [ERRORS.signaturesFixed],
  handler: () => refuse(ERRORS.signaturesFixed),
});

const setRpcUrl = defineControlAction({
  ...peerNames('setRpcUrl'),
  summary: 'Refused: there is no other chain behind this one.',
  work: 'quick',
  parameters: [{ name: 'url', schema: textSchema }],
  errors: [ERRORS.noFork],
  handler: () => refuse(ERRORS.noFork),
});

function refuse({ message }: DescribedError): never {
  throw new RequestFailedError(message);
}

/** Returns the methods of peers that set what is fixed here: most refuse, or accept the present value alone. */
export function fixedValueMethods({ id, control }: Profile): readonly MethodDefinition[] {
  const errors = id === 'ledger' ? [] : [ERRORS.priceFixed];
  const example = { parameters: ['0x1'], result: null };
  const setMinGasPrice = defineControlAction({
    ...peerNames('setMinGasPrice', 'miner_setGasPrice'),
    summary:
      id === 'ledger'
        ? 'Takes note of the price of gas, which is always 1: 0 and 1 are accepted.'
        : 'Takes note of the least price of gas: 0, 1 and 10 gwei, which it is, are accepted.',
    work: 'quick',
    parameters: [{ name: 'price', schema: placed(controlQuantitySchema) }],
    errors,
    example,
    handler: ({ ledger }, [price]) => control.requirePrice(ledger, price),
  });
  const setNextBlockBaseFeePerGas = defineControlAction({
    ...peerNames('setNextBlockBaseFeePerGas'),
    summary:
      id === 'ledger'
        ? 'Takes note of the base fee, of which there is none: 0 is accepted, and 1, which tools set.'
        : 'Takes note of the base fee: 0, 1 and 10 gwei, which it is, are accepted.',
    work: 'quick',
    parameters: [{ name: 'fee', schema: placed(controlQuantitySchema) }],
    errors,
    example,
    handler: ({ ledger }, [fee]) => control.requireBaseFee(ledger, fee),
  });
  return [
    ...[setChainId, setCoinbase, impersonateSignature, setRpcUrl],
    ...[setMinGasPrice, setNextBlockBaseFeePerGas],
  ];
}
