import { one } from './process-metrics.ts';
import type { SampledMetric } from './sample.ts';

/** The figures of a server's WebSockets. */
export interface WatchedWebSockets {
  readonly size: number;
  readonly subscriptions: number;
  /** Bytes sent that clients have not read. */
  readonly unreadBytes: number;
  /** Closed connections, counted by reason. */
  readonly closed: ReadonlyMap<string, number>;
}

/** The metrics of WebSockets, which are there once the server is. */
export function webSocketMetrics(watched: () => WatchedWebSockets | undefined): SampledMetric[] {
  const gauge = (
    name: string,
    help: string,
    figure: 'size' | 'subscriptions' | 'unreadBytes',
  ): SampledMetric => ({ name, help, type: 'gauge', samples: () => one(watched()?.[figure] ?? 0) });
  return [
    gauge('ledgerd_websockets', 'WebSockets of clients.', 'size'),
    gauge('ledgerd_subscriptions', 'Subscriptions over them.', 'subscriptions'),
    gauge('ledgerd_websocket_unread_bytes', 'Bytes that their clients have not taken.', 'unreadBytes'),
    {
      name: 'ledgerd_websockets_closed_total',
      help: 'WebSockets that have ended, by why.',
      type: 'counter',
      samples: () => [...(watched()?.closed ?? [])].map(([reason, value]) => ({ labels: { reason }, value })),
    },
  ];
}
