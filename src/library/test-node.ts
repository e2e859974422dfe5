/// <reference lib="esnext.disposable" preserve="true" />

import { programLog, testConfigurationOf } from '../cli/index.ts';
import { startTestNode as openTestNode } from '../node/index.ts';
import { accountAddress, checksumAddress, formatAccountId, toPrefixedHex } from '../protocol/index.ts';
import { Provider } from './provider.ts';

/** What a node is started with; what is left out is as `ledgerd start` has it, but for the port. */
export interface TestNodeOptions {
  /** Funded accounts: 10. */
  readonly accounts?: number | undefined;
  /** Native units of each of them: 10^17. */
  readonly balance?: bigint | number | string | undefined;
  /** Text that their keys are derived from: `ledgerd`. */
  readonly seed?: string | undefined;
  /** Whether the chain knows Ethereum: `ethereumUrl` is for its tools, and the keys of `mnemonic` have 10,000 ether. */
  readonly ethereum?: boolean | undefined;
  /** Words that these keys are derived from: `test test test test test test test test test test test junk`. */
  readonly mnemonic?: string | undefined;
  /** Where they are below the words: `m/44'/60'/0'/0`. */
  readonly derivationPath?: string | undefined;
  /** `default`, and with `ethereum` `local`, which has the chain id 31337. */
  readonly network?: 'main' | 'test' | 'dev' | 'default' | 'local' | undefined;
  /** Rules of the EVM: the newest. */
  readonly hardfork?: 'london' | 'paris' | 'shanghai' | 'cancun' | 'prague' | 'osaka' | undefined;
  /** Seconds between blocks; left out, each transaction gets a block at once. */
  readonly blockTime?: number | undefined;
  /** Whether the node begins without mining. */
  readonly noMining?: boolean | undefined;
  /** Folder that keeps the chain; left out, it is gone when the node stops. */
  readonly dataDir?: string | undefined;
  /** Address to listen at: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Port to listen at: one that the system chooses. */
  readonly port?: number | undefined;
  /** Origins of web pages that may use the node. */
  readonly cors?: readonly string[] | undefined;
  /** Processes that answer calls and queries beside this one: 0. */
  readonly workers?: number | undefined;
  /** Gets console output of contracts, the calls of failed executions with decoded errors, and notices of the node. */
  readonly onLog?: ((text: string) => void) | undefined;
  /** Every other setting of test mode by the name of its flag, such as `{ 'max-logs': 100 }` for `--max-logs 100`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** A funded account whose key the node holds. */
export interface TestAccount {
  /** Its native identifier, such as `1.2.1024`. */
  readonly id: string;
  readonly address: `0x${string}`;
  /** Native units. */
  readonly balance: bigint;
}

/** A key that the chain has funded, for Ethereum's tools. */
export interface EthereumAccount {
  readonly address: `0x${string}`;
  readonly privateKey: `0x${string}`;
  /** Wei. */
  readonly balance: bigint;
}

/** A node in test mode that runs in this process. */
export interface TestNode {
  /** Where it serves JSON-RPC over HTTP, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Where Ethereum's wallets and tools find it, such as `http://127.0.0.1:40123/ethereum`; with `ethereum`. */
  readonly ethereumUrl: string | undefined;
  /** The keys that have ether; with `ethereum`, else none. */
  readonly ethereumAccounts: readonly EthereumAccount[];
  /** The same without HTTP: a provider of EIP-1193. */
  readonly provider: Provider;
  readonly accounts: readonly TestAccount[];
  /** Stops the node, and removes its chain unless `dataDir` keeps it. May be called again. */
  stop(): Promise<void>;
  /** Does the same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a node in test mode in this process. A running node does not keep the process from ending, but a request of
 * its provider does.
 *
 * @throws an error with a `code` that says what is wrong with an option, with the data folder, or with the address
 */
export async function startTestNode({ onLog, ...options }: TestNodeOptions = {}): Promise<TestNode> {
  const node = await openTestNode(testConfigurationOf(options), onLog && programLog(onLog));
  const { url, description, dispatcher, ledger, wallet, close } = node;
  node.unref();
  const provider = new Provider(dispatcher, {
    chainId: () => ledger.network.chainId,
    accounts: () => wallet.list().map((address) => toPrefixedHex(address)),
    onChange: (listener) => {
      ledger.onForgotten(listener);
      wallet.onAccounts(listener);
    },
  });
  const stop = async (): Promise<void> => {
    provider.disconnect();
    await close();
  };
  return {
    url,
    ethereumUrl: description.ethereumUrl,
    ethereumAccounts: (description.ethereum?.accounts ?? []).map(({ address, privateKey, balance }) => ({
      address: checksumAddress(address),
      privateKey: toPrefixedHex(privateKey),
      balance,
    })),
    provider,
    accounts: description.accounts.map(({ id, balance }) => ({
      id: formatAccountId(id),
      address: toPrefixedHex(accountAddress(id)),
      balance,
    })),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
