import { z } from 'zod';
import { type Address, equalBytes } from '../../protocol/index.ts';
import { addressSchema, dataSchema, readAddress, readData } from './bytes.ts';
import { describeObjectIssue } from './choice.ts';
import { quantitySchema, readQuantity } from './quantity.ts';
import { UNCOMMON, withQuickReader } from './quick-reader.ts';

/** What a call object or transaction object of a request asks for; amounts in native units. */
export interface CallRequest {
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  readonly gas: bigint | undefined;
  readonly value: bigint | undefined;
  readonly data: Uint8Array | undefined;
  readonly chainId: bigint | undefined;
}

/** A transaction object: a call object whose sender is known. */
export type SendRequest = CallRequest & { readonly from: Address };

/** Fields that clients add and that have no effect here. */
const ignored = z.unknown().optional().meta({ description: 'Accepted, without effect.' });
const EMPTY_EXPECTED = 'expected an empty array: this ledger has nothing of the kind';
/** The same of lists that would have an effect elsewhere if there were anything in them. */
const emptyList = z
  .array(z.unknown(), { error: EMPTY_EXPECTED })
  .max(0, { error: EMPTY_EXPECTED })
  .nullish()
  .meta({ description: 'Accepted when empty, without effect.' });
const ignoredLists = { blobVersionedHashes: emptyList, authorizationList: emptyList };
const ignoredFields = {
  gasPrice: ignored,
  maxFeePerGas: ignored,
  maxPriorityFeePerGas: ignored,
  nonce: ignored,
  type: ignored,
  accessList: ignored,
  chain: ignored,
  hardfork: ignored,
  networkId: ignored,
};

const fields = {
  from: addressSchema.nullish().meta({ description: 'Sender; the zero address when absent.' }),
  to: addressSchema.nullish().meta({ description: 'Receiver; absent to run the data as creation code.' }),
  gas: quantitySchema.nullish().meta({ description: 'The most that may be charged as the fee.' }),
  value: quantitySchema.nullish().meta({ description: 'Native units that go to the receiver.' }),
  data: dataSchema.nullish().meta({ description: 'Selector and encoded arguments, or creation code.' }),
  input: dataSchema.nullish().meta({ description: 'The same as `data`; both may be given if equal.' }),
  chainId: quantitySchema.nullish().meta({ description: 'Must be the id of this chain.' }),
  ...ignoredFields,
  ...ignoredLists,
};

interface Payload {
  readonly data?: Uint8Array | null | undefined;
  readonly input?: Uint8Array | null | undefined;
}

/** The fields as they were given: null stands for absent, `input` for `data`. */
interface GivenFields extends Payload {
  readonly from?: Address | null | undefined;
  readonly to?: Address | null | undefined;
  readonly gas?: bigint | null | undefined;
  readonly value?: bigint | null | undefined;
  readonly chainId?: bigint | null | undefined;
}

/** The call object of `eth_call` and `eth_estimateGas` (docs/interface.md#calls-and-estimates). */
export const callRequestSchema: z.ZodType<CallRequest> = withQuickReader(
  z
    .strictObject(fields, { error: describeObjectIssue })
    .superRefine(refuseTwoPayloads)
    .transform(callRequestOf)
    .meta({ id: 'CallObject', title: 'call object' }),
  readCallRequest,
);

/** The transaction object of `eth_sendTransaction` and `personal_sendTransaction` (docs/interface.md#test-mode). */
export const sendRequestSchema: z.ZodType<SendRequest> = z
  .strictObject(
    { ...fields, from: addressSchema.meta({ description: 'Sender: an account of the wallet.' }) },
    { error: describeObjectIssue },
  )
  .superRefine(refuseTwoPayloads)
  .transform((request) => ({ ...callRequestOf(request), from: request.from }))
  .meta({ id: 'TransactionObject', title: 'transaction to send' });

function refuseTwoPayloads({ data, input }: Payload, context: z.RefinementCtx): void {
  if (data == null || input == null || equalBytes(data, input)) return;
  context.addIssue({ code: 'custom', message: 'data and input differ: give one of them' });
}

function callRequestOf({ from, to, gas, value, data, input, chainId }: GivenFields): CallRequest {
  return {
    from: from ?? undefined,
    to: to ?? undefined,
    gas: gas ?? undefined,
    value: value ?? undefined,
    data: data ?? input ?? undefined,
    chainId: chainId ?? undefined,
  };
}

/** Reads a call object with a single payload and without nulls. */
function readCallRequest(value: unknown): CallRequest | typeof UNCOMMON {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return UNCOMMON;
  const request: ReadFields = {
    from: undefined,
    to: undefined,
    gas: undefined,
    value: undefined,
    data: undefined,
    chainId: undefined,
  };
  for (const key of Object.keys(value)) {
    if (!readField(request, key, Reflect.get(value, key))) return UNCOMMON;
  }
  return request;
}

type ReadFields = { -readonly [K in keyof CallRequest]: CallRequest[K] };

/** Reads one field into the request. Returns whether it is a common one. */
function readField(request: ReadFields, key: string, given: unknown): boolean {
  switch (key) {
    case 'from':
    case 'to': {
      const address = readAddress(given);
      if (address === UNCOMMON) return false;
      request[key] = address;
      return true;
    }
    case 'data':
    case 'input': {
      const bytes = readData(given);
      if (bytes === UNCOMMON || request.data !== undefined) return false;
      request.data = bytes;
      return true;
    }
    case 'gas':
    case 'value':
    case 'chainId': {
      const quantity = readQuantity(given);
      if (quantity === UNCOMMON) return false;
      request[key] = quantity;
      return true;
    }
    default:
      return Object.hasOwn(ignoredFields, key);
  }
}
