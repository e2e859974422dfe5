import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { controlUint64Schema } from '../../parameters/quantity.ts';
import { placed, refusal } from '../../parameters/schema.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const setNonce = defineMethod({
  ...peerNames('setNonce', 'evm_setAccountNonce'),
  summary:
    'Sets, without a block, what `eth_getTransactionCount` answers of an address; of a contract, how many contracts ' +
    'it has created.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'nonce', schema: placed(controlUint64Schema), summary: 'Also a lower one than before.' },
  ],
  result: nullShape,
  errors: [ERRORS.historyDisabled, ERRORS.referenceGiven, ERRORS.tooManyPatches, ERRORS.writesPaused],
  differences:
    'Without effect on what is sent, since there are no nonces. A lower one is taken; Hardhat refuses it.',
  example: { parameters: ['0x0000000000000000000000000000000000000400', '0x7'], result: null },
  handler: ({ ledger }, [address, { value: count, place }]) => {
    ledger.patch(() => {
      if (ledger.contractIdAt(address) !== undefined) return { type: 'nonce', address, count };
      if (count <= BigInt(Number.MAX_SAFE_INTEGER)) return { type: 'operationCount', address, count };
      throw refusal(place, `expected at most ${Number.MAX_SAFE_INTEGER}, got ${count}`);
    });
    return null;
  },
});
