import { ZERO_HASH } from '../../protocol/index.ts';
import {
  addressShape,
  arrayShape,
  data,
  dataShape,
  hashShape,
  namedShape,
  objectShape,
  quantity,
  quantityShape,
} from '../../view/index.ts';
import { ERRORS } from '../description/described-errors.ts';
import { RequestFailedError } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { addressSchema } from '../parameters/bytes.ts';
import { slotSchema } from '../parameters/quantity.ts';
import { arrayOf } from '../parameters/structures.ts';
import {
  codeHashAt,
  meansHead,
  PAST_STORAGE_DIFFERENCES,
  STATE_DIFFERENCES,
  STATE_PARAMETER,
  stateAt,
  storageRootAt,
} from '../profiles/state-at.ts';

const slotProofShape = objectShape({
  key: quantityShape,
  value: quantityShape,
  proof: arrayShape(dataShape),
});
const accountProofShape = namedShape(
  'AccountProof',
  { title: 'account proof' },
  objectShape({
    address: addressShape,
    balance: quantityShape,
    nonce: quantityShape,
    codeHash: hashShape,
    storageHash: hashShape,
    accountProof: arrayShape(dataShape),
    storageProof: arrayShape(slotProofShape),
  }),
);

export const getProof = defineMethod({
  name: 'eth_getProof',
  summary: 'Answers the account at an address in the form of a proof, which proves nothing.',
  section: 'state',
  work: 'worker',
  isQuick: meansHead(2),
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'storageKeys', schema: arrayOf(slotSchema), summary: 'None: no slot can be proven.' },
    STATE_PARAMETER,
  ],
  result: accountProofShape,
  errors: [ERRORS.headerNotFound, ERRORS.stateNotKept, ERRORS.noProofs],
  differences:
    'The state root is no tree: the empty `accountProof` proves nothing, and with any slot the call is refused. ' +
    '`storageHash` is the root of the empty tree where nothing is stored, and else zero. ' +
    `${PAST_STORAGE_DIFFERENCES} \`pending\` is the latest block. ${STATE_DIFFERENCES}`,
  handler: ({ ledger }, [address, slots, block]) => {
    if (slots.length > 0) throw new RequestFailedError(ERRORS.noProofs.message);
    const state = stateAt(ledger, block);
    return {
      address: data(address),
      balance: quantity(state.accounts.weiBalanceOf(address)),
      nonce: quantity(state.accounts.nonceOf(address)),
      codeHash: codeHashAt(state, address),
      storageHash: storageRootAt(state, address) ?? data(ZERO_HASH),
      accountProof: [],
      storageProof: [],
    };
  },
});
