import { type FilledTransactionObject, toFilledTransaction } from '../../../formatters/index.ts';
import {
  type BlockContext,
  type BlockPrices,
  type LedgerQueries,
  pricesAfterFees,
  type SimulatedExecution,
  type SimulatedState,
} from '../../../ledger/index.ts';
import {
  type Address,
  type BlockId,
  blockHashOf,
  bytesToHex,
  type Hexadecimal,
  keccak256,
  toBlockId,
  toPrefixedHex,
  ZERO_HASH,
} from '../../../protocol/index.ts';
import type { QueryContext } from '../../method-context.ts';
import { type EthereumRequest, requireChain } from '../../transactions/ethereum-call-messages.ts';
import { type PlannedBlock, plannedBlocks, type SimulationRequest } from './blocks.ts';
import { type CheckedCall, checkedCall } from './checks.ts';

/** The outcome of a call, with its transaction object. */
export interface SimulatedOutcome {
  readonly from: Address;
  readonly transaction: FilledTransactionObject;
  readonly hash: Hexadecimal;
  readonly execution: SimulatedExecution;
}

export interface SimulatedBlock {
  readonly id: BlockId;
  readonly previous: BlockId;
  readonly context: BlockContext;
  readonly gasUsed: bigint;
  readonly outcomes: readonly SimulatedOutcome[];
  readonly override: PlannedBlock['override'];
}

/** The part of a block that the next one continues, and its prices by the rules of the chain. */
interface ParentBlock extends Pick<BlockContext, 'coinbase' | 'gasLimit'> {
  readonly id: BlockId;
  readonly nextPrices: BlockPrices;
}

const WEI_PER_GWEI = 1_000_000_000n;
const BLOCK_ID_BYTES = 20;
const NUMBER_BYTES = 4;

/**
 * Runs blocks of calls on top of a chain.
 *
 * @throws SimulationRefusedError, RequestFailedError, InvalidParametersError, RefusedError
 */
export function simulatedBlocks(
  context: QueryContext,
  ledger: LedgerQueries,
  request: SimulationRequest,
): SimulatedBlock[] {
  const { traceTransfers: tracesTransfers, validation } = request;
  const { callGasMax, callTimeMsMax } = context.limits;
  const planned = plannedBlocks(ledger, request);
  const simulation = ledger.calls.simulation({ milliseconds: callTimeMsMax, tracesTransfers });
  let gasGranted = callGasMax;
  let parent = parentOf(ledger);
  return planned.map((plan) => {
    const block = contextOf(ledger, plan, parent, validation);
    const { accounts, calls, override } = plan;
    const outcomes = simulation.block(block, accounts, (state) => {
      const run = runner(ledger, block, state, { validation, gasGranted });
      const done = calls.map(run);
      for (const { address, amount } of override.withdrawals) state.credit(address, amount * WEI_PER_GWEI);
      return done;
    });
    const gasUsed = outcomes.reduce((sum, { execution }) => sum + execution.gasUsed, 0n);
    gasGranted -= gasUsed;
    const content = { previous: parent.id, context: block, gasUsed, outcomes, override };
    const id = idOf(content);
    simulation.setBlockHash(block.number, blockHashOf(id));
    parent = { id, ...block, nextPrices: pricesAfterBlock(ledger, content, parent.nextPrices) };
    return { ...content, id };
  });
}

function parentOf({ blocks, prices }: LedgerQueries): ParentBlock {
  return { id: blocks.head().id, ...prices.settings(), nextPrices: prices.next() };
}

function pricesAfterBlock(
  { parameters: { rules } }: LedgerQueries,
  { context: { baseFee, gasLimit }, gasUsed }: Omit<SimulatedBlock, 'id'>,
  { excessBlobGas }: BlockPrices,
): BlockPrices {
  const fees = { baseFee, gasUsed, excessBlobGas, blobGasUsed: 0n };
  return pricesAfterFees(fees, { ...rules, blockGasLimit: gasLimit });
}

/**
 * Returns the context of a block. Fee recipient and gas limit are those of the block before, unless overridden; without
 * validation no fee is required, and the base fee is 0, as in geth.
 */
function contextOf(
  { parameters: { network }, prices }: LedgerQueries,
  { number, timestamp, override }: PlannedBlock,
  { coinbase, gasLimit, nextPrices }: ParentBlock,
  validation: boolean,
): BlockContext {
  const baseFee = validation ? nextPrices.baseFee : 0n;
  const blobBaseFee = prices.ofBlobGas();
  const inherited = { coinbase, gasLimit, baseFee, blobBaseFee, randomness: ZERO_HASH };
  return { ...inherited, ...override.context, number, timestamp, chainId: BigInt(network.chainId) };
}

/** Returns a function that runs the calls of a block one after the other. */
function runner(
  ledger: LedgerQueries,
  block: BlockContext,
  state: SimulatedState,
  { validation, gasGranted }: { readonly validation: boolean; readonly gasGranted: bigint },
): (request: EthereumRequest, index: number) => SimulatedOutcome {
  let gasUsed = 0n;
  return (request, index) => {
    requireChain(request, ledger);
    const room = { ...block, gasUsed, gasGranted: gasGranted - gasUsed };
    const checked = checkedCall(request, state, room, { validation, ledger });
    const execution = state.run(checked.call);
    gasUsed += execution.gasUsed;
    const transaction = transactionOf(request, checked, block.chainId);
    const from = checked.call.caller;
    // Two equal calls have two hashes.
    const content = JSON.stringify([`${block.number}`, index, bytesToHex(from), transaction]);
    return { from, transaction, hash: toPrefixedHex(keccak256(Buffer.from(content))), execution };
  };
}

/** Returns a call as an unsigned transaction: legacy with a gas price, else with a dynamic fee, as in geth. */
function transactionOf(
  { gasPrice, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n }: EthereumRequest,
  { call, nonce }: CheckedCall,
  chainId: bigint,
): FilledTransactionObject {
  const { to, value, data, gas, accessList = [], authorizationList } = call;
  const fields = { chainId, nonce, gas, to, value, data };
  if (gasPrice !== undefined) return toFilledTransaction({ type: 'legacy', ...fields, gasPrice });
  const fees = { maxFeePerGas, maxPriorityFeePerGas };
  if (authorizationList !== undefined && to !== undefined) {
    const typed = { type: 'setCode', ...fields, to, accessList, authorizationList, ...fees } as const;
    return toFilledTransaction(typed, call.gasPrice);
  }
  return toFilledTransaction({ type: 'dynamicFee', ...fields, accessList, ...fees }, call.gasPrice);
}

/** Returns the id of a block: of its number, like any, and of its content and the block before. */
function idOf({ previous, context, gasUsed, outcomes, override }: Omit<SimulatedBlock, 'id'>): BlockId {
  const content = { ...context, previous, gasUsed, hashes: outcomes.map(({ hash }) => hash), override };
  const text = JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value instanceof Uint8Array ? bytesToHex(value) : value,
  );
  const bytes = Buffer.alloc(BLOCK_ID_BYTES);
  bytes.writeUInt32BE(Number(BigInt.asUintN(8 * NUMBER_BYTES, context.number)));
  bytes.set(keccak256(Buffer.from(text)).subarray(0, BLOCK_ID_BYTES - NUMBER_BYTES), NUMBER_BYTES);
  return toBlockId(Uint8Array.from(bytes));
}
