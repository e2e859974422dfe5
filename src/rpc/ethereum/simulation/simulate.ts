import { type ArtifactRegistry, revertMessageOf } from '../../../contracts/index.ts';
import {
  blockShapeWith,
  type EthereumTransactionObject,
  includedTransactionShape,
  logShape,
  logsBloom,
  shape,
  toEthereumBlock,
} from '../../../formatters/index.ts';
import { type BlockSummary, describeHalt, type LedgerQueries } from '../../../ledger/index.ts';
import {
  blockHashOf,
  type Hexadecimal,
  quantity,
  toPrefixedHex,
  ZERO_HASH,
} from '../../../protocol/index.ts';
import { decodesErrors } from '../../context/node-dependencies.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { ofState } from '../../fork/history-rules.ts';
import { defineStateQuery } from '../../method.ts';
import { STATE_PARAMETER, stateAt } from '../../profiles/ethereum-profile.ts';
import { EXECUTION_REVERTED_CODE, VM_ERROR_CODE } from '../../rpc-errors.ts';
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

/** The root of a trie that is not computed. */
const NO_ROOT = toPrefixedHex(ZERO_HASH);

/** Returns the object of a simulated block. */
function blockObject(
  ledger: LedgerQueries,
  { id, previous, context, gasUsed, outcomes, override }: SimulatedBlock,
  fullTransactions: boolean,
  artifacts: ArtifactRegistry | undefined,
) {
  const { isPending: _isPending, ...head } = ledger.blocks.head();
  const summary: BlockSummary = {
    ...head,
    id,
    header: { ...head.header, previous, rand: context.randomness, vmRoot: [] },
    size: 0,
    operationCount: outcomes.length,
  };
  // Of the logs of contracts alone, without transfers of ether.
  const facts = {
    baseFee: context.baseFee,
    coinbase: context.coinbase,
    gasLimit: context.gasLimit,
    gasUsed,
    logsBloom: logsBloom(outcomes.flatMap(({ execution }) => execution.logs)),
  };
  const number = quantity(context.number);
  const timestamp = quantity(context.timestamp);
  const object = toEthereumBlock(summary, facts, { hardfork: ledger.parameters.hardfork }, []);
  const path = { blockHash: toPrefixedHex(blockHashOf(id)), blockNumber: number, blockTimestamp: timestamp };
  const transactions = outcomes.map((outcome, index) => transactionObject(outcome, path, index));
  const hashes = outcomes.map(({ hash }) => hash);
  return {
    ...object,
    ...bodyOf(object, override),
    number,
    timestamp,
    transactionsRoot: NO_ROOT,
    transactions: fullTransactions ? transactions : hashes,
    calls: callObjects(outcomes, hashes, path, artifacts),
  };
}

/** Returns the overridden fields that the hard fork has. No roots are computed: that of withdrawals is zero. */
function bodyOf(
  {
    withdrawals: hasWithdrawals,
    parentBeaconBlockRoot: hasRoot,
  }: object & {
    readonly withdrawals?: unknown;
    readonly parentBeaconBlockRoot?: unknown;
  },
  { beaconRoot, withdrawals }: SimulatedBlock['override'],
) {
  const root = hasRoot === undefined || beaconRoot === undefined ? undefined : toPrefixedHex(beaconRoot);
  const list =
    hasWithdrawals === undefined || withdrawals.length === 0
      ? undefined
      : withdrawals.map(({ index, validatorIndex, address, amount }) => ({
          index: quantity(index),
          validatorIndex: quantity(validatorIndex),
          address: toPrefixedHex(address),
          amount: quantity(amount),
        }));
  return {
    ...(root !== undefined && { parentBeaconBlockRoot: root }),
    ...(list !== undefined && { withdrawals: list, withdrawalsRoot: NO_ROOT }),
  };
}

/** The position of a call in its block. */
interface BlockPosition {
  readonly blockHash: Hexadecimal;
  readonly blockNumber: Hexadecimal;
  readonly blockTimestamp: Hexadecimal;
}

/** Returns a call as a transaction, whose signature is zero. */
function transactionObject(
  { from, transaction, hash }: SimulatedOutcome,
  position: BlockPosition,
  index: number,
) {
  const zero = quantity(0);
  const signature = { v: zero, r: zero, s: zero, ...(transaction.type !== '0x0' && { yParity: zero }) };
  const transactionIndex = quantity(index);
  // The signature has a parity where the type has one.
  return {
    ...position,
    transactionIndex,
    hash,
    from: toPrefixedHex(from),
    ...transaction,
    ...signature,
  } as Extract<EthereumTransactionObject, { readonly blockHash: Hexadecimal }>;
}

function callObjects(
  outcomes: readonly SimulatedOutcome[],
  hashes: readonly Hexadecimal[],
  path: BlockPosition,
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
  beforeFork: ofState(1, 'list'),
  result: simulationShape,
  errors: [ERRORS.callTimedOut, ERRORS.headerNotFound, ERRORS.stateNotKept, ERRORS.simulationRefused],
  differences:
    'Blocks are one second apart unless they override `time`. The fee recipient ' +
    'receives the whole price of gas. Roots of transactions and withdrawals are zero.',
  staysHere: decodesErrors,
  handler: (context, [request, reference]) => {
    const state = stateAt(context.ledger, reference);
    return simulatedBlocks(context, state, request).map((block) =>
      blockObject(state, block, request.returnFullTransactions, context.artifacts),
    );
  },
});
