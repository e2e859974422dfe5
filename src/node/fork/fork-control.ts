import { Ledger, systemClock, type TestChain } from '../../ledger/index.ts';
import type { KeyPair } from '../../protocol/index.ts';
import { type ChainControl, type ForkControl, RequestFailedError } from '../../rpc/index.ts';
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
  readonly control: Pick<ChainControl, 'setTime'>;
}

/** Controls the fork of a running node for its clients. */
export function forkControlOf(fork: NodeFork, node: ForkedNode): ForkControl {
  const { testChain, control, configuration } = node;
  /** Continues the time of the remote chain. */
  const setTime = (): void => {
    if (fork.opened !== undefined) control.setTime(fork.opened.point.timestamp);
  };
  return {
    chain: fork,
    get source() {
      return fork.source;
    },
    get backoffMs() {
      return fork.backoffMs;
    },
    setRpcUrl: (url) => fork.setRpcUrl(url),
    reset: (choice) => {
      if (choice === undefined) {
        const reset = testChain.reset();
        return reset instanceof Promise ? reset.then(setTime) : setTime();
      }
      // A data folder has the entries of one fork.
      if (configuration.dataDir !== undefined) throw new RequestFailedError(KEPT);
      return fork.replace(choice, (next) => adopt(node, next)).then(setTime);
    },
  };
}

const KEPT =
  'the data folder has the entries of its own chain: start a node with --fork and another folder, or without one';

/** Replaces the chain of a node by a new one that continues from the block of a fork. */
async function adopt(
  { configuration, producer, store, testChain }: ForkedNode,
  fork: OpenedFork,
): Promise<void> {
  const { seed, accounts: count, balance, ethereum = DEFAULT_ETHEREUM } = configuration;
  const accounts = deriveTestAccounts(seed, count);
  const keys = mnemonicKeys(ethereum.mnemonic, ethereum.derivationPath, count);
  const parts = { accounts, balance, producerKey: producer.publicKey };
  const genesis = await forkGenesis(configuration, parts, keys, fork);
  const fresh = openStore({ durable: false, history: store.history });
  try {
    const still = { clock: systemClock, keys: [], production: 'none', mining: false } as const;
    await Ledger.open({ store: fresh, genesis, base: fork.base, ...still });
    testChain.replace(fresh, 0, fork.base);
  } finally {
    await fresh.close();
  }
}
