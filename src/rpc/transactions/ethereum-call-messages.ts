import type { BlockOverride, CallMessage, LedgerQueries } from '../../ledger/index.ts';
import { type AccessList, type Address, equalBytes, toPrefixedHex } from '../../protocol/index.ts';
import { RequestFailedError } from '../errors.ts';
import type { QueryContext } from '../method-context.ts';
import { addressSchema, dataSchema, hashSchema } from '../parameters/bytes.ts';
import { quantitySchema, uint64Schema } from '../parameters/quantity.ts';
import { explained, mapped, named, optional, type ReadBy, type Schema } from '../parameters/schema.ts';
import { arrayOf, objectOf } from '../parameters/structures.ts';
import { type GivenOverride, requirePlainPrecompiles } from './call-messages.ts';

/** A field that may be absent, with what it means. */
function field<T>(schema: Schema<T>, description: string): Schema<T | undefined> {
  return explained(optional(schema), { description });
}

const accessListSchema: Schema<AccessList> = arrayOf(
  objectOf({ address: addressSchema, storageKeys: arrayOf(hashSchema) }, 'ignored'),
);

/** A list whose entries only a type of transactions has that there is not. */
const entriesSchema: Schema<readonly unknown[]> = arrayOf({ describe: () => ({}), read: (value) => value });

const fields = objectOf(
  {
    from: field(addressSchema, 'Sender; the zero address when absent.'),
    to: field(addressSchema, 'Receiver; absent to run the data as creation code.'),
    gas: field(uint64Schema, 'Limit of the gas.'),
    value: field(quantitySchema, 'Wei that go to the receiver.'),
    data: field(dataSchema, 'Selector and encoded arguments, or creation code.'),
    input: field(dataSchema, 'The same as `data`; both may be given if equal.'),
    nonce: field(uint64Schema, "The sender's next one when absent; without effect on calls."),
    gasPrice: field(quantitySchema, 'Price in wei.'),
    maxFeePerGas: field(quantitySchema, 'The most that a unit of gas may cost, in wei.'),
    maxPriorityFeePerGas: field(quantitySchema, 'Tip in wei, which stays with the sender.'),
    accessList: field(accessListSchema, 'Accounts and slots that are warm from the beginning (EIP-2930).'),
    chainId: field(quantitySchema, 'Must be the id of this chain.'),
    type: field(quantitySchema, '0, 1 or 2; what the other fields say when absent.'),
    blobVersionedHashes: field(entriesSchema, 'Accepted when empty.'),
    authorizationList: field(entriesSchema, 'Accepted when empty.'),
  },
  'ignored',
);

/** What a transaction object of `/ethereum` asks for; amounts in wei. */
export type EthereumRequest = Omit<
  ReadBy<typeof fields>,
  'input' | 'blobVersionedHashes' | 'authorizationList'
>;

/** The transaction object of calls, estimates and sends; members that it does not know have no effect. */
export const ethereumRequestSchema: Schema<EthereumRequest> = named(
  'TransactionObject',
  { title: 'transaction object' },
  mapped(fields, (read) => {
    if (isMore(read.blobVersionedHashes) || isMore(read.authorizationList) || (read.type ?? 0n) > 2n) {
      throw new RequestFailedError('transaction type not supported');
    }
    checkFees(read);
    const { from, to, gas, value, nonce, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = read;
    const { accessList, chainId, type, data, input } = read;
    // Each field by its name: to copy all of them but some takes several times as long.
    return {
      from,
      to,
      gas,
      value,
      nonce,
      gasPrice,
      maxFeePerGas,
      maxPriorityFeePerGas,
      accessList,
      chainId,
      type,
      data: payloadOf(data, input),
    };
  }),
);

function isMore(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

/** In geth's words. */
function checkFees({
  gasPrice,
  maxFeePerGas: most,
  maxPriorityFeePerGas: tip,
}: Omit<EthereumRequest, 'data'>): void {
  if (gasPrice !== undefined && (most !== undefined || tip !== undefined)) {
    throw new RequestFailedError('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified');
  }
  if (most !== undefined && tip !== undefined && most < tip) {
    throw new RequestFailedError(`maxFeePerGas (${most}) < maxPriorityFeePerGas (${tip})`);
  }
}

function payloadOf(data: Uint8Array | undefined, input: Uint8Array | undefined): Uint8Array | undefined {
  if (data === undefined || input === undefined || equalBytes(data, input)) return input ?? data;
  throw new RequestFailedError(
    'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
  );
}

/** What else a call sees. */
interface Overridden {
  readonly accounts?: readonly GivenOverride[];
  readonly block?: BlockOverride | undefined;
}

/**
 * Makes the message of a call or an estimate from its transaction object. Gas beyond the limit of the node is cut to
 * that.
 *
 * @throws RequestFailedError for another chain's id, and for a fee below the price of gas
 */
export function ethereumMessage(
  request: EthereumRequest,
  context: QueryContext,
  { accounts = [], block }: Overridden = {},
): CallMessage {
  const { ledger, limits } = context;
  requireChain(request, ledger);
  const baseFee = block?.baseFee ?? ledger.rules.weiPerUnit;
  requireFee(request, baseFee);
  requirePlainPrecompiles(accounts, context);
  const isPlain = accounts.length === 0 && (block === undefined || Object.keys(block).length === 0);
  const { from, to, value, data, gas, accessList } = request;
  const { callGasMax: gasMax, callTimeMsMax: timeLimit } = limits;
  return {
    from,
    to,
    value,
    data,
    accessList,
    gasPrice: effectivePrice(request, baseFee),
    feeCap: feeCapOf(request),
    gas: gas === undefined || gas === 0n || gas > gasMax ? gasMax : gas,
    overrides: isPlain ? undefined : { accounts, block: block ?? {} },
    timeLimit,
    saysWei: true,
  };
}

/** @throws RequestFailedError for another chain's id */
export function requireChain({ chainId }: EthereumRequest, { network }: LedgerQueries): void {
  if (chainId === undefined || chainId === BigInt(network.chainId)) return;
  throw new RequestFailedError(`chainId does not match node's (have=${chainId}, want=${network.chainId})`);
}

/** The most that a unit of gas may cost; 0 without a fee. */
function feeCapOf({ gasPrice, maxFeePerGas }: EthereumRequest): bigint {
  return gasPrice ?? maxFeePerGas ?? 0n;
}

/** Wei that a call pays for a unit of gas in a block of this base fee, as geth computes it: 0 without a fee. */
export function effectivePrice(request: EthereumRequest, baseFee: bigint): bigint {
  if (request.gasPrice !== undefined) return request.gasPrice;
  const [most, wanted] = [feeCapOf(request), baseFee + (request.maxPriorityFeePerGas ?? 0n)];
  return wanted < most ? wanted : most;
}

/** Accepts a fee of 0, which asks for no payment. @throws RequestFailedError for a fee below the price of gas */
function requireFee(request: EthereumRequest, baseFee: bigint): void {
  const { from } = request;
  const most = feeCapOf(request);
  if (most === 0n || most >= baseFee) return;
  throw new RequestFailedError(
    `max fee per gas less than block base fee: address ${textOf(from)}, maxFeePerGas: ${most}, baseFee: ${baseFee}`,
  );
}

function textOf(address: Address | undefined): string {
  return address === undefined ? `0x${'00'.repeat(20)}` : toPrefixedHex(address);
}
