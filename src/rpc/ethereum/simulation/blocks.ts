import type { BlockOverride, LedgerQueries } from '../../../ledger/index.ts';
import { SIMULATED_BLOCKS_MAX } from '../../../limits.ts';
import { type Address, toHash } from '../../../protocol/index.ts';
import { SimulationRefusedError } from './errors.ts';
import type { RequestedBlock, SimulationRequest } from './payload.ts';

/** A block that is simulated, as its code sees it. */
export interface PlannedBlock extends Omit<RequestedBlock, 'block'> {
  readonly context: Required<Omit<BlockOverride, 'chainId'>> & { readonly chainId: bigint };
}

const NO_RANDOMNESS = toHash(new Uint8Array(32));

/**
 * Puts the blocks in order on top of a chain, empty ones in the gaps between their numbers. Without validation nobody
 * has to offer a fee, and the base fee is 0 unless a block overrides it, as geth has it.
 *
 * @throws SimulationRefusedError for numbers or times that do not rise, and for too many blocks
 */
export function plannedBlocks(
  ledger: LedgerQueries,
  { blocks: requested, validation }: Pick<SimulationRequest, 'blocks' | 'validation'>,
): PlannedBlock[] {
  const head = ledger.head();
  const first = BigInt(head.number);
  let number = first;
  let timestamp = BigInt(head.header.timestamp);
  const planned: PlannedBlock[] = [];
  const add = (block: BlockOverride, rest: Pick<RequestedBlock, 'accounts' | 'calls'>): void => {
    const baseFee = validation ? ledger.rules.baseFee : 0n;
    planned.push({ ...rest, context: contextOf(ledger, ledger.coinbase, { baseFee, ...block }) });
  };
  for (const { block = {}, accounts, calls } of requested) {
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
      add({ number, timestamp }, { accounts: [], calls: [] });
    }
    const time = block.timestamp ?? timestamp + 1n;
    if (time <= timestamp) {
      throw new SimulationRefusedError(
        'timestamp',
        `block timestamps must be in order: ${time} <= ${timestamp}`,
      );
    }
    timestamp = time;
    add({ ...block, number, timestamp }, { accounts, calls });
  }
  return planned;
}

function contextOf(
  { rules, network }: LedgerQueries,
  coinbase: Address,
  block: BlockOverride & { readonly baseFee: bigint },
): PlannedBlock['context'] {
  return {
    number: 0n,
    timestamp: 0n,
    coinbase,
    randomness: NO_RANDOMNESS,
    gasLimit: rules.blockGasLimit,
    ...block,
    chainId: BigInt(network.chainId),
  };
}
