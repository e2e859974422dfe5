import { counter, gauge, labelled, type SampledMetric } from './sample.ts';

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
  return [
    gauge('ledgerd_websockets', 'WebSockets of clients.', () => watched()?.size ?? 0),
    gauge('ledgerd_subscriptions', 'Subscriptions over them.', () => watched()?.subscriptions ?? 0),
    gauge(
      'ledgerd_websocket_unread_bytes',
      'Bytes that their clients have not taken.',
      () => watched()?.unreadBytes ?? 0,
    ),
    counter('ledgerd_websockets_closed_total', 'WebSockets that have ended, by why.', () =>
      labelled('reason', watched()?.closed ?? []),
    ),
  ];
}
