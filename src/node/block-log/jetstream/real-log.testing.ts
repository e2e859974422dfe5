import { afterEach } from 'vitest';
import type { ChainIdentity } from '../block-log.ts';
import { type OpenLog, openJetStream } from './jetstream.ts';
import { chainIdentity, type LogBlock } from './log-chain.testing.ts';
import { eventually, type NatsServers } from './nats-servers.testing.ts';

const opened: OpenLog[] = [];
let chains = 0;

afterEach(async () => {
  for (const { log } of opened.splice(0)) await log.close();
});

/** A chain that no other test has. */
export function newChain(): ChainIdentity {
  chains += 1;
  return chainIdentity(`log ${chains}`);
}

/** Opens the log of a chain as a node would, until the test is over. */
export async function open(servers: NatsServers, chain: ChainIdentity): Promise<OpenLog> {
  const log = await eventually(() => openJetStream(servers.settings(), chain, true));
  opened.push(log);
  return log;
}

/** So many blocks of a log. */
export async function read({ log }: OpenLog, from: number, count: number): Promise<Uint8Array[]> {
  const stop = new AbortController();
  const blocks: Uint8Array[] = [];
  for await (const block of log.read(from, stop.signal)) {
    blocks.push(block);
    if (blocks.length === count) break;
  }
  stop.abort();
  return blocks;
}

/** Appends a block to a log. */
export function append({ log }: OpenLog, { number, parent, bytes }: LogBlock) {
  return log.append(number, parent, bytes);
}

/** Numbers of the blocks that are not those found. */
export function differing(blocks: readonly LogBlock[], found: readonly Uint8Array[]): number[] {
  return blocks.flatMap(({ number, bytes }, index) =>
    Buffer.compare(bytes, found[index] ?? new Uint8Array()) === 0 ? [] : [number],
  );
}
