import type { ForkPoint } from '../../fork/index.ts';
import {
  createTestGenesis,
  type EthereumGenesis,
  excessBlobGasAfter,
  type ForkBase,
  type Genesis,
  mainnetBlobSchedule,
  movingFees,
  type Network,
  type TestGenesisOptions,
} from '../../ledger/index.ts';
import type { Address, Seed } from '../../protocol/index.ts';
import type { RemoteChain } from '../../rpc/index.ts';
import { stateKey } from '../../store/index.ts';
import { evmAddressOf } from '../../wallet/index.ts';
import {
  DEFAULT_ETHEREUM,
  NO_BLOCK_GAS_LIMIT,
  networkIn,
  type TestNodeConfiguration,
} from '../configuration.ts';
import { preinstallsOf } from '../preinstalls.ts';

/** The remote side of a fork, as its genesis needs it. */
interface Remote {
  readonly point: ForkPoint;
  readonly base: ForkBase;
  readonly remote: Pick<RemoteChain, 'fetch'>;
}

/**
 * Creates the genesis of a chain that continues from a block of a remote chain: its fees, gas limit and time follow
 * that block, and preinstalled contracts are placed only where the remote chain has no account.
 * @param keys of the funded accounts, whose remote entries are fetched, too
 */
export async function forkGenesis(
  configuration: Pick<TestNodeConfiguration, 'hardfork' | 'network' | 'chainId' | 'ethereum' | 'fork'>,
  parts: Pick<TestGenesisOptions, 'accounts' | 'balance' | 'producerKey'>,
  keys: readonly Seed[],
  { point, base, remote }: Remote,
): Promise<Genesis> {
  const {
    hardfork,
    fork,
    ethereum: { keyBalance, blockGasLimit, codeSizeLimit } = DEFAULT_ETHEREUM,
  } = configuration;
  const chainId = Number(point.chainId);
  const network: Network =
    fork?.keepsChainId === false ? networkIn(configuration) : { name: 'fork', chainId, networkId: chainId };
  const addresses = keys.map(evmAddressOf);
  const preinstalls = preinstallsOf(network.chainId);
  const known = [...addresses, ...preinstalls.map(({ address }) => address)];
  await remote.fetch({
    entries: known.map((address) => ({ kind: 'account', address })),
    during: undefined,
  });
  const isFree = (address: Address): boolean => base.state(stateKey.account(address)) === undefined;
  const blobs = mainnetBlobSchedule(hardfork);
  const { number, hash, stateRoot, timestamp, baseFee = 0n, nextBaseFee = 0n } = point;
  const { excessBlobGas = 0n, blobGasUsed = 0n } = point;
  const excessAfter = blobs && excessBlobGasAfter({ excessBlobGas, blobGasUsed, baseFee }, blobs, hardfork);
  const ethereum: EthereumGenesis = {
    blockGasLimit: blockGasLimit === NO_BLOCK_GAS_LIMIT ? blockGasLimit : point.gasLimit,
    accounts: addresses.map((address) => ({ address, balance: keyBalance })),
    contracts: preinstalls.filter(({ address }) => isFree(address)),
    features: { fees: movingFees(nextBaseFee), blobs, hasStateTrie: false, codeSizeLimit },
    fork: { number, hash, stateRoot, excessBlobGas: excessAfter ?? 0n },
  };
  return createTestGenesis({ ...parts, network, hardfork, timestamp, ethereum });
}
