import type { LedgerQueries, SimulatedCall } from '../../../ledger/index.ts';
import { bytesToHex, toPrefixedHex, ZERO_ADDRESS } from '../../../protocol/index.ts';
import type { QueryContext } from '../../method-context.ts';
import { rejectPrecompileCode } from '../../transactions/call-messages.ts';
import {
  type EthereumRequest,
  effectivePrice,
  requireChain,
} from '../../transactions/ethereum-call-messages.ts';
import {
  type PlannedBlock,
  plannedBlocks,
  SimulationRefusedError,
  type SimulationRequest,
} from './blocks.ts';

/** The outcome of a call, with its message. */
export interface SimulatedOutcome {
  readonly request: EthereumRequest;
  readonly call: SimulatedCall;
  readonly nonce: bigint;
  readonly execution: ReturnType<ReturnType<LedgerQueries['calls']['simulation']>['run']>[number];
}

export interface SimulatedBlock {
  readonly context: PlannedBlock['context'];
  readonly outcomes: readonly SimulatedOutcome[];
}

const NO_BYTES = new Uint8Array(0);

/** The gas that is left, and the next nonce of each sender. */
interface Progress {
  gasLeft: bigint;
  readonly nonces: Map<string, bigint>;
}

/**
 * Runs blocks of calls on top of a chain.
 *
 * @throws SimulationRefusedError, RequestFailedError, InvalidParametersError, RefusedError
 */
export function simulatedBlocks(
  context: QueryContext,
  state: LedgerQueries,
  request: SimulationRequest,
): SimulatedBlock[] {
  const { traceTransfers: tracesTransfers, validation } = request;
  const { callGasMax, callTimeMsMax } = context.limits;
  const simulation = state.calls.simulation({ milliseconds: callTimeMsMax, tracesTransfers });
  const progress: Progress = { gasLeft: callGasMax, nonces: new Map() };
  return plannedBlocks(state, request).map(({ context: block, stateOverrides: accounts, calls }) => {
    rejectPrecompileCode(accounts, context);
    for (const { address, nonce } of accounts) {
      if (nonce !== undefined) progress.nonces.set(bytesToHex(address), nonce);
    }
    const messages = calls.map((given) => {
      requireChain(given, state);
      const nonce = nonceFor(given, state, { progress, validation });
      if (validation) requireFee(given, block.baseFee);
      return { request: given, nonce, call: callOf(given, block) };
    });
    const { gasLeft } = progress;
    const gasMax = gasLeft < block.gasLimit ? gasLeft : block.gasLimit;
    const own = messages.map(({ call }) => call);
    const executions = simulation.run(block, accounts, own, gasMax);
    let gasUsed = 0n;
    const outcomes = messages.flatMap((message, index): SimulatedOutcome[] => {
      const execution = executions[index];
      if (execution === undefined) return [];
      gasUsed += execution.gasUsed;
      requireSound(message.request, execution);
      return [{ ...message, execution }];
    });
    progress.gasLeft -= gasUsed < gasLeft ? gasUsed : gasLeft;
    return { context: block, outcomes };
  });
}

function callOf(
  request: EthereumRequest,
  { gasLimit, baseFee }: Pick<PlannedBlock['context'], 'gasLimit' | 'baseFee'>,
): SimulatedCall {
  const { from: caller = ZERO_ADDRESS, to, value = 0n, data = NO_BYTES, gas, accessList } = request;
  const { blobVersionedHashes: blobHashes } = request;
  if (gas !== undefined && gas > gasLimit) {
    throw new SimulationRefusedError('blockGas', `block gas limit reached: ${gas} >= ${gasLimit}`);
  }
  const gasPrice = effectivePrice(request, baseFee);
  return { caller, to, value, data, gas: gas ?? gasLimit, gasPrice, accessList, blobHashes };
}

/** Returns the nonce of a call, which counts up by sender. */
function nonceFor(
  { from = ZERO_ADDRESS, nonce }: EthereumRequest,
  state: LedgerQueries,
  { progress, validation }: { readonly progress: Progress; readonly validation: boolean },
): bigint {
  const key = bytesToHex(from);
  const next = progress.nonces.get(key) ?? state.accounts.nonceOf(from);
  if (validation && nonce !== undefined && nonce !== next) {
    const kind = nonce < next ? 'nonceTooLow' : 'nonceTooHigh';
    const words = nonce < next ? 'nonce too low' : 'nonce too high';
    throw new SimulationRefusedError(
      kind,
      `${words}: address ${toPrefixedHex(from)}, tx: ${nonce} state: ${next}`,
    );
  }
  progress.nonces.set(key, (nonce ?? next) + 1n);
  return nonce ?? next;
}

function requireFee({ maxFeePerGas, gasPrice }: EthereumRequest, baseFee: bigint): void {
  const fee = maxFeePerGas ?? gasPrice ?? 0n;
  if (fee >= baseFee) return;
  throw new SimulationRefusedError(
    'feeTooLow',
    `max fee per gas less than block base fee: maxFeePerGas: ${fee}, baseFee: ${baseFee}`,
  );
}

/** Ends the simulation at a call that no transaction may be. */
function requireSound(
  { from = ZERO_ADDRESS }: EthereumRequest,
  { halt }: SimulatedOutcome['execution'],
): void {
  switch (halt) {
    case 'insufficientBalance':
      throw new SimulationRefusedError(
        'funds',
        `insufficient funds for gas * price + value: address ${toPrefixedHex(from)}`,
      );
    case 'intrinsicGasTooLow':
      throw new SimulationRefusedError('intrinsicGas', 'intrinsic gas too low');
    case 'initCodeTooLarge':
      throw new SimulationRefusedError('initCode', 'max initcode size exceeded');
    default:
  }
}
