import { UINT64_MAX } from '../../../consensus.ts';
import { type ArtifactRegistry, revertMessageOf } from '../../../contracts/index.ts';
import { shape } from '../../../formatters/index.ts';
import { describeHalt, RefusedError, type SimulatedExecution } from '../../../ledger/index.ts';
import { toPrefixedHex } from '../../../protocol/index.ts';
import { decodesErrors } from '../../context/node-dependencies.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { ofNamedState } from '../../fork/history-rules.ts';
import { defineStateQuery } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import { type BlockReference, blockHashSchema, blockReferenceSchema } from '../../parameters/block.ts';
import { bundledBlockOverridesSchema, stateOverridesSchema } from '../../parameters/overrides.ts';
import { boundedQuantity, uint64Schema } from '../../parameters/plain.ts';
import { canonicalOf, explained, named, optional, type Schema } from '../../parameters/schema.ts';
import { arrayOf, objectOf } from '../../parameters/structures.ts';
import { stateAt } from '../../profiles/ethereum-profile.ts';
import { RequestFailedError } from '../../rpc-errors.ts';
import { requireTraceable } from '../../tracing/traceable.ts';
import { ethereumRequestSchema, requireChain } from '../../transactions/ethereum-call-messages.ts';
import { SIMULATED_BLOCKS_MAX, SIMULATED_CALLS_MAX } from './blocks.ts';
import { checkedCall } from './checks.ts';

const bundleSchema = named(
  'CallBundle',
  { title: 'calls in one block' },
  objectOf({
    transactions: arrayOf(ethereumRequestSchema, { most: SIMULATED_CALLS_MAX, unit: 'calls' }),
    blockOverride: bundledBlockOverridesSchema,
  }),
);

/** Erigon's index for all transactions. */
const ALL = -1;
const countSchema = boundedQuantity(Number.MAX_SAFE_INTEGER, 'transactions');
const untilSchema: Schema<number | undefined> = {
  isOptional: true,
  describe: (components) => ({ anyOf: [{ const: ALL }, countSchema.describe(components), { type: 'null' }] }),
  read: (value, path) => (value === ALL || value == null ? undefined : countSchema.read(value, path)),
};

const contextFields = objectOf({
  blockNumber: optional(blockReferenceSchema, 'latest' as const),
  blockHash: optional(blockHashSchema),
  transactionIndex: explained(untilSchema, {
    description: 'Transactions of the block to run before the calls; -1 or absent: all.',
  }),
});

/** The state on which calls run: after a block, or within it. */
const positionSchema: Schema<{
  readonly block: BlockReference;
  readonly transactionIndex: number | undefined;
}> = named(
  'SimulationContext',
  { title: 'block, and transactions of it' },
  {
    describe: (components) => ({
      anyOf: [contextFields.describe(components), blockReferenceSchema.describe(components)],
    }),
    canonical: (value) =>
      typeof value === 'object'
        ? canonicalOf(contextFields, value)
        : canonicalOf(blockReferenceSchema, value),
    read: (value, path) => {
      if (typeof value !== 'object') {
        return { block: blockReferenceSchema.read(value, path), transactionIndex: undefined };
      }
      const {
        blockNumber,
        blockHash: block = blockNumber,
        transactionIndex,
      } = contextFields.read(value, path);
      return { block, transactionIndex };
    },
  },
);

/** The path of an absent parameter, which no message names. */
const NOWHERE = { within: undefined, key: 'simulateContext' };

const resultShape = shape.named(
  'CallResult',
  { title: 'outcome of a call' },
  shape.object({
    value: shape.optional(shape.data),
    error: shape.optional(
      shape.either(shape.text, shape.object({ message: shape.text, data: shape.optional(shape.data) })),
    ),
  }),
);

function resultOf({ status, halt, output }: SimulatedExecution, artifacts: ArtifactRegistry | undefined) {
  if (status === 'success') return { value: toPrefixedHex(output) };
  if (halt !== undefined) return { error: describeHalt(halt) };
  return { error: { message: revertMessageOf(output, artifacts), data: toPrefixedHex(output) } };
}

/** Returns the milliseconds that a simulation may take. @param wanted by the caller; 0 or absent: those of the node */
export function timeOf({ limits }: Pick<QueryContext, 'limits'>, wanted: bigint | undefined): number {
  const { callTimeMsMax } = limits;
  return wanted === undefined || wanted === 0n ? callTimeMsMax : Math.min(Number(wanted), callTimeMsMax);
}

/** Begins a simulation after some transactions of a block, and returns it with the context of the block. */
function beginWithin(
  { ledger }: QueryContext,
  reference: BlockReference,
  transactions: number | undefined,
  milliseconds: number,
) {
  const state = stateAt(ledger, reference);
  const block = state.blocks.head();
  const options = { milliseconds, tracesTransfers: false };
  const { operationCount, number } = block;
  const until = transactions ?? operationCount;
  if (until > operationCount) {
    throw new RequestFailedError(`transaction index ${until} out of range for block ${number}`);
  }
  const context = state.calls.context();
  if (until === operationCount) return { simulation: state.calls.simulation(options), context };
  requireTraceable(ledger, block);
  const deadline = performance.now() + milliseconds;
  const checkTime = (): void => {
    const seconds = milliseconds / 1_000;
    if (performance.now() > deadline) throw new RefusedError({ code: 'callTimedOut', seconds });
  };
  return { simulation: ledger.calls.simulationWithin({ block, until, checkTime }, options), context };
}

export const callMany = defineStateQuery({
  name: 'eth_callMany',
  summary: 'Runs bundles of calls, each on the state after the calls before it, and returns their outputs.',
  parameters: [
    {
      name: 'bundles',
      schema: arrayOf(bundleSchema, { most: SIMULATED_BLOCKS_MAX, unit: 'bundles' }),
      summary: 'Each has the number and the time of the bundle before, plus one, unless it overrides them.',
    },
    { name: 'simulateContext', schema: optional(positionSchema, positionSchema.read({}, NOWHERE)) },
    { name: 'stateOverride', schema: stateOverridesSchema },
    {
      name: 'timeout',
      schema: optional(uint64Schema),
      summary: 'Milliseconds, limited by the node.',
    },
  ],
  beforeFork: ofNamedState(
    'list',
    ([, { block: reference, transactionIndex }]) => ({
      reference,
      isWithin: transactionIndex !== undefined,
    }),
    ([bundles, position, ...rest], block) => [bundles, { ...position, block }, ...rest],
  ),
  result: shape.array(shape.array(resultShape)),
  errors: [
    ERRORS.emptyBundles,
    ERRORS.callTimedOut,
    ERRORS.headerNotFound,
    ERRORS.stateNotKept,
    ERRORS.pastNotKept,
    ERRORS.simulationRefused,
  ],
  differences:
    'Outputs begin with 0x, as those of reth. A call without a price needs none; its BASEFEE is that of the block.',
  staysHere: decodesErrors,
  handler: (context, [bundles, { block: reference, transactionIndex }, accounts, timeout]) => {
    if (bundles.every(({ transactions }) => transactions.length === 0)) {
      throw new RequestFailedError('empty bundles');
    }
    const { ledger, limits, artifacts } = context;
    const begun = beginWithin(context, reference, transactionIndex, timeOf(context, timeout));
    let block = begun.context;
    let gasGranted = limits.callGasMax;
    return bundles.map(({ transactions, blockOverride }, index) => {
      block = { ...block, ...blockOverride?.context };
      for (const [number, hash] of blockOverride?.hashes ?? []) begun.simulation.setBlockHash(number, hash);
      const results = begun.simulation.block(block, index === 0 ? accounts : [], (state) =>
        transactions.map((request) => {
          requireChain(request, ledger);
          const room = { ...block, gasLimit: UINT64_MAX, gasUsed: 0n, gasGranted };
          const { call } = checkedCall(request, state, room, { validation: false, ledger });
          const execution = state.run(call);
          gasGranted -= execution.gasUsed;
          return resultOf(execution, artifacts);
        }),
      );
      block = { ...block, number: block.number + 1n, timestamp: block.timestamp + 1n };
      return results;
    });
  },
});
