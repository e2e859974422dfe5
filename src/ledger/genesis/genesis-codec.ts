import { HARDFORKS, type Hardfork } from '../../evm/index.ts';
import type { Codec, Hash } from '../../protocol/index.ts';
import {
  accountIdCodec,
  accountOptionsCodec,
  addressCodec,
  atEnd,
  authorityCodec,
  bool,
  encode,
  equalBytes,
  FormatError,
  hashCodec,
  mapped,
  optional,
  publicKeyCodec,
  sha256,
  string,
  struct,
  time,
  uint32,
  uint64,
  variableBytes,
  varint,
  vector,
} from '../../protocol/index.ts';
import { featuresCodec } from '../chain/ethereum-features.ts';
import type { ForkOrigin } from '../chain/fork-origin.ts';
import type { EthereumGenesis, Genesis, GenesisAccount, Network } from './genesis.ts';

const MILLISECONDS = 1_000;

/** A hardfork, stored as its name. @throws FormatError for a name that is not in `HARDFORKS` */
export const hardforkCodec: Codec<Hardfork> = mapped(
  string,
  (name) => {
    const hardfork = HARDFORKS.find((known) => known === name);
    if (hardfork === undefined) throw new FormatError('', 'unknown hardfork');
    return hardfork;
  },
  (hardfork) => hardfork,
);

/** Seconds, stored as whole milliseconds. */
const intervalCodec: Codec<number> = mapped(
  uint32,
  (milliseconds) => milliseconds / MILLISECONDS,
  (seconds) => Math.round(seconds * MILLISECONDS),
);

const networkCodec: Codec<Network> = struct<Network>('network', {
  name: string,
  chainId: varint,
  networkId: varint,
});

const reservedCodec: Codec<Genesis['reserved']> = struct<Genesis['reserved']>('reserved', {
  accounts: varint,
  contracts: varint,
});

const genesisAccountCodec: Codec<GenesisAccount> = struct<GenesisAccount>('genesis_account', {
  id: accountIdCodec,
  name: string,
  active: authorityCodec,
  echorandKey: publicKeyCodec,
  balance: uint64,
  evmAddress: optional(addressCodec),
  options: accountOptionsCodec,
});

/** The Ethereum part of a genesis, at the end, so that the bytes of other chains are unchanged. */
const ethereumCodec: Codec<EthereumGenesis> = struct<EthereumGenesis>('ethereum', {
  blockGasLimit: uint64,
  accounts: vector(
    struct<EthereumGenesis['accounts'][number]>('ethereum_account', {
      address: addressCodec,
      balance: uint64,
    }),
  ),
  contracts: vector(
    struct<EthereumGenesis['contracts'][number]>('contract', { address: addressCodec, code: variableBytes }),
  ),
  features: featuresCodec,
  fork: atEnd(
    struct<ForkOrigin>('fork', {
      number: uint32,
      hash: hashCodec,
      stateRoot: hashCodec,
      excessBlobGas: uint64,
      isWhole: atEnd(bool),
    }),
  ),
});

const chainFields = {
  network: networkCodec,
  hardfork: hardforkCodec,
  accounts: vector(genesisAccountCodec),
  producers: vector(accountIdCodec),
  registrar: accountIdCodec,
  reserved: reservedCodec,
  blockInterval: intervalCodec,
};

const chainCodec: Codec<Omit<Genesis, 'timestamp'>> = struct<Omit<Genesis, 'timestamp'>>('genesis', {
  ...chainFields,
  ethereum: atEnd(ethereumCodec),
});

/** The genesis as it is stored with block 0. */
export const genesisCodec: Codec<Genesis> = struct<Genesis>('genesis', {
  ...chainFields,
  timestamp: time,
  ethereum: atEnd(ethereumCodec),
});

/**
 * Computes the native chain id, which every signature covers: SHA-256 of the serialized genesis without its time, so
 * that a test chain has the same id on every start. A transaction for an earlier run is still rejected, since its
 * reference block is not on the new chain.
 */
export function chainIdOf(genesis: Genesis): Hash {
  let id = chainIds.get(genesis);
  if (id === undefined) {
    id = sha256(encode(chainCodec, genesis));
    chainIds.set(genesis, id);
  }
  return id;
}

/** The ids of chains by their genesis, which never changes. */
const chainIds = new WeakMap<Genesis, Hash>();

/** Returns true if two genesis are equal, their times included. */
export function isSameGenesis(one: Genesis, other: Genesis): boolean {
  return one === other || equalBytes(encode(genesisCodec, one), encode(genesisCodec, other));
}
