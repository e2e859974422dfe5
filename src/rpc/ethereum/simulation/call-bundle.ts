import { revertMessageOf } from '../../../contracts/index.ts';
import { shape } from '../../../formatters/index.ts';
import {
  describeHalt,
  type LedgerQueries,
  nativeTransactionOf,
  type SimulatedState,
} from '../../../ledger/index.ts';
import {
  type Address,
  concatBytes,
  type EthereumTransaction,
  isEthereumTransaction,
  keccak256,
  toHash,
  toPrefixedHex,
  ZERO_HASH,
} from '../../../protocol/index.ts';
import { decodesErrors } from '../../context/node-dependencies.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { ofNamedState } from '../../fork/history-rules.ts';
import { defineStateQuery, hasPending } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { quantitySchema, uint64Schema } from '../../parameters/plain.ts';
import {
  addressSchema,
  dataSchema,
  explained,
  field,
  ignoredSchema,
  named,
  optional,
} from '../../parameters/schema.ts';
import { arrayOf, objectOf } from '../../parameters/structures.ts';
import { stateAt } from '../../profiles/ethereum-profile.ts';
import { InvalidParametersError, RequestFailedError } from '../../rpc-errors.ts';
import { readBlobTransaction } from '../../transactions/blob-transactions.ts';
import { type EthereumRequest, requireChain } from '../../transactions/ethereum-call-messages.ts';
import { timeOf } from './call-many.ts';
import { checkedCall } from './checks.ts';

/** Transactions of a bundle, of each of which a signature is recovered. */
const MOST_TRANSACTIONS = 256;
const HASH_BYTES = 32;

const bundleSchema = named(
  'TransactionBundle',
  { title: 'bundle of signed transactions' },
  objectOf(
    {
      txs: explained(arrayOf(dataSchema, { most: MOST_TRANSACTIONS, unit: 'transactions' }), {
        description: 'Signed transactions, or hashes of transactions of the chain.',
      }),
      blockNumber: explained(uint64Schema, { description: 'Number of the block in which they run.' }),
      stateBlockNumber: explained(optional(blockReferenceSchema, 'latest' as const), {
        description: 'The block on whose state they run.',
      }),
      timestamp: field(uint64Schema, 'Time of the block; absent: one second after that of the state.'),
      coinbase: optional(addressSchema),
      gasLimit: optional(uint64Schema),
      baseFee: field(quantitySchema, 'Absent: that of the next block.'),
      difficulty: ignoredSchema,
      timeout: field(uint64Schema, 'Milliseconds, limited by the node.'),
    },
    'ignored',
  ),
);

const amountShape = shape.described(shape.text, 'Wei, in decimal digits.');
const amountShapes = { coinbaseDiff: amountShape, ethSentToCoinbase: amountShape, gasFees: amountShape };

const resultShape = shape.object({
  ...amountShapes,
  fromAddress: shape.address,
  toAddress: shape.nullable(shape.address),
  gasPrice: amountShape,
  gasUsed: shape.integer,
  txHash: shape.hash,
  value: shape.optional(shape.data),
  error: shape.optional(shape.text),
  revert: shape.optional(shape.data),
});

/** A transaction of a bundle with its sender. */
interface Signed {
  readonly from: Address;
  readonly transaction: EthereumTransaction;
}

function signedOf(ledger: LedgerQueries, bytes: Uint8Array): Signed {
  const operation =
    bytes.length === HASH_BYTES
      ? ledger.blocks.findIncluded(toHash(bytes))?.operation
      : nativeTransactionOf(readBlobTransaction(bytes, ledger)?.transaction ?? bytes).operations[0];
  if (operation === undefined || !isEthereumTransaction(operation)) {
    throw new RequestFailedError(`transaction ${toPrefixedHex(bytes)} not found`);
  }
  return { from: operation.sender, transaction: operation.innerTransaction };
}

/** Returns a signed transaction as the object of a call. */
function requestOf({ from, transaction }: Signed): EthereumRequest {
  const { nonce, to, value, data, gas, chainId, type } = transaction;
  const isDynamic = 'maxFeePerGas' in transaction;
  return {
    from,
    to,
    value,
    data,
    gas,
    nonce,
    chainId,
    gasPrice: isDynamic ? undefined : transaction.gasPrice,
    maxFeePerGas: isDynamic ? transaction.maxFeePerGas : undefined,
    maxPriorityFeePerGas: isDynamic ? transaction.maxPriorityFeePerGas : undefined,
    accessList: type === 'legacy' ? undefined : transaction.accessList,
    authorizationList: type === 'setCode' ? transaction.authorizationList : undefined,
    blobVersionedHashes: type === 'blob' ? transaction.blobVersionedHashes : undefined,
    maxFeePerBlobGas: type === 'blob' ? transaction.maxFeePerBlobGas : undefined,
    type: undefined,
    blobs: undefined,
  };
}

/** Payments to the coinbase, in wei. */
interface Payments {
  /** By tips. */
  readonly fees: bigint;
  /** By transfers of ether. */
  readonly sent: bigint;
}

function paymentsObject({ fees, sent }: Payments) {
  return { coinbaseDiff: `${fees + sent}`, ethSentToCoinbase: `${sent}`, gasFees: `${fees}` };
}

export const callBundle = defineStateQuery({
  name: 'eth_callBundle',
  summary:
    'Runs signed transactions in one block on the state after another, and returns what the coinbase gets.',
  parameters: [{ name: 'bundle', schema: bundleSchema }],
  beforeFork: ofNamedState(
    'object',
    ([{ stateBlockNumber: reference }]) => ({ reference, isWithin: false }),
    ([bundle], stateBlockNumber) => [{ ...bundle, stateBlockNumber }],
  ),
  result: shape.object({
    ...amountShapes,
    bundleGasPrice: amountShape,
    bundleHash: shape.hash,
    results: shape.array(resultShape),
    stateBlockNumber: shape.integer,
    totalGasUsed: shape.integer,
  }),
  errors: [
    ERRORS.callTimedOut,
    ERRORS.headerNotFound,
    ERRORS.stateNotKept,
    ERRORS.transactionRefused,
    ERRORS.transactionNotFound,
    ERRORS.simulationRefused,
  ],
  differences:
    'Also takes hashes of transactions, as Erigon does. As in Ethereum, the results count tips for the coinbase, not ' +
    'base fees.',
  staysHere: decodesErrors,
  namesPending: (context, { method, parameters }) => {
    const [bundle] = Array.isArray(parameters) ? parameters : [];
    return hasPending(context, { method, parameters: [Object(bundle).stateBlockNumber] });
  },
  handler: (context, [bundle]) => {
    const { ledger, limits, artifacts } = context;
    if (bundle.txs.length === 0) throw new InvalidParametersError('bundle missing txs');
    const state = stateAt(ledger, bundle.stateBlockNumber);
    const parent = state.calls.context();
    const block = {
      ...parent,
      number: bundle.blockNumber,
      timestamp: bundle.timestamp ?? parent.timestamp + 1n,
      coinbase: bundle.coinbase ?? parent.coinbase,
      gasLimit: bundle.gasLimit ?? parent.gasLimit,
      baseFee: bundle.baseFee ?? state.prices.next().baseFee,
      blobBaseFee: state.prices.ofBlobGas(),
      randomness: ZERO_HASH,
    };
    const signed = bundle.txs.map((bytes) => signedOf(ledger, bytes));
    const milliseconds = timeOf(context, bundle.timeout);
    const simulation = state.calls.simulation({ milliseconds, tracesTransfers: false });
    const total = { fees: 0n, sent: 0n, gasUsed: 0n };
    const run = (simulated: SimulatedState) => (each: Signed) => {
      const request = requestOf(each);
      requireChain(request, ledger);
      const room = { ...block, gasUsed: total.gasUsed, gasGranted: limits.callGasMax - total.gasUsed };
      const { call } = checkedCall(request, simulated, room, { validation: true, ledger });
      const before = simulated.balanceOf(block.coinbase);
      const { gasUsed, status, halt, output } = simulated.run(call);
      const fees = gasUsed * (call.gasPrice - block.baseFee);
      // The simulation credits the whole price.
      const sent = simulated.balanceOf(block.coinbase) - before - gasUsed * call.gasPrice;
      total.fees += fees;
      total.sent += sent;
      total.gasUsed += gasUsed;
      return {
        ...paymentsObject({ fees, sent }),
        fromAddress: toPrefixedHex(each.from),
        toAddress: call.to === undefined ? null : toPrefixedHex(call.to),
        gasPrice: `${(fees + sent) / gasUsed}`,
        gasUsed: Number(gasUsed),
        txHash: toPrefixedHex(each.transaction.hash),
        ...(status === 'success' && { value: toPrefixedHex(output) }),
        ...(status === 'revert' && {
          error: revertMessageOf(output, artifacts),
          revert: toPrefixedHex(output),
        }),
        ...(halt !== undefined && { error: describeHalt(halt) }),
      };
    };
    const results = simulation.block(block, [], (simulated) => signed.map(run(simulated)));
    return {
      ...paymentsObject(total),
      bundleGasPrice: `${(total.fees + total.sent) / total.gasUsed}`,
      bundleHash: toPrefixedHex(keccak256(concatBytes(...signed.map(({ transaction }) => transaction.hash)))),
      results,
      stateBlockNumber: state.blocks.head().number,
      totalGasUsed: Number(total.gasUsed),
    };
  },
});
