import { type ArtifactRegistry, revertMessageOf } from '../../../contracts/index.ts';
import { type BlockSummary, describeHalt, type LedgerQueries } from '../../../ledger/index.ts';
import {
  type BlockId,
  type Hexadecimal,
  keccak256,
  paddedData,
  quantity,
  toBlockId,
  toPrefixedHex,
  ZERO_ADDRESS,
} from '../../../protocol/index.ts';
import {
  blockShapeWith,
  includedTransactionShape,
  logShape,
  logsBloom,
  shape,
  toEthereumBlock,
  toFilledTransaction,
} from '../../../view/index.ts';
import { decodesErrors } from '../../context/node-dependencies.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { EXECUTION_REVERTED_CODE, VM_ERROR_CODE } from '../../errors.ts';
import { defineStateQuery } from '../../method.ts';
import { STATE_PARAMETER, stateAt } from '../../profiles/ethereum-profile.ts';
import { simulationSchema } from './blocks.ts';
import { type SimulatedBlock, type SimulatedOutcome, simulatedBlocks } from './run.ts';

const callShape = shape.named(
  'SimulatedCall',
  { title: 'outcome of a call' },
  shape.object({
    status: shape.described(shape.quantity, '`0x1` success, `0x0` failure.'),
    returnData: shape.data,
    gasUsed: shape.quantity,
    maxUsedGas: shape.described(shape.quantity, 'Gas used before refunds.'),
    logs: shape.array(logShape),
    error: shape.optional(
      shape.object({ code: shape.integer, message: shape.text, data: shape.optional(shape.data) }),
    ),
  }),
);

/** The result of `eth_simulateV1`. */
const simulationShape = shape.array(
  shape.named(
    'SimulatedBlock',
    { title: 'block object with the results of its calls' },
    blockShapeWith(shape.either(shape.array(shape.hash), shape.array(includedTransactionShape)), {
      calls: shape.array(callShape),
    }),
  ),
);

const NO_BYTES = new Uint8Array(0);
const BLOCK_ID_BYTES = 20;
const NUMBER_BYTES = 4;

/** Returns the objects of simulated blocks, one after the other on top of a chain. */
function simulatedObjects(
  ledger: LedgerQueries,
  blocks: readonly SimulatedBlock[],
  fullTransactions: boolean,
  artifacts?: ArtifactRegistry,
) {
  let previous = ledger.blocks.head().id;
  return blocks.map((block) => {
    const object = blockObject(ledger, block, previous, fullTransactions, artifacts);
    previous = idOf(block, previous);
    return object;
  });
}

/** Returns the id of a simulated block: of its number, like any, and of those before it. */
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
  const { header } = ledger.blocks.head();
  const summary: BlockSummary = {
    ...ledger.blocks.head(),
    id: idOf(block, previous),
    header: { ...header, previous, rand: context.randomness, vmRoot: [] },
    size: 0,
    operationCount: outcomes.length,
  };
  const facts = {
    baseFee: context.baseFee,
    gasUsed: outcomes.reduce((sum, { execution }) => sum + execution.gasUsed, 0n),
    // Of the logs of contracts alone, without transfers of ether.
    logsBloom: logsBloom(outcomes.flatMap(({ execution }) => execution.logs)),
  };
  const chain = {
    hardfork: ledger.parameters.hardfork,
    blockGasLimit: context.gasLimit,
  };
  const number = quantity(context.number);
  const timestamp = quantity(context.timestamp);
  const object = toEthereumBlock(summary, facts, chain, []);
  const path = { blockHash: object.hash, blockNumber: number, blockTimestamp: timestamp };
  const transactions = outcomes.map((outcome, index) =>
    transactionObject(outcome, { ...path, transactionIndex: quantity(index) }, context),
  );
  const hashes = transactions.map(({ hash }) => hash);
  return {
    ...object,
    number,
    timestamp,
    miner: toPrefixedHex(context.coinbase),
    transactionsRoot: paddedData(NO_BYTES),
    transactions: fullTransactions ? transactions : hashes,
    calls: callObjects(outcomes, hashes, path, artifacts),
  };
}

/** The position of a call in its block. */
interface ParameterPath {
  readonly blockHash: Hexadecimal;
  readonly blockNumber: Hexadecimal;
  readonly blockTimestamp: Hexadecimal;
}

/** Returns a call as a transaction, whose signature is zero. */
function transactionObject(
  { request, call, nonce }: SimulatedOutcome,
  path: ParameterPath & { readonly transactionIndex: Hexadecimal },
  { chainId }: SimulatedBlock['context'],
) {
  const { to, value, data: input, gas, accessList = [] } = call;
  const { maxFeePerGas = request.gasPrice ?? 0n, maxPriorityFeePerGas = 0n } = request;
  const fees = { maxFeePerGas, maxPriorityFeePerGas };
  const fields = { chainId, nonce, gas, to, value, data: input, accessList };
  const filled = toFilledTransaction({ type: 'dynamicFee', ...fields, ...fees });
  const from = toPrefixedHex(request.from ?? ZERO_ADDRESS);
  const hash = toPrefixedHex(keccak256(Buffer.from(JSON.stringify([path, from, filled]))));
  const zero = quantity(0);
  return { ...path, hash, from, ...filled, yParity: zero, v: zero, r: zero, s: zero };
}

function callObjects(
  outcomes: readonly SimulatedOutcome[],
  hashes: readonly Hexadecimal[],
  path: ParameterPath,
  artifacts: ArtifactRegistry | undefined,
) {
  let logIndex = 0;
  return outcomes.map(({ execution }, index) => {
    const { status, output, gasUsed, gasBeforeRefund, shownLogs } = execution;
    const error = errorOf(execution, artifacts);
    return {
      status: quantity(status === 'success' ? 1 : 0),
      returnData: toPrefixedHex(output),
      gasUsed: quantity(gasUsed),
      maxUsedGas: quantity(gasBeforeRefund),
      logs: shownLogs.map((log) => {
        logIndex += 1;
        return {
          removed: false,
          logIndex: quantity(logIndex - 1),
          transactionIndex: quantity(index),
          transactionHash: hashes[index] ?? path.blockHash,
          ...path,
          address: toPrefixedHex(log.address),
          data: toPrefixedHex(log.data),
          topics: log.topics.map(toPrefixedHex),
        };
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
    return {
      code: EXECUTION_REVERTED_CODE,
      message: revertMessageOf(output, artifacts),
      data: toPrefixedHex(output),
    };
  }
  if (halt === undefined) return undefined;
  return { code: VM_ERROR_CODE, message: `vm execution error: ${describeHalt(halt)}` };
}

export const simulate = defineStateQuery({
  name: 'eth_simulateV1',
  summary:
    'Runs blocks of calls, each on the state after the calls before it; nothing is added to the chain.',
  parameters: [{ name: 'payload', schema: simulationSchema }, STATE_PARAMETER],
  result: simulationShape,
  errors: [ERRORS.callTimedOut, ERRORS.headerNotFound, ERRORS.stateNotKept, ERRORS.simulationRefused],
  differences:
    'Blocks are one second apart unless they override `time`, `pending` is the latest block, and gas is free, even ' +
    'with `validation`.',
  staysHere: decodesErrors,
  handler: (context, [request, reference]) => {
    const state = stateAt(context.ledger, reference);
    const blocks = simulatedBlocks(context, state, request);
    return simulatedObjects(state, blocks, request.returnFullTransactions, context.artifacts);
  },
});
