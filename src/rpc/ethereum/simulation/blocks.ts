import type { BlockOverride, LedgerQueries } from '../../../ledger/index.ts';
import { SIMULATED_BLOCKS_MAX, SIMULATED_CALLS_MAX } from '../../../limits.ts';
import { type Address, toHash } from '../../../protocol/index.ts';
import { RpcError } from '../../errors.ts';
import { blockOverridesSchema, stateOverridesSchema } from '../../parameters/overrides.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { named, optional, type ReadBy } from '../../parameters/schema.ts';
import { arrayOf, objectOf } from '../../parameters/structures.ts';
import { ethereumRequestSchema } from '../../transactions/ethereum-call-messages.ts';

const blockSchema = named(
  'SimulatedBlockRequest',
  { title: 'calls of a block' },
  objectOf({
    blockOverrides: blockOverridesSchema,
    stateOverrides: stateOverridesSchema,
    calls: optional(arrayOf(ethereumRequestSchema, { most: SIMULATED_CALLS_MAX, unit: 'calls' }), []),
  }),
);

const flag = optional(flagSchema, false);

/** The payload of `eth_simulateV1`. */
export const simulationSchema = named(
  'SimulationRequest',
  { title: 'blocks of calls' },
  objectOf({
    blockStateCalls: arrayOf(blockSchema, { most: SIMULATED_BLOCKS_MAX, unit: 'blocks' }),
    /** Logs show transfers of ether as those of a token. */
    traceTransfers: flag,
    /** Calls must be valid transactions, apart from their signatures. */
    validation: flag,
    returnFullTransactions: flag,
  }),
);

export type SimulationRequest = ReadBy<typeof simulationSchema>;
type RequestedBlock = ReadBy<typeof blockSchema>;

/** A block of a simulation, as its code sees it. */
export interface PlannedBlock extends Omit<RequestedBlock, 'blockOverrides'> {
  readonly context: Required<Omit<BlockOverride, 'chainId'>> & { readonly chainId: bigint };
}

const NO_RANDOMNESS = toHash(new Uint8Array(32));

/**
 * Plans blocks on top of a chain, with empty ones in the gaps between their numbers. Without validation no fee is
 * required, and the base fee is 0 unless a block overrides it, as in geth.
 *
 * @throws SimulationRefusedError for numbers or times that do not rise, and for too many blocks
 */
export function plannedBlocks(
  ledger: LedgerQueries,
  { blockStateCalls, validation }: Pick<SimulationRequest, 'blockStateCalls' | 'validation'>,
): PlannedBlock[] {
  const head = ledger.blocks.head();
  const first = BigInt(head.number);
  let number = first;
  let timestamp = BigInt(head.header.timestamp);
  const planned: PlannedBlock[] = [];
  const add = (block: BlockOverride, rest: Pick<RequestedBlock, 'stateOverrides' | 'calls'>): void => {
    const baseFee = validation ? ledger.prices.next().baseFee : 0n;
    planned.push({ ...rest, context: contextOf(ledger, ledger.parameters.coinbase, { baseFee, ...block }) });
  };
  for (const { blockOverrides: block = {}, stateOverrides, calls } of blockStateCalls) {
    const wanted = block.number ?? number + 1n;
    if (wanted <= number) {
      throw new SimulationRefusedError(
        'blockNumber',
        `block numbers must be in order: ${wanted} <= ${number}`,
      );
    }
    if (wanted - first > BigInt(SIMULATED_BLOCKS_MAX)) {
      throw new SimulationRefusedError('tooMany', `too many blocks: at most ${SIMULATED_BLOCKS_MAX}`);
    }
    for (number += 1n; number < wanted; number += 1n) {
      timestamp += 1n;
      add({ number, timestamp }, { stateOverrides: [], calls: [] });
    }
    const time = block.timestamp ?? timestamp + 1n;
    if (time <= timestamp) {
      throw new SimulationRefusedError(
        'timestamp',
        `block timestamps must be in order: ${time} <= ${timestamp}`,
      );
    }
    timestamp = time;
    add({ ...block, number, timestamp }, { stateOverrides, calls });
  }
  return planned;
}

function contextOf(
  { parameters: { rules, network }, prices }: LedgerQueries,
  coinbase: Address,
  block: BlockOverride & { readonly baseFee: bigint },
): PlannedBlock['context'] {
  return {
    number: 0n,
    timestamp: 0n,
    coinbase,
    randomness: NO_RANDOMNESS,
    gasLimit: rules.blockGasLimit,
    blobBaseFee: prices.ofBlobGas(),
    ...block,
    chainId: BigInt(network.chainId),
  };
}

/** Codes of Ethereum's Execution APIs for a simulation that is refused as a whole. */
const CODES = {
  nonceTooLow: -38010,
  nonceTooHigh: -38011,
  feeTooLow: -38012,
  intrinsicGas: -38013,
  funds: -38014,
  blockGas: -38015,
  blockNumber: -38020,
  timestamp: -38021,
  notExternal: -38024,
  initCode: -38025,
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
