import { execFileSync } from 'node:child_process';
import type { ServerPlace } from '../../src/node/block-log/jetstream/nats-servers.testing.ts';

/** A machine of a cluster, as far as this one can have several. */
export interface Machine extends ServerPlace {
  /** Takes it off the network, or brings it back. */
  setConnected(isConnected: boolean): void;
}

export interface Machines {
  readonly machines: readonly Machine[];
  /** True if networks can be partitioned; else all of them are this machine. */
  readonly canCut: boolean;
  close(): void;
}

/** Machines in network namespaces of their own where this process may make them; else all at 127.0.0.1. */
export function openMachines(count: number): Machines {
  const network = new Namespaces(count);
  try {
    return { machines: network.open(), canCut: true, close: () => network.close() };
  } catch {
    network.close();
    const here: Machine = { address: '127.0.0.1', wrapper: [], setConnected: () => undefined };
    return { machines: Array.from({ length: count }, () => here), canCut: false, close: () => undefined };
  }
}

/** Network namespaces on one bridge, named after this process. */
class Namespaces {
  readonly #count: number;
  readonly #tag = `lc${process.pid % 100_000}`;
  readonly #subnet = `10.${200 + (process.pid % 50)}.${process.pid % 251}`;

  constructor(count: number) {
    this.#count = count;
  }

  open(): Machine[] {
    const bridge = `${this.#tag}b`;
    ip('link', 'add', bridge, 'type', 'bridge');
    ip('address', 'add', `${this.#subnet}.1/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
    return Array.from({ length: this.#count }, (_, index) => this.#openOne(bridge, index));
  }

  #openOne(bridge: string, index: number): Machine {
    const [name, outside, inside] = [
      `${this.#tag}n${index}`,
      `${this.#tag}o${index}`,
      `${this.#tag}i${index}`,
    ];
    const address = `${this.#subnet}.${index + 2}`;
    ip('netns', 'add', name);
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside);
    ip('link', 'set', inside, 'netns', name);
    ip('link', 'set', outside, 'master', bridge);
    ip('link', 'set', outside, 'up');
    ip('-n', name, 'address', 'add', `${address}/24`, 'dev', inside);
    ip('-n', name, 'link', 'set', inside, 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
    return {
      address,
      wrapper: ['ip', 'netns', 'exec', name],
      setConnected: (isConnected) => ip('link', 'set', outside, isConnected ? 'up' : 'down'),
    };
  }

  /** Removes what there is of them. */
  close(): void {
    const remove = (...words: string[]): void => {
      try {
        ip(...words);
      } catch {
        // It was not made.
      }
    };
    for (let index = 0; index < this.#count; index += 1) {
      remove('netns', 'delete', `${this.#tag}n${index}`);
      remove('link', 'delete', `${this.#tag}o${index}`);
    }
    remove('link', 'delete', `${this.#tag}b`);
  }
}

function ip(...words: string[]): void {
  execFileSync('ip', words, { stdio: 'ignore' });
}
