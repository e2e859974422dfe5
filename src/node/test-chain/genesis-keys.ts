import { FIRST_ACCOUNT_INSTANCE } from '../../consensus.ts';
import type { Genesis } from '../../ledger/index.ts';
import { accountId, bytesToHex, equalBytes, type Seed } from '../../protocol/index.ts';
import {
  deriveTestAccounts,
  evmAddressOf,
  type GenesisWalletAccount,
  mnemonicKeys,
  type TestAccount,
} from '../../wallet/index.ts';
import {
  DEFAULT_ETHEREUM,
  type TestEthereumConfiguration,
  type TestNodeConfiguration,
} from '../configuration.ts';

/** Accounts that test mode creates at genesis. */
export const TEST_ACCOUNTS_MAX = 1_000;

type KeyedAccount = TestAccount & GenesisWalletAccount;

/** The keys of a genesis that a node in test mode can derive. */
export interface GenesisKeys {
  readonly accounts: readonly KeyedAccount[];
  /** Private keys for Ethereum tools; none on a chain without Ethereum. */
  readonly keys: readonly Seed[];
  /** The source of these keys; undefined on a chain without Ethereum. */
  readonly ethereum: TestEthereumConfiguration | undefined;
}

/** Finds the accounts in the genesis of a test chain with keys that a node derives from its seed and mnemonic. */
export function genesisKeysOf(
  { seed, ethereum = DEFAULT_ETHEREUM }: Pick<TestNodeConfiguration, 'seed' | 'ethereum'>,
  genesis: Genesis,
): GenesisKeys {
  const keyOf = new Map(genesis.accounts.map(({ id, active }) => [id, active.keyAuths[0]?.[0]]));
  const count = Math.min(genesis.accounts.length - genesis.producers.length, TEST_ACCOUNTS_MAX);
  const accounts = numbered(deriveTestAccounts(seed, count)).filter(({ id, publicKey }) => {
    const key = keyOf.get(id);
    return key !== undefined && equalBytes(key, publicKey);
  });
  if (genesis.ethereum === undefined) return { accounts, keys: [], ethereum: undefined };
  const funded = new Set(genesis.ethereum.accounts.map(({ address }) => bytesToHex(address)));
  const most = Math.min(funded.size, TEST_ACCOUNTS_MAX);
  const keys = mnemonicKeys(ethereum.mnemonic, ethereum.derivationPath, most).filter((key) =>
    funded.has(bytesToHex(evmAddressOf(key))),
  );
  return { accounts, keys, ethereum };
}

/** Adds the identifiers to the first accounts of a chain in test mode. */
export function numbered(accounts: readonly TestAccount[]): KeyedAccount[] {
  return accounts.map((account, index) => ({ ...account, id: accountId(FIRST_ACCOUNT_INSTANCE + index) }));
}
