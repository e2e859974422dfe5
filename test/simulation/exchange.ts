import type { MessageExchange } from '../../src/node/block-log/block-log.ts';
import { bytesToHex } from '../../src/protocol/index.ts';
import type { Network } from './network.ts';
import type { Process } from './process.ts';

type Listener = (message: Uint8Array) => void;

/** All processes that listen for messages of one kind. */
export class ExchangeHub {
  readonly #network: Network;
  readonly #listening = new Map<Process, Set<Listener>>();

  constructor(network: Network) {
    this.#network = network;
  }

  publish(from: Process, transaction: Uint8Array): void {
    const sent = Uint8Array.from(transaction);
    for (const [process, listeners] of this.#listening) {
      if (process.name === from.name) continue;
      this.#network.send(from.name, process.name, () => {
        process.time.deliver(() => {
          for (const listener of listeners) listener(Uint8Array.from(sent));
        });
      });
    }
  }

  add(process: Process, listener: Listener): () => void {
    const listeners = this.#listening.get(process) ?? new Set();
    this.#listening.set(process, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  remove(process: Process): void {
    this.#listening.delete(process);
  }
}

/** The exchange as one process sees it. */
export class SimulatedExchange implements MessageExchange {
  readonly #hub: ExchangeHub;
  readonly #process: Process;
  /** In hexadecimal, those that are not sent again; undefined: all are. */
  readonly #sent: Set<string> | undefined;

  /** @param repeats true to send a transaction each time it is published */
  constructor(hub: ExchangeHub, process: Process, repeats: boolean) {
    this.#hub = hub;
    this.#process = process;
    this.#sent = repeats ? undefined : new Set();
  }

  publish(transaction: Uint8Array): void {
    const name = bytesToHex(transaction);
    if (this.#sent?.has(name) === true) return;
    this.#sent?.add(name);
    this.#process.tell(() => this.#hub.publish(this.#process, transaction));
  }

  onMessage(listener: Listener): () => void {
    return this.#hub.add(this.#process, listener);
  }
}
