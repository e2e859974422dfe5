import type { AccountOverride, LedgerQueries, Refusal } from '../../../ledger/index.ts';
import { RefusedError } from '../../../ledger/index.ts';
import {
  type SimulatedBlockOverride,
  simulatedBlockOverridesSchema,
  stateOverridesSchema,
} from '../../parameters/overrides.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { named, optional, type ReadBy } from '../../parameters/schema.ts';
import { arrayOf, objectOf } from '../../parameters/structures.ts';
import {
  INTERNAL_CODE,
  INVALID_PARAMETERS_CODE,
  InvalidParametersError,
  RpcError,
} from '../../rpc-errors.ts';
import { type EthereumRequest, ethereumRequestSchema } from '../../transactions/ethereum-call-messages.ts';

/** Blocks of one simulation, and calls of one of its blocks. */
export const SIMULATED_BLOCKS_MAX = 256;
export const SIMULATED_CALLS_MAX = 5_000;

const blockSchema = named(
  'SimulatedBlockRequest',
  { title: 'calls of a block' },
  objectOf({
    blockOverrides: simulatedBlockOverridesSchema,
    stateOverrides: stateOverridesSchema,
    calls: optional(arrayOf(ethereumRequestSchema), []),
  }),
);

const flag = optional(flagSchema, false);

/** The payload of `eth_simulateV1`. `plannedBlocks` bounds the number of blocks and calls, with the code for it. */
export const simulationSchema = named(
  'SimulationRequest',
  { title: 'blocks of calls' },
  objectOf({
    blockStateCalls: optional(arrayOf(blockSchema), []),
    /** Logs show transfers of ether as those of a token. */
    traceTransfers: flag,
    /** Calls must be valid transactions, apart from their signatures. */
    validation: flag,
    returnFullTransactions: flag,
  }),
);

export type SimulationRequest = ReadBy<typeof simulationSchema>;

/** A block of a simulation with its number and its time. */
export interface PlannedBlock {
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly override: SimulatedBlockOverride;
  readonly accounts: readonly AccountOverride[];
  readonly calls: readonly EthereumRequest[];
}

const NO_OVERRIDE: SimulatedBlockOverride = { context: {}, beaconRoot: undefined, withdrawals: [] };

/**
 * Plans blocks on top of a chain, with empty ones in the gaps between their numbers.
 *
 * @throws SimulationRefusedError for numbers or times that do not rise, and for too many blocks or calls;
 *   InvalidParametersError without blocks
 */
export function plannedBlocks(
  ledger: LedgerQueries,
  { blockStateCalls }: Pick<SimulationRequest, 'blockStateCalls'>,
): PlannedBlock[] {
  if (blockStateCalls.length === 0) throw new InvalidParametersError('empty input');
  if (blockStateCalls.length > SIMULATED_BLOCKS_MAX) refuseBlocks();
  const head = ledger.blocks.head();
  const first = BigInt(head.number);
  let number = first;
  let timestamp = BigInt(head.header.timestamp);
  const planned: PlannedBlock[] = [];
  for (const { blockOverrides: override = NO_OVERRIDE, stateOverrides: accounts, calls } of blockStateCalls) {
    const { number: wanted = number + 1n, timestamp: wantedTime } = override.context;
    if (wanted <= number) {
      throw new SimulationRefusedError(
        'blockNumber',
        `block numbers must be in order: ${wanted} <= ${number}`,
      );
    }
    if (wanted - first > BigInt(SIMULATED_BLOCKS_MAX)) refuseBlocks();
    if (calls.length > SIMULATED_CALLS_MAX) {
      const problem = `too many calls in block: ${calls.length} > ${SIMULATED_CALLS_MAX}`;
      throw new SimulationRefusedError('tooMany', problem);
    }
    for (number += 1n; number < wanted; number += 1n) {
      timestamp += 1n;
      planned.push({ number, timestamp, override: NO_OVERRIDE, accounts: [], calls: [] });
    }
    const time = wantedTime ?? timestamp + 1n;
    if (time <= timestamp) {
      throw new SimulationRefusedError(
        'timestamp',
        `block timestamps must be in order: ${time} <= ${timestamp}`,
      );
    }
    timestamp = time;
    planned.push({ number, timestamp, override, accounts, calls });
  }
  return planned;
}

function refuseBlocks(): never {
  throw new SimulationRefusedError('tooMany', `too many blocks: at most ${SIMULATED_BLOCKS_MAX}`);
}

/** Codes of Ethereum's Execution APIs for a simulation that is refused as a whole; of geth for what they lack. */
const CODES = {
  nonceTooLow: -38010,
  nonceTooHigh: -38011,
  nonceMax: INTERNAL_CODE,
  feeCapTooLow: -38012,
  tipAboveFeeCap: INVALID_PARAMETERS_CODE,
  blobFeeCapTooLow: INTERNAL_CODE,
  intrinsicGas: -38013,
  floorDataGas: -38013,
  insufficientWei: -38014,
  blockGas: -38015,
  blockNumber: -38020,
  timestamp: -38021,
  initCodeTooLarge: -38025,
  tooMany: -38026,
} as const;

/** A simulation that is refused as a whole. */
export class SimulationRefusedError extends RpcError {
  override readonly code = 'SIMULATION_REFUSED';
  override readonly rpcCode: number;

  constructor(kind: keyof typeof CODES, message: string) {
    super(message);
    this.rpcCode = CODES[kind];
  }
}

/** A reason for which a call is no transaction, with geth's code. */
export type CallRefusal = Extract<Refusal, { code: keyof typeof CODES }>;

/** Refuses a simulation for a call that no transaction may be, with geth's text. @param gas its gas limit */
export function refuseCall(reason: CallRefusal, gas: bigint): never {
  const { message } = new RefusedError(reason);
  throw new SimulationRefusedError(reason.code, `err: ${message} (supplied gas ${gas})`);
}
