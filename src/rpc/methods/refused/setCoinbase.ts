import { equalBytes } from '../../../protocol/index.ts';
import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const setCoinbase = defineMethod({
  ...peerNames('setCoinbase', 'miner_setEtherbase'),
  summary: 'Accepts the account that makes the blocks, and refuses any other one.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: nullShape,
  errors: [ERRORS.coinbaseFixed],
  example: { parameters: ['0x00000000000000000000000000000000000003ff'], result: null },
  handler: ({ ledger }, [address]) => {
    if (equalBytes(address, ledger.coinbase)) return null;
    throw new RequestFailedError(ERRORS.coinbaseFixed.message);
  },
});
