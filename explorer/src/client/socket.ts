import { RECONNECT_MS, RECONNECT_MS_MAX } from '../limits.ts';
import { fieldsOf } from './reading.ts';

/** A subscription and the receiver of its notifications. */
export interface SocketListener {
  /** Parameters of `eth_subscribe`. */
  readonly subscription: readonly unknown[];
  /** Receives each notification as text, so that unused ones need not be parsed. */
  onNotification(text: string): void;
}

export interface SocketOptions {
  /** Returns the URL of the next attempt to connect. */
  address(): Promise<URL>;
  readonly listeners: readonly SocketListener[];
  /** Called when all subscriptions are open, and when the connection is lost. */
  onState(state: 'open' | 'closed'): void;
}

/** The subscription id near the beginning of a notification. */
const SUBSCRIPTION =
  /^\{"jsonrpc":"2\.0","method":"eth_subscription","params":\{"subscription":"(0x[0-9a-f]+)"/;

/**
 * Opens a WebSocket that reconnects with increasing delays, and renews its subscriptions.
 *
 * @returns a function that closes it finally
 */
export function openSocket({ address, listeners, onState }: SocketOptions): () => void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let delay = RECONNECT_MS;
  const again = (): void => {
    if (isOver) return;
    onState('closed');
    timer = setTimeout(connect, delay * (1 + Math.random()));
    delay = Math.min(2 * delay, RECONNECT_MS_MAX);
  };
  const connect = (): void => {
    address().then((url) => {
      if (isOver) return;
      socket = new WebSocket(url);
      listen(socket, listeners, () => {
        delay = RECONNECT_MS;
        onState('open');
      });
      socket.addEventListener('close', again);
    }, again);
  };
  connect();
  return () => {
    isOver = true;
    clearTimeout(timer);
    socket?.close();
  };
}

function listen(socket: WebSocket, listeners: readonly SocketListener[], onReady: () => void): void {
  const byId = new Map<string, SocketListener>();
  socket.addEventListener('open', () => {
    for (const [index, { subscription }] of listeners.entries()) {
      const request = { jsonrpc: '2.0', id: index + 1, method: 'eth_subscribe', params: subscription };
      socket.send(JSON.stringify(request));
    }
  });
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'string') return;
    const [, subscription] = SUBSCRIPTION.exec(data) ?? [];
    if (subscription !== undefined) {
      byId.get(subscription)?.onNotification(data);
      return;
    }
    const { id, result } = fieldsOf(JSON.parse(data));
    const listener = typeof id === 'number' ? listeners[id - 1] : undefined;
    if (listener === undefined || typeof result !== 'string') {
      // Refused: the node may take it another time.
      socket.close();
      return;
    }
    byId.set(result, listener);
    if (byId.size === listeners.length) onReady();
  });
}
