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
} from '../../view/index.ts';

const keptShape = objectShape({
  disabled: flagShape,
  oldestBlock: optionalShape(quantityShape),
  deleteStrategy: optionalShape(
    objectShape({ type: constantShape('window'), retentionBlocks: quantityShape }),
  ),
});

/** What `eth_capabilities` says of what is kept from block 0 on. */
export const ALL_KEPT = { disabled: false, oldestBlock: quantity(0) };

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

/** Number and hash of the head. */
export function headPlace(ledger: LedgerQueries) {
  const { number, id } = ledger.head();
  return { number: quantity(number), hash: data(blockHashOf(id)) };
}
