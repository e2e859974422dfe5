import { startTestNode, type TestNode } from '../../src/library/index.ts';
import { call } from '../rpc-client.js';
import { Both } from './both.ts';
import { buildRemoteWorld, type RemoteWorld } from './remote-world.ts';

/** A remote chain with contracts, and a fork of it. */
export interface ForkedPair {
  readonly world: RemoteWorld;
  readonly both: Both;
  readonly remoteUrl: string;
  readonly forkedUrl: string;
  /** Number of the block of the fork. */
  readonly number: number;
  stop(): Promise<void>;
}

/** Starts a forked chain. The blocks of its remote one, another node of this program, have hashes of their own kind. */
export function startFork(url: string, settings: Readonly<Record<string, unknown>> = {}): Promise<TestNode> {
  const fork = { fork: url, 'no-fork-cache': true, 'fork-trust-header': true };
  return startTestNode({ ethereum: true, settings: { ...fork, ...settings } });
}

/** Starts both chains. All accounts have the same balance on them. */
export async function startForkedPair(): Promise<ForkedPair> {
  const remote = await startTestNode({ ethereum: true });
  const remoteUrl = remote.ethereumUrl ?? '';
  const world = await buildRemoteWorld(remoteUrl, 3, 10);
  const number = Number(await call(remoteUrl, 'eth_blockNumber'));
  const forked = await startFork(remoteUrl);
  const forkedUrl = forked.ethereumUrl ?? '';
  const both = new Both(forkedUrl, remoteUrl);
  for (const account of await call(remoteUrl, 'eth_accounts')) {
    await both.step('anvil_setBalance', account, '0x8ac7230489e80000000');
  }
  const stop = async (): Promise<void> => {
    await forked.stop();
    await remote.stop();
  };
  return { world, both, remoteUrl, forkedUrl, number, stop };
}

export function hex(number: number | bigint): string {
  return `0x${number.toString(16)}`;
}
