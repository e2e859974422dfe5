import { AMOUNT_MAX } from '../../../consensus.ts';
import { shape } from '../../../formatters/index.ts';
import type { Ledger, SetBalance } from '../../../ledger/index.ts';
import { type Address, bytesToHex, WORD_MAX } from '../../../protocol/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlAction, defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import type { TestChainContext } from '../../method-context.ts';
import {
  controlQuantitySchema,
  controlSlotSchema,
  controlUint64Schema,
  slotSchema,
} from '../../parameters/plain.ts';
import {
  addressSchema,
  dataSchema,
  type ParameterPath,
  refusal,
  type Schema,
  withPath,
} from '../../parameters/schema.ts';
import { oneOrMore } from '../../parameters/structures.ts';
import { isNativeAccount } from '../../profiles/ethereum-profile.ts';

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

/** Returns the method that sets a nonce. @param countsOperations true if the nonce of an address counts operations */
export const nonceMethod = (
  countsOperations: (ledger: Ledger, address: Address) => boolean,
): MethodDefinition =>
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
      'For a native account it is the count of its operations, which does not affect later operations.',
    example: { parameters: ['0x0000000000000000000000000000000000000400', '0x7'], result: null },
    handler: ({ ledger }, [address, { value: count, path }]) => {
      ledger.chain.patch(() => {
        if (!countsOperations(ledger, address)) return { type: 'nonce', address, count };
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

/** Returns a balance in wei that an account can have. @throws InvalidParametersError */
type BoundedBalance = (
  context: TestChainContext,
  address: Address,
  wei: bigint,
  path: ParameterPath,
) => bigint;

/** Cuts more than an account can hold, which tests set, and logs this. */
const cutBalance: BoundedBalance = ({ ledger, onBalanceCut }, address, wei) => {
  // The accounts of a remote chain may have more, and so may those of its fork.
  const isForked = ledger.parameters.rules.base !== undefined;
  const max = isForked ? WORD_MAX : ledger.parameters.inWei(AMOUNT_MAX);
  if (wei <= max) return wei;
  onBalanceCut?.(address, wei, max);
  return max;
};

/** Returns the methods that set balances. @param amount schema of an amount in the unit of the profile */
export function balanceMethods(amount: Schema<bigint>, bounded: BoundedBalance): readonly MethodDefinition[] {
  const setBalance = defineControlAction({
    ...peerNames('setBalance', 'tenderly_setBalance', 'evm_setAccountBalance'),
    summary: 'Sets the balance of an address, or of each of several, in wei, without a block.',
    parameters: [ADDRESSES_PARAMETER, { name: 'balance', schema: withPath(amount) }],
    errors: PATCH_ERRORS,
    differences: `${CUT} Returns null under each name.`,
    example: {
      parameters: ['0x0000000000000000000000000000000000000400', '0xde0b6b3a7640000'],
      result: null,
    },
    handler: (context, [addresses, { value, path }]) => {
      const wei = value * weiPer(context);
      patchBalances(context.ledger, addresses, (_, address) => bounded(context, address, wei, path));
    },
  });
  const addBalance = defineControlAction({
    ...peerNames('addBalance', 'tenderly_addBalance'),
    summary: 'Adds wei to the balance of an address, or of each of several, without a block.',
    parameters: [ADDRESSES_PARAMETER, { name: 'amount', schema: withPath(amount) }],
    errors: PATCH_ERRORS,
    differences: `Adds the amount again for a repeated address. ${CUT}`,
    example: { parameters: ['0x0000000000000000000000000000000000000400', '0x3e8'], result: null },
    handler: (context, [addresses, { value, path }]) => {
      const wei = value * weiPer(context);
      patchBalances(context.ledger, addresses, (balance, address) =>
        bounded(context, address, balance + wei, path),
      );
    },
  });
  return [setBalance, addBalance];
}

/** Returns the value of one unit of the profile in wei. */
function weiPer({ ledger, objects }: TestChainContext): bigint {
  return ledger.parameters.rules.weiPerUnit / objects.perUnit(ledger);
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

/** The methods that change the state of an address without a block. */
export const PATCH_METHODS: readonly MethodDefinition[] = [
  ...balanceMethods(controlQuantitySchema, cutBalance),
  setCode,
  setStorageAt,
  nonceMethod(isNativeAccount),
  setNextBlockPrevRandao,
];
