import { TRANSACTION_BLOBS_MAX } from '../../consensus.ts';
import {
  type AccountOverride,
  type BlockOverride,
  type CallFees,
  type CallMessage,
  isSince,
  type Ledger,
  type LedgerQueries,
} from '../../ledger/index.ts';
import {
  type AccessList,
  type Address,
  type EthereumTransactionFields,
  equalBytes,
  NO_AUTHORIZATION,
  SET_CODE_CREATES,
} from '../../protocol/index.ts';
import type { MethodContext, QueryContext } from '../method-context.ts';
import { authorizationListSchema } from '../parameters/authorization-list.ts';
import { quantitySchema, uint64Schema } from '../parameters/plain.ts';
import {
  addressSchema,
  dataSchema,
  field,
  hashSchema,
  mapped,
  named,
  type ReadBy,
  type Schema,
} from '../parameters/schema.ts';
import { arrayOf, objectOf } from '../parameters/structures.ts';
import { RequestFailedError } from '../rpc-errors.ts';
import { suggestedPrice, suggestedTip } from './suggested-prices.ts';

const accessListSchema: Schema<AccessList> = arrayOf(
  objectOf({ address: addressSchema, storageKeys: arrayOf(hashSchema) }, 'ignored'),
);

/** Versioned hashes of the blobs of a transaction (EIP-4844). */
const versionedHashesSchema = arrayOf(hashSchema, { most: TRANSACTION_BLOBS_MAX, unit: 'blobs' });

/** True for any value. */
const presenceSchema: Schema<true> = { describe: () => ({}), read: () => true };

const fields = objectOf(
  {
    from: field(addressSchema, 'Sender; the zero address when absent.'),
    to: field(addressSchema, 'Receiver; absent to run the data as creation code.'),
    gas: field(uint64Schema, 'Gas limit.'),
    value: field(quantitySchema, 'Amount for the receiver in wei.'),
    data: field(dataSchema, 'Selector and encoded arguments, or creation code.'),
    input: field(dataSchema, 'The same as `data`, which calls then ignore; in sends both must be equal.'),
    nonce: field(uint64Schema, 'Next nonce of the sender if absent; ignored in calls.'),
    gasPrice: field(quantitySchema, 'Price in wei.'),
    maxFeePerGas: field(quantitySchema, 'Fee cap of a unit of gas in wei.'),
    maxPriorityFeePerGas: field(quantitySchema, 'Tip in wei.'),
    accessList: field(accessListSchema, 'Accounts and slots that are warm from the start (EIP-2930).'),
    chainId: field(quantitySchema, 'Must be the id of this chain.'),
    type: field(quantitySchema, '0 to 4; derived from the other fields if absent. Ignored in calls.'),
    maxFeePerBlobGas: field(quantitySchema, 'Fee cap of a unit of blob gas in wei.'),
    blobVersionedHashes: field(versionedHashesSchema, 'Results of BLOBHASH in calls (EIP-4844).'),
    blobs: field(presenceSchema, 'Ignored in calls, and refused in transactions to sign.'),
    authorizationList: field(
      mapped(authorizationListSchema, (list) => (list.length === 0 ? undefined : list)),
      'Signed permissions of accounts to run the code of others (EIP-7702); type 4, unless it is empty.',
    ),
  },
  'ignored',
);

/** A transaction object of `/ethereum`, with amounts in wei. Without entries, it has no list of authorizations. */
export interface EthereumRequest extends Omit<ReadBy<typeof fields>, 'input'> {
  /** True if `data`, which is that of `input`, was given beside other data; else absent. */
  readonly hasOtherData?: true;
}

/** Numbers of the types of blob and set-code transactions. */
const BLOB_TYPE = 3n;
const SET_CODE_TYPE = 4n;
/** Types of transactions that the node makes (EIP-2718), as their names in the protocol. */
const TYPES = new Map<bigint, Exclude<EthereumTransactionFields['type'], 'blob'>>([
  [0n, 'legacy'],
  [1n, 'accessList'],
  [2n, 'dynamicFee'],
  [SET_CODE_TYPE, 'setCode'],
]);

/** The transaction object of calls, estimates and sends. Unknown members are ignored. */
export const ethereumRequestSchema: Schema<EthereumRequest> = named(
  'TransactionObject',
  { title: 'transaction object' },
  mapped(fields, (read) => {
    const { to, gasPrice, maxFeePerGas, maxPriorityFeePerGas, data, input, authorizationList } = read;
    if (authorizationList !== undefined && to === undefined) throw new RequestFailedError(SET_CODE_CREATES);
    if (gasPrice !== undefined && (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined)) {
      throw new RequestFailedError('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified');
    }
    const hasTwo = input !== undefined && data !== undefined && data.length > 0;
    if (hasTwo && !equalBytes(data, input)) return { ...read, data: input, hasOtherData: true };
    // Not a copy, which would have another hidden class.
    if (input !== undefined) read.data = input;
    return read;
  }),
);

function refuseType(): never {
  throw new RequestFailedError('transaction type not supported');
}

/** Checks what a transaction must fulfil, but a call need not. @throws RequestFailedError with geth's messages */
export function requireSendable({
  maxFeePerGas: cap,
  maxPriorityFeePerGas: tip,
  hasOtherData,
}: EthereumRequest): void {
  if (cap !== undefined && tip !== undefined && cap < tip) {
    throw new RequestFailedError(`maxFeePerGas (${cap}) < maxPriorityFeePerGas (${tip})`);
  }
  if (!hasOtherData) return;
  throw new RequestFailedError(
    'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
  );
}

interface CallOverrides {
  readonly accounts?: readonly AccountOverride[];
  readonly block?: BlockOverride | undefined;
}

/**
 * Converts a transaction object to the message of a call or an estimate, with gas up to the limit of the node.
 *
 * @throws RequestFailedError for a wrong chain id, and for blobs without a receiver
 */
export function ethereumMessage(
  request: EthereumRequest,
  { ledger, limits }: QueryContext,
  { accounts = [], block }: CallOverrides = {},
): CallMessage {
  requireChain(request, ledger);
  const isPlain = accounts.length === 0 && (block === undefined || Object.keys(block).length === 0);
  const { from, to, value, data, gas, accessList, authorizationList } = request;
  const { blobVersionedHashes: blobHashes } = request;
  const { callGasMax: gasMax, callTimeMsMax: timeLimit } = limits;
  return {
    from,
    to,
    value,
    data,
    accessList,
    authorizationList,
    blobHashes,
    fees: feesOf(request, ledger),
    gas: gas === undefined || gas > gasMax ? gasMax : gas,
    overrides: isPlain ? undefined : { accounts, block: block ?? {} },
    timeLimit,
    reportsWei: true,
  };
}

/** @throws RequestFailedError for a wrong chain id, or a type that the fork of the chain lacks */
export function requireChain(
  { chainId, authorizationList }: EthereumRequest,
  { parameters }: LedgerQueries,
): void {
  if (authorizationList !== undefined && !isSince(parameters.hardfork, 'prague')) refuseType();
  if (chainId === undefined) return;
  const want = parameters.network.chainId;
  if (chainId === BigInt(want)) return;
  throw new RequestFailedError(`chainId does not match node's (have=${chainId}, want=${want})`);
}

/**
 * Returns the fees that a request names, 0 for those that it does not. A single gas price is both (EIP-1559); a chain
 * without blobs has no fee for them.
 * @throws RequestFailedError for blobs without a receiver
 */
export function feesOf(request: EthereumRequest, { parameters }: LedgerQueries): CallFees {
  const { gasPrice, maxFeePerGas: feeCap = 0n, maxPriorityFeePerGas: tip = 0n } = request;
  const fees = gasPrice === undefined ? { feeCap, tip } : { feeCap: gasPrice, tip: gasPrice };
  if (!hasBlobs(request) || parameters.rules.blobs === undefined) return fees;
  if (request.to === undefined) throw new RequestFailedError('blob transaction of type create');
  return { ...fees, blobFeeCap: request.maxFeePerBlobGas ?? 0n };
}

/** Returns true for the object of a blob transaction. */
function hasBlobs({ type, blobVersionedHashes = [], blobs, maxFeePerBlobGas }: EthereumRequest): boolean {
  const namesBlobs = blobs === true || blobVersionedHashes.length > 0;
  return type === BLOB_TYPE || namesBlobs || maxFeePerBlobGas !== undefined;
}

/** Default fee cap in base fees, as clients offer it. */
const BASE_FEES_OFFERED = 2n;
const NO_BYTES = new Uint8Array(0);

/**
 * Completes a transaction object with the next nonce, an estimate of its gas, and the price of gas.
 *
 * @throws RequestFailedError, and as an estimate
 */
export function completeTransaction(
  context: MethodContext,
  request: EthereumRequest,
  from: Address,
): EthereumTransactionFields {
  const { ledger } = context;
  requireSendable(request);
  requireChain(request, ledger);
  const { to, value = 0n, data = NO_BYTES, accessList = [] } = request;
  if (hasBlobs(request)) {
    throw new RequestFailedError(
      'transaction type not supported: the node makes no blob transactions; send a signed one with its blobs by ' +
        'eth_sendRawTransaction',
    );
  }
  if (to === undefined && data.length === 0) {
    throw new RequestFailedError('contract creation without any data provided');
  }
  const chainId = BigInt(ledger.parameters.network.chainId);
  const nonce = request.nonce ?? ledger.pool.pending.nonceOf(from);
  const gas =
    request.gas ?? ledger.pool.pending.estimateTransaction(ethereumMessage({ ...request, from }, context));
  const shared = { chainId, nonce, gas, to, value, data };
  const { baseFee } = ledger.prices.next();
  const price = suggestedPrice(ledger);
  const fees = () => {
    const { gasPrice, maxPriorityFeePerGas = gasPrice ?? defaultTip(request, ledger) } = request;
    const maxFeePerGas = gasPrice ?? offeredFee({ ...request, maxPriorityFeePerGas }, baseFee);
    return { maxFeePerGas, maxPriorityFeePerGas };
  };
  switch (typeOf(request)) {
    case 'legacy':
      return { ...shared, type: 'legacy', gasPrice: request.gasPrice ?? price };
    case 'accessList':
      return { ...shared, type: 'accessList', gasPrice: request.gasPrice ?? price, accessList };
    case 'dynamicFee':
      return { ...shared, type: 'dynamicFee', ...fees(), accessList };
    case 'setCode': {
      const { authorizationList = [] } = request;
      if (to === undefined) throw new RequestFailedError(SET_CODE_CREATES);
      return { ...shared, type: 'setCode', to, ...fees(), accessList, authorizationList };
    }
  }
}

/** Returns the suggested tip, or the fee cap if that is lower. */
function defaultTip({ maxFeePerGas }: EthereumRequest, ledger: Ledger): bigint {
  const tip = suggestedTip(ledger);
  return maxFeePerGas !== undefined && maxFeePerGas < tip ? maxFeePerGas : tip;
}

/** Returns the fee cap of a request, by default the one that clients offer at this price. */
export function offeredFee(
  { maxFeePerGas, maxPriorityFeePerGas = 0n }: EthereumRequest,
  price: bigint,
): bigint {
  return maxFeePerGas ?? BASE_FEES_OFFERED * price + maxPriorityFeePerGas;
}

/** Returns the requested type, by default the one with the given fields. @throws RequestFailedError for others */
function typeOf({ type, gasPrice, accessList, authorizationList }: EthereumRequest) {
  const requested = type === undefined ? undefined : (TYPES.get(type) ?? refuseType());
  if (requested === 'setCode' && authorizationList === undefined)
    throw new RequestFailedError(NO_AUTHORIZATION);
  if (authorizationList !== undefined && requested !== undefined && requested !== 'setCode') refuseType();
  if (requested !== undefined) return requested;
  if (authorizationList !== undefined) return 'setCode';
  if (gasPrice === undefined) return 'dynamicFee';
  return accessList === undefined ? 'legacy' : 'accessList';
}
