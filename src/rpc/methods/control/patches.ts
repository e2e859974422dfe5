import { AMOUNT_MAX } from '../../../consensus.ts';
import type { Ledger, SetBalance } from '../../../ledger/index.ts';
import { type Address, bytesToHex } from '../../../protocol/index.ts';
import { shape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlAction, defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { controlSlotSchema, controlUint64Schema, slotSchema } from '../../parameters/plain.ts';
import { addressSchema, dataSchema, refusal, type Schema, withPath } from '../../parameters/schema.ts';
import { oneOrMore } from '../../parameters/structures.ts';
import type { Profile } from '../../profiles/profile.ts';

/** Balances that one call sets. */
const BALANCES_SET_MAX = 1_000;
/** Bytes of code that one call sets (1 MiB). */
export const CODE_SET_BYTES_MAX = 1024 * 1024;

/** DATA that is code, or an empty text for none. */
const codeSchema: Schema<Uint8Array> = {
  describe: (components) => ({ anyOf: [dataSchema.describe(components), { type: 'string', maxLength: 0 }] }),
  read: (value, path) => {
    const code = value === '' ? new Uint8Array() : dataSchema.read(value, path);
    if (code.length <= CODE_SET_BYTES_MAX) return code;
    throw refusal(path, `expected at most ${CODE_SET_BYTES_MAX} bytes of code, got ${code.length}`);
  },
};

const setCode = defineControlAction({
  ...peerNames('setCode', 'evm_setAccountCode'),
  summary: 'Sets the code of an address without a block: replaces that of a contract, or creates a contract.',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'code', schema: codeSchema, summary: 'Runtime code, not creation code; may be empty.' },
  ],
  errors: [
    ERRORS.accountHasNoCode,
    ERRORS.referenceGiven,
    ERRORS.contractNotYet,
    ERRORS.tooManyPatches,
    ERRORS.writesPaused,
  ],
  differences: 'A new contract gets the next `1.11.N`, as after CREATE2. Nonce and storage do not change.',
  example: {
    parameters: ['0x1111111111111111111111111111111111111111', '0x602a60005260206000f3'],
    result: null,
  },
  handler: ({ ledger }, [address, code]) => ledger.chain.patch(() => ({ type: 'code', address, code })),
});

const setStorageAt = defineControlMethod({
  ...peerNames('setStorageAt', 'evm_setAccountStorageAt'),
  summary: 'Sets the 32 bytes at a position in the storage of an address, without a block.',
  parameters: [
    { name: 'address', schema: addressSchema },
    {
      name: 'position',
      schema: controlSlotSchema,
      summary: 'The slot; for an entry of a mapping a hash.',
    },
    { name: 'value', schema: slotSchema, summary: 'Shorter values are padded on the left to 32 bytes.' },
  ],
  result: shape.constant(true),
  errors: [ERRORS.referenceGiven, ERRORS.tooManyPatches, ERRORS.writesPaused],
  differences: 'Accepts any address, even one without code.',
  example: {
    parameters: [
      '0x0100000000000000000000000000000000000000',
      '0x0',
      '0x000000000000000000000000000000000000000000000000000000000000004d',
    ],
    result: true,
  },
  handler: ({ ledger }, [address, slot, value]) => {
    ledger.chain.patch(() => ({ type: 'storage', address, slot, value }));
    return true as const;
  },
});

const setNextBlockPrevRandao = defineControlAction({
  ...peerNames(['setNextBlockPrevRandao', 'setPrevRandao']),
  summary: 'Sets the result of PREVRANDAO in the next block only.',
  parameters: [
    {
      name: 'prevRandao',
      schema: slotSchema,
      summary: 'Shorter values are padded on the left to 32 bytes.',
    },
  ],
  errors: [ERRORS.tooManyPatches, ERRORS.writesPaused],
  differences:
    'Sets `rand` and `mixHash` of the next block. Later blocks derive theirs from signatures again; Hardhat derives ' +
    'them from this value.',
  example: {
    parameters: ['0x000000000000000000000000000000000000000000000000000000000000002a'],
    result: null,
  },
  handler: ({ ledger }, [rand]) => ledger.chain.patch(() => ({ type: 'rand', rand })),
});

const setNonce = ({ id, control }: Profile): MethodDefinition =>
  defineControlAction({
    ...peerNames('setNonce', 'evm_setAccountNonce'),
    summary:
      'Sets the transaction count of an address without a block; for a contract, the number of contracts that it ' +
      'has created.',
    parameters: [
      { name: 'address', schema: addressSchema },
      { name: 'nonce', schema: withPath(controlUint64Schema), summary: 'May be lower than before.' },
    ],
    errors: [ERRORS.historyDisabled, ERRORS.referenceGiven, ERRORS.tooManyPatches, ERRORS.writesPaused],
    differences:
      id === 'ledger'
        ? 'Has no effect on sent operations, which have no nonces. Accepts a lower value; Hardhat refuses it.'
        : 'For a native account it is the count of its operations, which does not affect later operations.',
    example: { parameters: ['0x0000000000000000000000000000000000000400', '0x7'], result: null },
    handler: ({ ledger }, [address, { value: count, path }]) => {
      ledger.chain.patch(() => {
        if (!control.countsOperations(ledger, address)) return { type: 'nonce', address, count };
        if (count <= BigInt(Number.MAX_SAFE_INTEGER)) return { type: 'operationCount', address, count };
        throw refusal(path, `expected at most ${Number.MAX_SAFE_INTEGER}, got ${count}`);
      });
    },
  });

const ADDRESSES_PARAMETER = {
  name: 'addresses',
  schema: oneOrMore(addressSchema, { most: BALANCES_SET_MAX, unit: 'addresses' }),
} as const;

const PATCH_ERRORS = [
  ERRORS.referenceGiven,
  ERRORS.supplyTooLarge,
  ERRORS.tooManyPatches,
  ERRORS.writesPaused,
];

const CUT =
  `The node cuts a larger balance to the maximum of an account, ${AMOUNT_MAX} · 10^10 wei, on a fork ` +
  '2^256 - 1 wei.';

function balanceMethods({ id, unit, control }: Profile): readonly MethodDefinition[] {
  const setBalance = defineControlAction({
    ...peerNames('setBalance', 'tenderly_setBalance', 'evm_setAccountBalance'),
    summary: `Sets the balance of an address, or of each of several, in ${unit}, without a block.`,
    parameters: [ADDRESSES_PARAMETER, { name: 'balance', schema: withPath(control.amount) }],
    errors: PATCH_ERRORS,
    differences:
      id === 'ledger'
        ? 'In native units, whose maximum is lower than that of wei. Returns null under each name; produces no block.'
        : `${CUT} Returns null under each name.`,
    example: {
      parameters: ['0x0000000000000000000000000000000000000400', '0xde0b6b3a7640000'],
      result: null,
    },
    handler: (context, [addresses, { value, path }]) => {
      const wei = control.inWei(context.ledger, value);
      patchBalances(context.ledger, addresses, (_, address) =>
        control.cappedBalance(context, address, wei, path),
      );
    },
  });
  const addBalance = defineControlAction({
    ...peerNames('addBalance', 'tenderly_addBalance'),
    summary: `Adds ${unit} to the balance of an address, or of each of several, without a block.`,
    parameters: [ADDRESSES_PARAMETER, { name: 'amount', schema: withPath(control.amount) }],
    errors: PATCH_ERRORS,
    differences: `Adds the amount again for a repeated address. ${id === 'ledger' ? 'Produces no block.' : CUT}`,
    example: { parameters: ['0x0000000000000000000000000000000000000400', '0x3e8'], result: null },
    handler: (context, [addresses, { value, path }]) => {
      const wei = control.inWei(context.ledger, value);
      patchBalances(context.ledger, addresses, (balance, address) =>
        control.cappedBalance(context, address, balance + wei, path),
      );
    },
  });
  return [setBalance, addBalance];
}

/** Sets the balances of addresses in wei, all of them or none; `next` returns one from the former. */
function patchBalances(
  ledger: Ledger,
  addresses: readonly Address[],
  next: (balance: bigint, address: Address) => bigint,
): void {
  if (addresses.length === 0) return;
  ledger.chain.patch(() => {
    const balances = new Map<string, SetBalance>();
    for (const address of addresses) {
      const name = bytesToHex(address);
      const balance = balances.get(name)?.balance ?? ledger.accounts.weiBalanceOf(address);
      balances.set(name, { address, balance: next(balance, address) });
    }
    return { type: 'balances', balances: [...balances.values()] };
  });
}

/** Returns the methods that change the state of an address without a block. */
export function patchMethods(profile: Profile): readonly MethodDefinition[] {
  return [...balanceMethods(profile), setCode, setStorageAt, setNonce(profile), setNextBlockPrevRandao];
}
