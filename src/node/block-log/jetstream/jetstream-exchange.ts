import { TRANSACTION_BYTES_MAX } from '../../../consensus.ts';
import { STREAM_TRANSACTION_BYTES_MAX } from '../../../limits.ts';
import type { MessageExchange } from '../block-log.ts';
import type { LogConnection } from './log-connection.ts';

/** Messages between a chain's nodes on one subject. The servers of the log forward them and store none. */
export class JetStreamExchange implements MessageExchange {
  readonly #connection: LogConnection;
  readonly #subject: string;
  /** Bytes that the servers have not confirmed yet. */
  #underway = 0;

  constructor(connection: LogConnection, subject: string) {
    this.#connection = connection;
    this.#subject = subject;
  }

  publish(message: Uint8Array): void {
    const isTooMuch = this.#underway + message.length > STREAM_TRANSACTION_BYTES_MAX;
    if (isTooMuch || message.length > TRANSACTION_BYTES_MAX || !this.#connection.isConnected) return;
    const isFirst = this.#underway === 0;
    this.#underway += message.length;
    this.#connection.nats.publish(this.#subject, message);
    if (isFirst) void this.#drain();
  }

  onMessage(listener: (message: Uint8Array) => void): () => void {
    const subscription = this.#connection.subscribe(this.#subject, ({ data }) => {
      if (data.length > 0 && data.length <= TRANSACTION_BYTES_MAX) listener(new Uint8Array(data));
    });
    return () => subscription.unsubscribe();
  }

  /** Waits for the confirmation of all that was sent; what a lost connection had in flight is lost. */
  async #drain(): Promise<void> {
    try {
      while (this.#underway > 0) {
        const sent = this.#underway;
        await this.#connection.nats.flush();
        this.#underway -= sent;
      }
    } catch {
      this.#underway = 0;
    }
  }
}
