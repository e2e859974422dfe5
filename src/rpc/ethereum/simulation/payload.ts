import type { BlockOverride } from '../../../ledger/index.ts';
import { SIMULATED_BLOCKS_MAX, SIMULATED_CALLS_MAX } from '../../../limits.ts';
import {
  blockOverridesSchema,
  type PlacedOverride,
  stateOverridesSchema,
} from '../../parameters/overrides.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { mapped, named, optional, type Schema } from '../../parameters/schema.ts';
import { arrayOf, objectOf } from '../../parameters/structures.ts';
import { type EthereumRequest, ethereumRequestSchema } from '../../transactions/ethereum-call-messages.ts';

/** A block that is to be simulated. */
export interface RequestedBlock {
  readonly block: BlockOverride | undefined;
  readonly accounts: readonly PlacedOverride[];
  readonly calls: readonly EthereumRequest[];
}

/** What `eth_simulateV1` is asked for. */
export interface SimulationRequest {
  readonly blocks: readonly RequestedBlock[];
  /** Whether logs show transfers of ether as those of a token. */
  readonly tracesTransfers: boolean;
  /** Whether calls have to be what transactions must be, apart from their signatures. */
  readonly validation: boolean;
  readonly returnFullTransactions: boolean;
}

const blockSchema: Schema<RequestedBlock> = named(
  'SimulatedBlockRequest',
  { title: 'calls of a block' },
  mapped(
    objectOf({
      blockOverrides: blockOverridesSchema,
      stateOverrides: stateOverridesSchema,
      calls: optional(arrayOf(ethereumRequestSchema, { most: SIMULATED_CALLS_MAX, unit: 'calls' }), []),
    }),
    ({ blockOverrides: block, stateOverrides: accounts, calls }) => ({ block, accounts, calls }),
  ),
);

const flag = optional(flagSchema, false);

/** The payload of `eth_simulateV1`. */
export const simulationSchema: Schema<SimulationRequest> = named(
  'SimulationRequest',
  { title: 'blocks of calls' },
  mapped(
    objectOf({
      blockStateCalls: arrayOf(blockSchema, { most: SIMULATED_BLOCKS_MAX, unit: 'blocks' }),
      traceTransfers: flag,
      validation: flag,
      returnFullTransactions: flag,
    }),
    ({ blockStateCalls: blocks, traceTransfers: tracesTransfers, validation, returnFullTransactions }) => ({
      blocks,
      tracesTransfers,
      validation,
      returnFullTransactions,
    }),
  ),
);
