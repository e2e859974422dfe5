import type { LedgerQueries } from '../../ledger/index.ts';
import { blockHashOf } from '../../protocol/index.ts';
import {
  constantShape,
  data,
  flagShape,
  hashShape,
  namedShape,
  objectShape,
  optionalShape,
  quantity,
  quantityShape,
  type ValueOf,
} from '../../view/index.ts';

const keptShape = objectShape({
  disabled: flagShape,
  oldestBlock: optionalShape(quantityShape),
  deleteStrategy: optionalShape(
    objectShape({ type: constantShape('window'), retentionBlocks: quantityShape }),
  ),
});

/** What is said of what is kept from block 0 on. */
const ALL_KEPT = { disabled: false, oldestBlock: quantity(0) };

/** What `eth_capabilities` answers. */
export const capabilitiesShape = namedShape(
  'Capabilities',
  { title: 'capabilities' },
  objectShape({
    head: objectShape({ number: quantityShape, hash: hashShape }),
    state: keptShape,
    tx: keptShape,
    logs: keptShape,
    receipts: keptShape,
    blocks: keptShape,
    stateproofs: keptShape,
  }),
);

/**
 * The capabilities of a node that keeps all blocks, and no proofs.
 *
 * @param oldestState number of the oldest block whose state is answered for
 */
export function capabilitiesOf(
  ledger: LedgerQueries,
  oldestState: number,
): ValueOf<typeof capabilitiesShape> {
  const { number, id } = ledger.head();
  return {
    head: { number: quantity(number), hash: data(blockHashOf(id)) },
    state: {
      disabled: false,
      oldestBlock: quantity(oldestState),
      deleteStrategy: { type: 'window', retentionBlocks: quantity(number + 1 - oldestState) },
    },
    tx: ALL_KEPT,
    logs: ALL_KEPT,
    receipts: ALL_KEPT,
    blocks: ALL_KEPT,
    stateproofs: { disabled: true },
  };
}
