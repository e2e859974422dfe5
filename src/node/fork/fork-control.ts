import { Ledger, systemClock, type TestChain } from '../../ledger/index.ts';
import type { KeyPair } from '../../protocol/index.ts';
import type { ForkControl } from '../../rpc/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { deriveTestAccounts, mnemonicKeys } from '../../wallet/index.ts';
import { DEFAULT_ETHEREUM, type TestNodeConfiguration } from '../configuration.ts';
import { forkGenesis } from './fork-genesis.ts';
import type { NodeFork } from './node-fork.ts';
import type { OpenedFork } from './open-fork.ts';

/** The chain of a running node that a fork replaces. */
interface ForkedNode {
  readonly configuration: TestNodeConfiguration;
  readonly producer: KeyPair;
  readonly store: Store;
  readonly testChain: TestChain;
}

/** Controls the fork of a running node for its clients. */
export function forkControlOf(fork: NodeFork, node: ForkedNode): ForkControl {
  return {
    chain: fork,
    get source() {
      return fork.source;
    },
    get backoffMs() {
      return fork.backoffMs;
    },
    setRpcUrl: (url) => fork.setRpcUrl(url),
    reset: async (choice) => {
      if (choice === undefined) await node.testChain.reset(fork.opened?.point.timestamp);
      else await fork.replace(choice, (next, onReplaced) => adopt(node, next, onReplaced));
      fork.opened?.removePreceding();
    },
  };
}

/** Replaces the chain of a node by a new one that continues from the block of a fork, and its time, in one commit. */
async function adopt(
  { configuration, producer, store, testChain }: ForkedNode,
  fork: OpenedFork,
  onReplaced: () => void,
): Promise<void> {
  const { seed, accounts: count, balance, ethereum = DEFAULT_ETHEREUM } = configuration;
  const accounts = deriveTestAccounts(seed, count);
  const keys = mnemonicKeys(ethereum.mnemonic, ethereum.derivationPath, count);
  const parts = { accounts, balance, producerKey: producer.publicKey };
  const genesis = await forkGenesis(configuration, parts, keys, fork);
  const fresh = openStore({ durable: false, history: store.history });
  try {
    const still = { clock: systemClock, keys: [], mining: 'none' } as const;
    await Ledger.open({ store: fresh, genesis, base: fork.base, ...still });
    testChain.replace(fresh, fork.point.timestamp - systemClock.now(), fork.base);
    onReplaced();
  } finally {
    await fresh.close();
  }
}
