import { setTimeout as delay } from 'node:timers/promises';
import { isConnectionLost } from './node-client.ts';

/** Milliseconds that a client waits when there is no node. */
const RETRY_MS = 5;

/** Concurrent clients of a node that may end at any time; they journal each request. */
export class Clients {
  #onSending: (() => void) | undefined;

  /**
   * Runs the clients until the signal; without a node they try again.
   *
   * @throws CrashFinding for a wrong response
   */
  async run<Client>(
    clients: readonly Client[],
    signal: AbortSignal,
    turn: (client: Client) => Promise<void>,
  ): Promise<void> {
    await Promise.all(clients.map((client) => this.#runOne(signal, () => turn(client))));
  }

  /** Waits until the next request with transactions is in flight. */
  sending(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSending = resolve;
    });
  }

  /** Notes that a request with transactions is in flight. */
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
