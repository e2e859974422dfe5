import { addressOwner } from '../../../protocol/index.ts';
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
    'Sets the nonce of an address without a block: that of its next transaction, or of its next creation.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'nonce', schema: placed(controlUint64Schema), summary: 'Also a lower one than before.' },
  ],
  result: nullShape,
  errors: [
    ERRORS.historyDisabled,
    ERRORS.noToken,
    ERRORS.referenceGiven,
    ERRORS.tooManyPatches,
    ERRORS.writesPaused,
  ],
  differences: 'Of a native account it is the count of its operations, which has no effect on what it sends.',
  handler: ({ ledger }, [address, { value: count, place }]) => {
    const isNative = addressOwner(address).kind === 'account';
    if (isNative && count > BigInt(Number.MAX_SAFE_INTEGER)) {
      throw refusal(place, `expected at most ${Number.MAX_SAFE_INTEGER}, got ${count}`);
    }
    ledger.patch(() => ({ type: isNative ? 'operationCount' : 'nonce', address, count }));
    return null;
  },
});
