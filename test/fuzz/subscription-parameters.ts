import { type JsonText, objectOf } from './json-text.ts';
import type { LiveValues } from './live-values.ts';
import type { Random } from './random.ts';

/** Parameters of `eth_subscribe`, for every kind of subscription. */
export function subscription(random: Random, live: LiveValues): readonly JsonText[] {
  return random.pick<() => readonly JsonText[]>([
    () => ['newHeads'],
    () => ['syncing'],
    () => ['logs', random.oneIn(4) ? null : live.logOptions()],
    () => ['newPendingTransactions', random.oneIn(2)],
    () => ['transactionReceipts'],
    () => ['transactionReceipts', objectOf({ transactionHashes: [live.transactionHash()] })],
  ])();
}
