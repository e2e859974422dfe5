import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNOWS_ETHEREUM } from '../../test/chain-kind.ts';
import { request } from '../../test/rpc-client.js';
import { LATEST_HARDFORK } from '../evm/index.ts';
import { formatGenesis, type Genesis, NO_FEATURES, networkOf, signTransaction } from '../ledger/index.ts';
import {
  type AccountId,
  coreAmount,
  encode,
  invariant,
  signedTransactionCodec,
  toPrefixedHex,
} from '../protocol/index.ts';
import { TestFolders } from './chain.testing.ts';
import { DEFAULT_NODE_CONFIGURATION, type NodeConfiguration } from './configuration.ts';
import { dataFolderAt } from './data-folder.ts';
import type { NodeEvents } from './events.ts';
import { readGenesisFile } from './genesis-file.ts';
import { initializeFolder } from './initialize.ts';
import { readKeyFile } from './keys/key-file.ts';
import { type RunningNode, startNode } from './node.ts';
import { isOfNode } from './notices.testing.ts';
import type { NodeNotice } from './notices.ts';

/** The answer to a call. */
export interface RpcResponse {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A node that runs in a test, and what it told of. */
export interface WatchedNode extends RunningNode {
  readonly notices: readonly NodeNotice[];
  /** Waits until what the node told of, or its head, makes this true. */
  until(isSo: () => boolean): Promise<void>;
  call(method: string, ...parameters: readonly unknown[]): Promise<RpcResponse>;
  /** Asks for its health. */
  health(): Promise<{ readonly status: number; readonly report: unknown }>;
}

/** Nodes and folders of one test, all gone after `clean`. */
export class TestNodes {
  readonly #folders = new TestFolders();
  readonly #running: RunningNode[] = [];

  /** Makes a new chain in a new folder. */
  async initialize(blockInterval = 3_600, history = true): Promise<string> {
    const dataDir = this.unused();
    await initializeFolder({
      dataDir,
      network: networkOf('default'),
      hardfork: LATEST_HARDFORK,
      supply: 1_000_000_000n,
      blockInterval,
      history,
      accounts: [],
      ethereum: KNOWS_ETHEREUM
        ? {
            accounts: [],
            preinstalls: true,
            features: { ...NO_FEATURES, fees: { type: 'fixed', price: 10n ** 10n } },
          }
        : undefined,
    });
    return dataDir;
  }

  /** The path of a folder that is not there. */
  unused(): string {
    return this.#folders.unused('node');
  }

  async start(
    dataDir: string,
    changes: Partial<NodeConfiguration> = {},
    events: NodeEvents = {},
    freeBytes?: (path: string) => number,
  ): Promise<WatchedNode> {
    const notices: NodeNotice[] = [];
    const waiting: (() => void)[] = [];
    const wake = (): void => {
      for (const resolve of waiting.splice(0)) resolve();
    };
    const configuration = { ...DEFAULT_NODE_CONFIGURATION, port: 0, minFreeBytes: 0, dataDir, ...changes };
    const watching: NodeEvents = {
      ...events,
      onBlock: (block, ethereum) => {
        events.onBlock?.(block, ethereum);
        wake();
      },
      onNotice: (notice) => {
        if (isOfNode(notice)) notices.push(notice);
        events.onNotice?.(notice);
        wake();
      },
    };
    const node = await startNode(configuration, watching, freeBytes);
    this.#running.push(node);
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await new Promise<void>((resolve) => waiting.push(resolve));
    };
    return {
      ...node,
      notices,
      until,
      call: (method, ...parameters) => request(node.url, method, ...parameters),
      health: async () => {
        const response = await fetch(`${node.url}/health`);
        return { status: response.status, report: await response.json() };
      },
    };
  }

  async clean(): Promise<void> {
    for (const node of this.#running.splice(0)) await node.close();
    this.#folders.clean();
  }
}

/** A transfer from the treasury of a folder, as `eth_sendRawTransaction` takes it. */
export function treasuryTransfer(dataDir: string, node: RunningNode, amount: bigint): string {
  const { account, keys } = readKeyFile(join(dataFolderAt(dataDir).keys, 'treasury.json'));
  const { ledger } = node;
  const head = ledger.blocks.head();
  const transaction = signTransaction(
    {
      type: 'transfer',
      fee: coreAmount(20n),
      from: account,
      to: ledger.parameters.registrar,
      amount: coreAmount(amount),
    },
    keys,
    ledger.parameters.chainId,
    head,
    Math.max(head.header.timestamp, ledger.clock.now()) + 3_600,
  );
  return toPrefixedHex(encode(signedTransactionCodec, transaction));
}

/** Changes the genesis file of a folder. */
export function changeGenesis(dataDir: string, change: (genesis: Genesis) => Genesis): void {
  const path = dataFolderAt(dataDir).genesis;
  writeFileSync(path, formatGenesis(change(readGenesisFile(path))));
}

/** The private keys of a folder, in hexadecimal digits. */
export function secretsOf(dataDir: string): string[] {
  return ['producer', 'registrar', 'treasury'].map((name) => {
    const text = readFileSync(join(dataFolderAt(dataDir).keys, `${name}.json`), 'utf8');
    const seed = /"seed": "([0-9a-f]{64})"/.exec(text)?.[1];
    invariant(seed !== undefined, 'a key file has a seed');
    return seed;
  });
}

/** The account of a key file of a folder. */
export function accountOf(dataDir: string, name: string): AccountId {
  return readKeyFile(join(dataFolderAt(dataDir).keys, `${name}.json`)).account;
}
