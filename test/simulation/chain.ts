import { FIRST_ACCOUNT_INSTANCE, WEI_PER_UNIT } from '../../src/consensus.ts';
import { createTestGenesis, type Genesis, Ledger, NO_FEATURES, networkOf } from '../../src/ledger/index.ts';
import {
  type AccountId,
  type Address,
  accountId,
  type BlockId,
  createKeyPair,
  type KeyPair,
  sha256,
  toSeed,
} from '../../src/protocol/index.ts';
import { openStore } from '../../src/store/index.ts';
import { evmAddressOf } from '../../src/wallet/index.ts';

/** Unix time of the genesis in seconds, which is when a simulation begins. */
export const GENESIS_TIME = 1_790_000_000;

/** Seconds from one block to the next. */
export const INTERVAL_SECONDS = 1;

/** Units of the core asset that each account begins with: so few that some transfers cannot be paid for. */
const BALANCE = 20_000n;

export const ACCOUNTS = 4;
/** Units that each key of Ethereum's begins with: enough for some transfers. */
const ETHEREUM_BALANCE = 2_000_000n;
const ETHEREUM_ACCOUNTS = 3;
/** Gas of a block on a chain that knows Ethereum. */
const BLOCK_GAS_LIMIT = 30_000_000n;
const PRODUCERS_MAX = 5;

const keyOf = (name: string): KeyPair => createKeyPair(toSeed(sha256(Buffer.from(name))));

/** The keys of the senders of transactions. */
export const ACCOUNT_KEYS: readonly KeyPair[] = Array.from({ length: ACCOUNTS }, (_, index) =>
  keyOf(`account ${index}`),
);

/** The keys of the producers. */
export const PRODUCER_KEYS: readonly KeyPair[] = Array.from({ length: PRODUCERS_MAX }, (_, index) =>
  keyOf(`producer ${index}`),
);

/** Returns a funded account by index. */
export function accountAt(index: number): AccountId {
  return accountId(FIRST_ACCOUNT_INSTANCE + index);
}

/** A sender of Ethereum transactions. */
export interface EthereumSender {
  readonly key: Uint8Array;
  readonly address: Address;
}

export const ETHEREUM_SENDERS: readonly EthereumSender[] = Array.from(
  { length: ETHEREUM_ACCOUNTS },
  (_, index) => {
    const key = toSeed(sha256(Buffer.from(`ethereum ${index}`)));
    return { key, address: evmAddressOf(key) };
  },
);

/** Makes the genesis of a chain with a number of producers. */
export function genesisWith(producers: number, knowsEthereum: boolean): Genesis {
  const keys = [...ACCOUNT_KEYS, ...PRODUCER_KEYS.slice(0, producers)];
  const genesis = createTestGenesis({
    network: networkOf('default'),
    hardfork: 'osaka',
    accounts: keys.map(({ publicKey }) => ({ publicKey, evmAddress: undefined })),
    balance: BALANCE,
    producerKey: keyOf('registrar').publicKey,
    timestamp: GENESIS_TIME,
  });
  return {
    ...genesis,
    producers: Array.from({ length: producers }, (_, index) => accountAt(ACCOUNTS + index)),
    blockInterval: INTERVAL_SECONDS,
    ...(knowsEthereum
      ? {
          ethereum: {
            blockGasLimit: BLOCK_GAS_LIMIT,
            accounts: ETHEREUM_SENDERS.map(({ address }) => ({ address, balance: ETHEREUM_BALANCE })),
            contracts: [],
            features: { ...NO_FEATURES, fees: { type: 'fixed', price: WEI_PER_UNIT } },
          },
        }
      : {}),
  };
}

const idsOfGenesis = new Map<string, Promise<BlockId>>();

/** The id of block 0 of a chain that `genesisWith` begins. */
export function idOfGenesis(genesis: Genesis): Promise<BlockId> {
  const name = `${genesis.producers.length} ${genesis.ethereum !== undefined}`;
  const known = idsOfGenesis.get(name) ?? findIdOfGenesis(genesis);
  idsOfGenesis.set(name, known);
  return known;
}

async function findIdOfGenesis(genesis: Genesis): Promise<BlockId> {
  const store = openStore({ durable: false });
  try {
    const ledger = await Ledger.open({
      ...{ store, genesis, clock: { now: () => GENESIS_TIME } },
      ...{ keys: [], mining: 'none' },
    });
    return ledger.blocks.head().id;
  } finally {
    await store.close();
  }
}
