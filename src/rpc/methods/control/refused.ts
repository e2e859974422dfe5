import { equalBytes } from '../../../protocol/index.ts';
import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { addressSchema, dataSchema } from '../../parameters/bytes.ts';
import { textSchema } from '../../parameters/plain.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

const setChainId = defineControlMethod({
  ...peerNames('setChainId'),
  summary: 'Refused: the chain id is part of the genesis.',
  work: 'quick',
  parameters: [{ name: 'chainId', schema: quantitySchema }],
  result: nullShape,
  errors: [ERRORS.chainIdFixed],
  handler: () => {
    throw new RequestFailedError(ERRORS.chainIdFixed.message);
  },
});

const setCoinbase = defineControlMethod({
  ...peerNames('setCoinbase', 'miner_setEtherbase'),
  summary: 'Accepts the account that makes the blocks, and refuses any other one.',
  work: 'quick',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: nullShape,
  errors: [ERRORS.coinbaseFixed],
  example: { parameters: ['0x00000000000000000000000000000000000003ff'], result: null },
  handler: ({ ledger }, [address]) => {
    if (equalBytes(address, ledger.coinbase)) return null;
    throw new RequestFailedError(ERRORS.coinbaseFixed.message);
  },
});

const impersonateSignature = defineControlMethod({
  ...peerNames('impersonateSignature'),
  summary: 'Refused: who signed what is found out anew whenever blocks are replayed.',
  work: 'quick',
  parameters: [
    { name: 'signature', schema: dataSchema },
    { name: 'address', schema: addressSchema },
  ],
  result: nullShape,
  errors: [ERRORS.signaturesFixed],
  handler: () => {
    throw new RequestFailedError(ERRORS.signaturesFixed.message);
  },
});

const setRpcUrl = defineControlMethod({
  ...peerNames('setRpcUrl'),
  summary: 'Refused: there is no other chain behind this one.',
  work: 'quick',
  parameters: [{ name: 'url', schema: textSchema }],
  result: nullShape,
  errors: [ERRORS.noFork],
  handler: () => {
    throw new RequestFailedError(ERRORS.noFork.message);
  },
});

/** The methods of peers that this ledger has to refuse. */
export const REFUSED_METHODS: readonly MethodDefinition[] = [
  ...[setChainId, setCoinbase, impersonateSignature, setRpcUrl],
];
