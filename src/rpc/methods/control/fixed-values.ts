import { equalBytes } from '../../../protocol/index.ts';
import { type DescribedError, ERRORS } from '../../description/described-errors.ts';
import { defineControlAction, type MethodDefinition, peerNames } from '../../method.ts';
import { controlQuantitySchema, quantitySchema } from '../../parameters/plain.ts';
import { addressSchema, dataSchema } from '../../parameters/schema.ts';
import { RequestFailedError } from '../../rpc-errors.ts';

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

const setMinGasPrice = defineControlAction({
  ...peerNames('setMinGasPrice', 'miner_setGasPrice'),
  summary: 'Sets the least gas price of transactions that the node accepts, in wei.',
  scheduling: 'quick',
  parameters: [{ name: 'price', schema: controlQuantitySchema }],
  example: { parameters: ['0x1'], result: null },
  handler: ({ ledger: { pool } }, [price]) => {
    pool.prices.minGasPrice = price;
  },
});

const setNextBlockBaseFeePerGas = defineControlAction({
  ...peerNames('setNextBlockBaseFeePerGas'),
  summary: 'Sets the base fee of the next block, in wei, on a chain where it moves.',
  parameters: [{ name: 'fee', schema: controlQuantitySchema }],
  errors: [ERRORS.constantBaseFee],
  handler: ({ ledger: { chain } }, [baseFee]) => chain.patch(() => ({ type: 'baseFee', baseFee })),
});

/** The methods of peers that set prices, and those that set values which are fixed here. */
export const FIXED_VALUE_METHODS: readonly MethodDefinition[] = [
  setChainId,
  setCoinbase,
  impersonateSignature,
  setMinGasPrice,
  setNextBlockBaseFeePerGas,
];
