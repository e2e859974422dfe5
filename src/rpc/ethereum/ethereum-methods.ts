import { quantity, toPrefixedHex, ZERO_HASH } from '../../protocol/index.ts';
import { shape } from '../../view/index.ts';
import { ERRORS } from '../description/described-errors.ts';
import { RequestFailedError } from '../errors.ts';
import { defineMethod, defineStateQuery, type MethodDefinition } from '../method.ts';
import { BLOCK_CHOICES, type BlockChoice, numberOf } from '../methods/eth/block-choice.ts';
import { quantitySchema, slotSchema } from '../parameters/plain.ts';
import { addressSchema } from '../parameters/schema.ts';
import { arrayOf } from '../parameters/structures.ts';
import {
  codeHashAt,
  PAST_STORAGE_DIFFERENCES,
  readsHead,
  STATE_DIFFERENCES,
  STATE_PARAMETER,
  stateAt,
  storageRootAt,
} from '../profiles/ethereum-profile.ts';
import { ETHEREUM_CLIENT_METHODS, nodeInfo } from './client.ts';
import { simulate } from './simulation/simulate.ts';
import { createAccessList, estimateGas, fillTransaction } from './transaction-objects.ts';

const uncleCount = ({ suffix, parameter }: BlockChoice): MethodDefinition =>
  defineMethod({
    name: `eth_getUncleCountByBlock${suffix}`,
    summary: 'Returns the number of uncles of a block: always 0; null for an unknown block.',
    section: 'blocks',
    scheduling: 'quick',
    parameters: [parameter],
    result: shape.nullable(shape.quantity),
    handler: ({ ledger }, [block]) => {
      const number = numberOf(ledger, block);
      return number === undefined || ledger.blocks.blockByNumber(number) === undefined ? null : quantity(0);
    },
  });

const uncle = ({ suffix, parameter }: BlockChoice): MethodDefinition =>
  defineMethod({
    name: `eth_getUncleByBlock${suffix}AndIndex`,
    summary: 'Returns null: the chain has no uncles.',
    section: 'blocks',
    scheduling: 'quick',
    parameters: [parameter, { name: 'index', schema: quantitySchema }],
    result: shape.null,
    handler: () => null,
  });

/** The methods about uncles, of which there are none. */
const UNCLE_METHODS: readonly MethodDefinition[] = [
  ...BLOCK_CHOICES.map(uncleCount),
  ...BLOCK_CHOICES.map(uncle),
];

const slotProofShape = shape.object({
  key: shape.quantity,
  value: shape.quantity,
  proof: shape.array(shape.data),
});
const accountProofShape = shape.named(
  'AccountProof',
  { title: 'account proof' },
  shape.object({
    address: shape.address,
    balance: shape.quantity,
    nonce: shape.quantity,
    codeHash: shape.hash,
    storageHash: shape.hash,
    accountProof: shape.array(shape.data),
    storageProof: shape.array(slotProofShape),
  }),
);

const getProof = defineStateQuery({
  name: 'eth_getProof',
  summary: 'Returns the account at an address in the form of a proof, with an empty proof.',
  isQuick: readsHead(2),
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'storageKeys', schema: arrayOf(slotSchema), summary: 'Must be empty: slots cannot be proven.' },
    STATE_PARAMETER,
  ],
  result: accountProofShape,
  errors: [ERRORS.headerNotFound, ERRORS.stateNotKept, ERRORS.noProofs],
  differences:
    'The state root is not a Merkle root: `accountProof` is empty, and a call with storage keys is refused. ' +
    '`storageHash` is the root of the empty tree if the account has no storage, and zero otherwise. ' +
    `${PAST_STORAGE_DIFFERENCES} \`pending\` is the latest block. ${STATE_DIFFERENCES}`,
  handler: ({ ledger }, [address, slots, block]) => {
    if (slots.length > 0) throw new RequestFailedError(ERRORS.noProofs.message);
    const state = stateAt(ledger, block);
    return {
      address: toPrefixedHex(address),
      balance: quantity(state.accounts.weiBalanceOf(address)),
      nonce: quantity(state.accounts.nonceOf(address)),
      codeHash: codeHashAt(state, address),
      storageHash: storageRootAt(state, address) ?? toPrefixedHex(ZERO_HASH),
      accountProof: [],
      storageProof: [],
    };
  },
});

/** The methods that `/ethereum` alone has, or that mean something else there. */
export const ETHEREUM_ONLY_METHODS: readonly MethodDefinition[] = [
  ...[...ETHEREUM_CLIENT_METHODS, getProof, estimateGas, createAccessList, fillTransaction, simulate],
  ...[...UNCLE_METHODS, nodeInfo],
];
