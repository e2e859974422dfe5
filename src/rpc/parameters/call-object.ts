import { AMOUNT_MAX } from '../../consensus.ts';
import { type Address, equalBytes } from '../../protocol/index.ts';
import { quantitySchema } from './plain.ts';
import {
  addressSchema,
  dataSchema,
  explained,
  field,
  ignoredSchema,
  mapped,
  named,
  optional,
  type ParameterPath,
  refusal,
  type Schema,
  type WithPath,
  withPath,
} from './schema.ts';
import { objectOf } from './structures.ts';

/** A call object or transaction object; amounts in native units. */
export interface CallRequest {
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  readonly gas: bigint | undefined;
  readonly value: bigint | undefined;
  readonly data: Uint8Array | undefined;
  readonly chainId: WithPath<bigint> | undefined;
}

/** A transaction object: a call object whose sender is known. */
export type SendRequest = CallRequest & { readonly from: Address };

/** A list of other chains' features, which must be empty. */
const emptyListSchema = explained(
  optional<undefined>({
    describe: () => ({ type: 'array', maxItems: 0 }),
    read: (value, path) => {
      if (Array.isArray(value) && value.length === 0) return undefined;
      throw refusal(path, 'expected an empty array: this ledger does not support it');
    },
  }),
  { description: 'Accepted when empty, without effect.' },
);

/** An amount of native units that an operation can hold. */
const nativeAmountSchema = mapped(quantitySchema, (amount, path) => {
  if (amount <= AMOUNT_MAX) return amount;
  throw refusal(path, `expected at most ${AMOUNT_MAX} native units, got ${amount}`);
});

const fields = {
  from: field(addressSchema, 'Sender; the zero address when absent.'),
  to: field(addressSchema, 'Receiver; absent to run the data as creation code.'),
  gas: field(quantitySchema, 'The maximum fee.'),
  value: field(quantitySchema, 'Native units for the receiver.'),
  data: field(dataSchema, 'Selector and encoded arguments, or creation code.'),
  input: field(dataSchema, 'The same as `data`, which must be empty or equal if given, too.'),
  chainId: field(withPath(quantitySchema), 'Must be the id of this chain.'),
  gasPrice: ignoredSchema,
  maxFeePerGas: ignoredSchema,
  maxPriorityFeePerGas: ignoredSchema,
  nonce: ignoredSchema,
  type: ignoredSchema,
  accessList: ignoredSchema,
  chain: ignoredSchema,
  hardfork: ignoredSchema,
  networkId: ignoredSchema,
  blobVersionedHashes: emptyListSchema,
  authorizationList: emptyListSchema,
};

/** The call object of `eth_call` and `eth_estimateGas` (docs/interface.md#calls-and-estimates). */
export const callRequestSchema: Schema<CallRequest> = named(
  'CallObject',
  { title: 'call object' },
  mapped(objectOf(fields), withOnePayload),
);

/** The transaction object of `eth_sendTransaction` and `personal_sendTransaction` (docs/interface.md#test-mode). */
export const sendRequestSchema: Schema<SendRequest> = named(
  'TransactionObject',
  { title: 'transaction to send' },
  mapped(
    objectOf({
      ...fields,
      from: explained(addressSchema, {
        description: 'Sender: an account of the wallet, or an impersonated address.',
      }),
      gas: field(nativeAmountSchema, 'The maximum fee.'),
      value: field(nativeAmountSchema, 'Native units for the receiver.'),
    }),
    withOnePayload,
  ),
);

interface Payload {
  readonly data: Uint8Array | undefined;
  readonly input: Uint8Array | undefined;
}

/** Copies `input` to `data`. @throws InvalidParametersError if they differ */
function withOnePayload<T extends Payload>(given: T, path: ParameterPath): T {
  const { data, input } = given;
  if (input === undefined) return given;
  if (data === undefined || data.length === 0 || equalBytes(data, input)) return { ...given, data: input };
  throw refusal(path, 'data and input differ: give one of them');
}
