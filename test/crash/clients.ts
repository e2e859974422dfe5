import { setTimeout as delay } from 'node:timers/promises';
import { isConnectionLost } from './node-client.ts';

/** Milliseconds that a client waits when there is no node. */
const RETRY_MS = 5;

/** Clients that work side by side on a node which may go away at any time, and tell of each request that they send. */
export class Clients {
  #onSending: (() => void) | undefined;

  /**
   * Has each client take one turn after the other until the signal says so; without a node it tries again.
   *
   * @throws CrashFinding for an answer that must not be
   */
  async run<Client>(
    clients: readonly Client[],
    signal: AbortSignal,
    turn: (client: Client) => Promise<void>,
  ): Promise<void> {
    await Promise.all(clients.map((client) => this.#runOne(signal, () => turn(client))));
  }

  /** Waits until the next request with transactions is on its way. */
  sending(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSending = resolve;
    });
  }

  /** A request with transactions is on its way. */
  noteSending(): void {
    this.#onSending?.();
  }

  async #runOne(signal: AbortSignal, turn: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      try {
        await turn();
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        await delay(RETRY_MS);
      }
    }
  }
}
