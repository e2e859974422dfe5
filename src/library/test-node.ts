/// <reference lib="esnext.disposable" preserve="true" />

import { programLog, testConfigurationOf } from '../cli/index.ts';
import { startTestNode as openTestNode } from '../node/index.ts';
import { accountAddress, checksumAddress, formatAccountId, toPrefixedHex } from '../protocol/index.ts';
import { type Interface, Provider } from './provider.ts';

/** Options of a node; the defaults are those of `ledgerd start`, except for the port. */
export interface TestNodeOptions {
  /** Number of funded accounts: 10. */
  readonly accounts?: number | undefined;
  /** Balance of each in native units: 10^17. */
  readonly balance?: bigint | number | string | undefined;
  /** Seed text of their keys: `ledgerd`. */
  readonly seed?: string | undefined;
  /** True for a chain with Ethereum: its tools use `ethereumUrl`, and the keys of `mnemonic` have 10,000 ether. */
  readonly ethereum?: boolean | undefined;
  /** The interface at `url`, `ledger` by default; `ethereum` implies `ethereum: true`. */
  readonly root?: Interface | undefined;
  /** Mnemonic of these keys: `test test test test test test test test test test test junk`. */
  readonly mnemonic?: string | undefined;
  /** Derivation path of these keys: `m/44'/60'/0'/0`. */
  readonly derivationPath?: string | undefined;
  /** True for a trie of the state, which `eth_getProof` needs; only with `ethereum`. */
  readonly stateTrie?: boolean | undefined;
  /** Network: `default`, and with `ethereum` `local`, which has the chain id 31337. */
  readonly network?: 'main' | 'test' | 'dev' | 'default' | 'local' | undefined;
  /** EVM rules: the newest. */
  readonly hardfork?: 'london' | 'paris' | 'shanghai' | 'cancun' | 'prague' | 'osaka' | undefined;
  /** A block of a remote chain that the chain continues from; implies `ethereum`. Absent: a chain of its own. */
  readonly fork?: TestFork | undefined;
  /** Seconds between blocks, such as 5 or 0.5; absent: each transaction gets a block at once. */
  readonly blockTime?: number | undefined;
  /** True if the node begins without mining. */
  readonly noMining?: boolean | undefined;
  /** Folder of the stored chain; absent: the chain is deleted when the node stops. */
  readonly dataDir?: string | undefined;
  /** Listening address: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Listening port: a free one that the system selects. */
  readonly port?: number | undefined;
  /** Origins of web pages that may use the node. */
  readonly cors?: readonly string[] | undefined;
  /** Additional processes for calls and queries: 0. */
  readonly workers?: number | undefined;
  /** Receives console output, the calls of failed executions with decoded errors, and notices of the node. */
  readonly onLog?: ((text: string) => void) | undefined;
  /** Every other setting of test mode by the name of its flag, such as `{ 'max-logs': 100 }` for `--max-logs 100`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** The origin of a forked chain: a remote Ethereum node, or a pack of `ledgerd fork pack`. */
export type TestFork =
  | {
      /** URL of the remote node. It may contain credentials, which the node never shows. */
      readonly url: string;
      /** Number of the block: the newest. */
      readonly block?: number | undefined;
      /** Hash of a transaction: the chain continues from the state before it. */
      readonly transaction?: string | undefined;
      /** Headers of requests, each as `Name: value`. */
      readonly headers?: readonly string[] | undefined;
    }
  | {
      /** File of the pack, for a fork without a network. */
      readonly file: string;
    };

/** A funded account of the node's wallet. */
export interface TestAccount {
  /** Its native identifier, such as `1.2.1024`. */
  readonly id: string;
  readonly address: `0x${string}`;
  /** Native units. */
  readonly balance: bigint;
}

/** A funded key for Ethereum tools. */
export interface EthereumAccount {
  readonly address: `0x${string}`;
  readonly privateKey: `0x${string}`;
  /** Wei. */
  readonly balance: bigint;
}

/** A node in test mode that runs in this process. */
export interface TestNode {
  /** URL of JSON-RPC over HTTP, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** URL for Ethereum's wallets and tools, such as `http://127.0.0.1:40123/ethereum`; only on a chain with Ethereum. */
  readonly ethereumUrl: string | undefined;
  /** The keys with ether; none without `ethereum`. */
  readonly ethereumAccounts: readonly EthereumAccount[];
  /** The interface at `url` without HTTP: a provider of EIP-1193. */
  readonly provider: Provider;
  /** The interface at `ethereumUrl` without HTTP: a provider of EIP-1193; only on a chain with Ethereum. */
  readonly ethereumProvider: Provider | undefined;
  readonly accounts: readonly TestAccount[];
  /** Stops the node, and deletes its chain unless `dataDir` is set. May be called again. */
  stop(): Promise<void>;
  /** Stops the node, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A node in test mode whose chain has Ethereum. */
export interface EthereumTestNode extends TestNode {
  readonly ethereumUrl: string;
  readonly ethereumProvider: Provider;
}

/** The options that make a chain with Ethereum. */
type WithEthereum = { readonly ethereum: true } | { readonly root: 'ethereum' } | { readonly fork: TestFork };

/**
 * Starts a node in test mode in this process. A running node does not keep the process from ending, but a request of
 * its provider does.
 *
 * @throws an error with a `code` for the problem with an option, the data folder, or the address
 */
export function startTestNode(options: TestNodeOptions & WithEthereum): Promise<EthereumTestNode>;
export function startTestNode(options?: TestNodeOptions): Promise<TestNode>;
export async function startTestNode(options: TestNodeOptions = {}): Promise<TestNode> {
  const configuration = testConfigurationOf(options);
  const { onLog } = options;
  const node = await openTestNode(configuration, onLog && programLog(onLog));
  const { url, description, dispatcher, ledger, close } = node;
  node.unref();
  const providerOf = (profile: Interface): Provider => {
    const wallet = profile === 'ledger' ? node.wallet : node.ethereumWallet;
    const chain = {
      chainId: () => ledger.parameters.network.chainId,
      accounts: () => wallet.list().map((address) => toPrefixedHex(address)),
      onChange: (listener: () => void) => {
        ledger.history.onReorg(listener);
        wallet.onAccounts(listener);
      },
    };
    return new Provider(dispatcher, chain, profile);
  };
  const provider = providerOf(description.root);
  const { ethereumUrl } = description;
  let ethereumProvider: Provider | undefined;
  if (ethereumUrl !== undefined) {
    ethereumProvider = description.root === 'ethereum' ? provider : providerOf('ethereum');
  }
  const stop = async (): Promise<void> => {
    provider.disconnect();
    ethereumProvider?.disconnect();
    await close();
  };
  return {
    url,
    ethereumUrl,
    ethereumAccounts: (description.ethereum?.accounts ?? []).map(({ address, privateKey, balance }) => ({
      address: checksumAddress(address),
      privateKey: toPrefixedHex(privateKey),
      balance,
    })),
    provider,
    ethereumProvider,
    accounts: description.accounts.map(({ id, balance }) => ({
      id: formatAccountId(id),
      address: toPrefixedHex(accountAddress(id)),
      balance,
    })),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
