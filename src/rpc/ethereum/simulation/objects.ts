import { type ArtifactRegistry, revertMessageOf } from '../../../contracts/index.ts';
import { type BlockSummary, describeHalt, type LedgerQueries } from '../../../ledger/index.ts';
import { type BlockId, keccak256, toBlockId, ZERO_ADDRESS } from '../../../protocol/index.ts';
import {
  arrayShape,
  blockShapeWith,
  data,
  dataShape,
  describedShape,
  eitherShape,
  type Hexadecimal,
  hashShape,
  includedTransactionShape,
  integerShape,
  logShape,
  logsBloom,
  namedShape,
  objectShape,
  optionalShape,
  paddedData,
  quantity,
  quantityShape,
  textShape,
  toEthereumBlock,
  toFilledTransaction,
} from '../../../view/index.ts';
import { EXECUTION_REVERTED_CODE, VM_ERROR_CODE } from '../../errors.ts';
import type { SimulatedBlock, SimulatedOutcome } from './run.ts';

const callShape = namedShape(
  'SimulatedCall',
  { title: 'outcome of a call' },
  objectShape({
    status: describedShape(quantityShape, '`0x1` success, `0x0` failure.'),
    returnData: dataShape,
    gasUsed: quantityShape,
    maxUsedGas: describedShape(quantityShape, 'Gas used before refunds.'),
    logs: arrayShape(logShape),
    error: optionalShape(
      objectShape({ code: integerShape, message: textShape, data: optionalShape(dataShape) }),
    ),
  }),
);

/** What `eth_simulateV1` answers. */
export const simulationShape = arrayShape(
  namedShape(
    'SimulatedBlock',
    { title: 'block object with what came of its calls' },
    blockShapeWith(eitherShape(arrayShape(hashShape), arrayShape(includedTransactionShape)), {
      calls: arrayShape(callShape),
    }),
  ),
);

const NO_BYTES = new Uint8Array(0);
const BLOCK_ID_BYTES = 20;
const NUMBER_BYTES = 4;

/** The objects of simulated blocks, one after the other on top of a chain. */
export function simulatedObjects(
  ledger: LedgerQueries,
  blocks: readonly SimulatedBlock[],
  fullTransactions: boolean,
  artifacts?: ArtifactRegistry,
) {
  let previous = ledger.head().id;
  return blocks.map((block) => {
    const object = blockObject(ledger, block, previous, fullTransactions, artifacts);
    previous = idOf(block, previous);
    return object;
  });
}

/** The id of a block that never comes to be: of its place, like any, and of those before it. */
function idOf({ context }: SimulatedBlock, previous: BlockId): BlockId {
  const bytes = Buffer.alloc(BLOCK_ID_BYTES);
  bytes.writeUInt32BE(Number(BigInt.asUintN(8 * NUMBER_BYTES, context.number)));
  bytes.set(keccak256(previous).subarray(0, BLOCK_ID_BYTES - NUMBER_BYTES), NUMBER_BYTES);
  return toBlockId(Uint8Array.from(bytes));
}

function blockObject(
  ledger: LedgerQueries,
  block: SimulatedBlock,
  previous: BlockId,
  fullTransactions: boolean,
  artifacts?: ArtifactRegistry,
) {
  const { context, outcomes } = block;
  const { header } = ledger.head();
  const summary: BlockSummary = {
    ...ledger.head(),
    id: idOf(block, previous),
    header: {
      ...header,
      previous,
      rand: context.randomness,
      vmRoot: [],
    },
    size: 0,
    operationCount: outcomes.length,
  };
  const facts = {
    gasUsed: outcomes.reduce((sum, { execution }) => sum + execution.gasUsed, 0n),
    // That of the contracts' logs alone: transfers of ether are none.
    logsBloom: logsBloom(outcomes.flatMap(({ execution }) => execution.logs)),
  };
  const chain = { hardfork: ledger.hardfork, weiPerUnit: context.baseFee, blockGasLimit: context.gasLimit };
  const number = quantity(context.number);
  const timestamp = quantity(context.timestamp);
  const object = toEthereumBlock(summary, facts, chain, []);
  const place = { blockHash: object.hash, blockNumber: number, blockTimestamp: timestamp };
  const transactions = outcomes.map((outcome, index) =>
    transactionObject(outcome, { ...place, transactionIndex: quantity(index) }, context),
  );
  const hashes = transactions.map(({ hash }) => hash);
  return {
    ...object,
    number,
    timestamp,
    miner: data(context.coinbase),
    transactionsRoot: paddedData(NO_BYTES),
    transactions: fullTransactions ? transactions : hashes,
    calls: callObjects(outcomes, hashes, place, artifacts),
  };
}

/** Where a call would be. */
interface Place {
  readonly blockHash: Hexadecimal;
  readonly blockNumber: Hexadecimal;
  readonly blockTimestamp: Hexadecimal;
}

/** A call as the transaction that it would be, whose signature is zero. */
function transactionObject(
  { request, call, nonce }: SimulatedOutcome,
  place: Place & { readonly transactionIndex: Hexadecimal },
  { chainId }: SimulatedBlock['context'],
) {
  const { to, value, data: input, gas, accessList = [] } = call;
  const { maxFeePerGas = request.gasPrice ?? 0n, maxPriorityFeePerGas = 0n } = request;
  const fields = {
    chainId,
    nonce,
    gas,
    to,
    value,
    data: input,
    accessList,
    maxFeePerGas,
    maxPriorityFeePerGas,
  };
  const filled = toFilledTransaction({ type: 'dynamicFee', ...fields });
  const from = data(request.from ?? ZERO_ADDRESS);
  const hash = data(keccak256(Buffer.from(JSON.stringify([place, from, filled]))));
  const zero = quantity(0);
  return { ...place, hash, from, ...filled, yParity: zero, v: zero, r: zero, s: zero };
}

function callObjects(
  outcomes: readonly SimulatedOutcome[],
  hashes: readonly Hexadecimal[],
  place: Place,
  artifacts: ArtifactRegistry | undefined,
) {
  let logIndex = 0;
  return outcomes.map(({ execution }, index) => {
    const { status, output, gasUsed, gasBeforeRefund, shownLogs } = execution;
    const error = errorOf(execution, artifacts);
    return {
      status: quantity(status === 'success' ? 1 : 0),
      returnData: data(output),
      gasUsed: quantity(gasUsed),
      maxUsedGas: quantity(gasBeforeRefund),
      logs: shownLogs.map((log) => {
        const object = {
          removed: false,
          logIndex: quantity(logIndex),
          transactionIndex: quantity(index),
          transactionHash: hashes[index] ?? place.blockHash,
          ...place,
          address: data(log.address),
          data: data(log.data),
          topics: log.topics.map(data),
        };
        logIndex += 1;
        return object;
      }),
      ...(error === undefined ? {} : { error }),
    };
  });
}

function errorOf(
  { status, halt, output }: SimulatedOutcome['execution'],
  artifacts: ArtifactRegistry | undefined,
) {
  if (status === 'revert') {
    return { code: EXECUTION_REVERTED_CODE, message: revertMessageOf(output, artifacts), data: data(output) };
  }
  if (halt === undefined) return undefined;
  return { code: VM_ERROR_CODE, message: `vm execution error: ${describeHalt(halt)}` };
}
