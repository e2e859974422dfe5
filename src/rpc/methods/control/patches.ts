import { constantShape, nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { codeSchema } from '../../parameters/patches.ts';
import { controlSlotSchema, controlUint64Schema, slotSchema } from '../../parameters/quantity.ts';
import { placed, refusal } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';

const setCode = defineControlMethod({
  ...peerNames('setCode', 'evm_setAccountCode'),
  summary: 'Puts code at an address without a block: another one of a contract, or a new contract.',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'code', schema: codeSchema, summary: 'The code itself, not creation code; none: no code.' },
  ],
  result: nullShape,
  errors: [
    ERRORS.accountHasNoCode,
    ERRORS.referenceGiven,
    ERRORS.contractNotYet,
    ERRORS.tooManyPatches,
    ERRORS.writesPaused,
  ],
  differences:
    'At an address where nothing was, the contract is the next `1.11.N`, as after CREATE2. Storage stays as it is.',
  example: {
    parameters: ['0x1111111111111111111111111111111111111111', '0x602a60005260206000f3'],
    result: null,
  },
  handler: ({ ledger }, [address, code]) => {
    ledger.patch(() => ({ type: 'code', address, code }));
    return null;
  },
});

const setStorageAt = defineControlMethod({
  ...peerNames('setStorageAt', 'evm_setAccountStorageAt'),
  summary: 'Sets the 32 bytes at a position in the storage of an address, without a block.',
  parameters: [
    { name: 'address', schema: addressSchema },
    {
      name: 'position',
      schema: controlSlotSchema,
      summary: 'The slot; that of an entry of a mapping is a hash.',
    },
    { name: 'value', schema: slotSchema, summary: 'What is shorter than 32 bytes is filled up on the left.' },
  ],
  result: constantShape(true),
  errors: [ERRORS.referenceGiven, ERRORS.tooManyPatches, ERRORS.writesPaused],
  differences: 'Of any address, also of one without code.',
  example: {
    parameters: [
      '0x0100000000000000000000000000000000000000',
      '0x0',
      '0x000000000000000000000000000000000000000000000000000000000000004d',
    ],
    result: true,
  },
  handler: ({ ledger }, [address, slot, value]) => {
    ledger.patch(() => ({ type: 'storage', address, slot, value }));
    return true as const;
  },
});

const setNextBlockPrevRandao = defineControlMethod({
  ...peerNames(['setNextBlockPrevRandao', 'setPrevRandao']),
  summary: 'Sets what PREVRANDAO gives in the next block, and in no other.',
  parameters: [
    {
      name: 'prevRandao',
      schema: slotSchema,
      summary: 'What is shorter than 32 bytes is filled up on the left.',
    },
  ],
  result: nullShape,
  errors: [ERRORS.tooManyPatches, ERRORS.writesPaused],
  differences:
    'It is the `rand` of the next block, and its `mixHash`. Later blocks have what follows from the signatures ' +
    'again; Hardhat begins with it instead.',
  example: {
    parameters: ['0x000000000000000000000000000000000000000000000000000000000000002a'],
    result: null,
  },
  handler: ({ ledger }, [rand]) => {
    ledger.patch(() => ({ type: 'rand', rand }));
    return null;
  },
});

const setNonce = ({ id, control }: Profile): MethodDefinition =>
  defineControlMethod({
    ...peerNames('setNonce', 'evm_setAccountNonce'),
    summary:
      'Sets the transaction count of an address without a block; of a contract, the number of contracts that it ' +
      'has created.',
    parameters: [
      { name: 'address', schema: addressSchema },
      { name: 'nonce', schema: placed(controlUint64Schema), summary: 'Also a lower one than before.' },
    ],
    result: nullShape,
    errors: [ERRORS.historyDisabled, ERRORS.referenceGiven, ERRORS.tooManyPatches, ERRORS.writesPaused],
    differences:
      id === 'ledger'
        ? 'Without effect on what is sent, since there are no nonces. A lower one is taken; Hardhat refuses it.'
        : 'Of a native account it is the count of its operations, which has no effect on what it sends.',
    example: { parameters: ['0x0000000000000000000000000000000000000400', '0x7'], result: null },
    handler: ({ ledger }, [address, { value: count, place }]) => {
      ledger.patch(() => {
        if (!control.countsOperations(ledger, address)) return { type: 'nonce', address, count };
        if (count <= BigInt(Number.MAX_SAFE_INTEGER)) return { type: 'operationCount', address, count };
        throw refusal(place, `expected at most ${Number.MAX_SAFE_INTEGER}, got ${count}`);
      });
      return null;
    },
  });

/** Returns the methods that change the state of an address without a block, but for its balance. */
export function patchMethods(profile: Profile): readonly MethodDefinition[] {
  return [setCode, setStorageAt, setNonce(profile), setNextBlockPrevRandao];
}
