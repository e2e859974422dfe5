import { type JsonText, objectOf } from './json-text.ts';
import type { Material } from './parameters.ts';

/** Parameters of `eth_subscribe`, for every kind of subscription. */
export function subscription({ random, live }: Material): readonly JsonText[] {
  return random.pick<() => readonly JsonText[]>([
    () => ['newHeads'],
    () => ['syncing'],
    () => ['logs', random.oneIn(4) ? null : live.logOptions()],
    () => ['newPendingTransactions', random.oneIn(2)],
    () => ['transactionReceipts'],
    () => ['transactionReceipts', objectOf({ transactionHashes: [live.transactionHash()] })],
  ])();
}
