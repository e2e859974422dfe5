import type { Address } from '../../protocol/index.ts';
import { type BlockContext, Engine, type Execution, type Hardfork, type Message } from '../index.ts';
import { assemble } from './assembler.testing.ts';
import { type AccountSetup, addressOf, MemoryHost, word } from './memory-host.testing.ts';

export const SENDER = addressOf(0x5e9de7n);
export const CONTRACT = addressOf(0xc0ffeen);
export const OTHER = addressOf(0x0de7n << 64n);
export const SENDER_BALANCE = 10n ** 18n;
/** Gas of a transaction before its code runs, without data. */
export const TRANSACTION_GAS = 21_000n;

export const BLOCK: BlockContext = {
  number: 1_000n,
  timestamp: 1_700_000_000n,
  coinbase: addressOf(0xc01bba5en),
  randomness: word(0x4a4d0dn),
  gasLimit: 30_000_000n,
  chainId: 0x1ced9e4n,
  baseFee: 7n,
  blobBaseFee: 1n,
};

/** An engine over a host in memory, with a sender that can pay for everything. */
export interface Fixture {
  readonly engine: Engine;
  readonly host: MemoryHost;
  /** Gives an address code and more, in the host. */
  place(address: Address, source: string | Uint8Array, setup?: AccountSetup): void;
  /** Sends a message from the sender to CONTRACT. */
  send(message?: Partial<Message>): Execution;
  /** Puts a program at CONTRACT and sends it a message. */
  run(source: string, message?: Partial<Message>): Execution;
}

/** Makes a fixture of a hard fork. */
export async function createFixture(hardfork: Hardfork = 'cancun'): Promise<Fixture> {
  const host = new MemoryHost();
  host.set(SENDER, { balance: SENDER_BALANCE });
  const engine = await Engine.create({ hardfork, host });
  engine.setBlock(BLOCK);
  const place: Fixture['place'] = (address, source, setup = {}) => {
    const code = typeof source === 'string' ? assemble(source) : source;
    host.set(address, { nonce: 1n, ...setup, code });
    engine.clear();
  };
  const send: Fixture['send'] = (message = {}) =>
    engine.execute({
      caller: SENDER,
      to: CONTRACT,
      value: 0n,
      data: new Uint8Array(0),
      gas: 10_000_000n,
      gasPrice: 1n,
      payForGas: false,
      ...message,
    });
  const run: Fixture['run'] = (source, message) => {
    place(CONTRACT, source);
    return send(message);
  };
  return { engine, host, place, send, run };
}

/** Pushes an address in a program. */
export function pushed(address: Address): string {
  return `#73${Buffer.from(address).toString('hex')}`;
}
