import { equalBytes } from '../../../protocol/index.ts';
import { type DescribedError, ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineControlAction, type MethodDefinition, peerNames } from '../../method.ts';
import { controlQuantitySchema, quantitySchema } from '../../parameters/plain.ts';
import { addressSchema, dataSchema, withPath } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';

const setChainId = defineControlAction({
  ...peerNames('setChainId'),
  summary: 'Refused: the chain id is part of the genesis.',
  scheduling: 'quick',
  parameters: [{ name: 'chainId', schema: quantitySchema }],
  errors: [ERRORS.chainIdFixed],
  handler: () => refuse(ERRORS.chainIdFixed),
});

const setCoinbase = defineControlAction({
  ...peerNames('setCoinbase', 'miner_setEtherbase'),
  summary: 'Sets the result of COINBASE, and the `miner` of blocks at `/ethereum`.',
  parameters: [{ name: 'address', schema: addressSchema }],
  errors: [ERRORS.coinbaseFixed, ERRORS.tooManyPatches, ERRORS.writesPaused],
  differences:
    'The producer gets the fees, and is the `miner` at `/`. A chain without Ethereum accepts the producer alone.',
  example: { parameters: ['0x00000000000000000000000000000000000003ff'], result: null },
  handler: ({ ledger }, [coinbase]) => {
    const { parameters, chain } = ledger;
    if (parameters.rules.headersStateSettings) chain.patch(() => ({ type: 'coinbase', coinbase }));
    else if (!equalBytes(coinbase, parameters.coinbase)) refuse(ERRORS.coinbaseFixed);
  },
});

const impersonateSignature = defineControlAction({
  ...peerNames('impersonateSignature'),
  summary: 'Refused: a replay recovers the signers of all transactions again.',
  scheduling: 'quick',
  parameters: [
    { name: 'signature', schema: dataSchema },
    { name: 'address', schema: addressSchema },
  ],
  errors: [ERRORS.signaturesFixed],
  handler: () => refuse(ERRORS.signaturesFixed),
});

function refuse({ message }: DescribedError): never {
  throw new RequestFailedError(message);
}

/** Returns the methods of peers that set prices, and those that set values which are fixed here. */
export function fixedValueMethods({ id, control }: Profile): readonly MethodDefinition[] {
  const example = { parameters: ['0x1'], result: null };
  const setMinGasPrice = defineControlAction({
    ...peerNames('setMinGasPrice', 'miner_setGasPrice'),
    summary:
      id === 'ledger'
        ? 'Accepts 0 and 1: the price of gas is always 1.'
        : 'Sets the least gas price of transactions that the node accepts, in wei.',
    scheduling: 'quick',
    parameters: [{ name: 'price', schema: withPath(controlQuantitySchema) }],
    example,
    handler: ({ ledger }, [price]) => control.setMinGasPrice(ledger, price),
  });
  const setNextBlockBaseFeePerGas = defineControlAction({
    ...peerNames('setNextBlockBaseFeePerGas'),
    summary:
      id === 'ledger'
        ? 'Accepts 0, and 1, which tools set: there is no base fee.'
        : 'Sets the base fee of the next block, in wei, on a chain where it moves.',
    scheduling: 'send',
    parameters: [{ name: 'fee', schema: withPath(controlQuantitySchema) }],
    errors: id === 'ledger' ? [] : [ERRORS.constantBaseFee],
    example: id === 'ledger' ? example : undefined,
    handler: ({ ledger }, [fee]) => control.setBaseFee(ledger, fee),
  });
  return [setChainId, setCoinbase, impersonateSignature, setMinGasPrice, setNextBlockBaseFeePerGas];
}
