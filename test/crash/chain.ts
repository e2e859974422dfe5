import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainIdOf, parseGenesis } from '../../src/ledger/index.ts';
import {
  accountAddress,
  createKeyPair,
  formatPublicKey,
  type Hash,
  toPrefixedHex,
  toSeed,
} from '../../src/protocol/index.ts';
import { NodeProcess } from '../node-process.ts';
import { ChainModel } from './chain-model.ts';
import { CrashFinding } from './finding.ts';
import type { Signer } from './transactions.ts';

/** A data folder in which a node can be started, and what its clients begin with. */
export interface CrashChain {
  readonly folder: string;
  /** The native chain id. */
  readonly chainId: Hash;
  /** One for each client. */
  readonly signers: readonly Signer[];
  /** A model that knows the genesis alone. */
  newModel(): ChainModel;
}

/** Clients that are at work at the same time. */
const CLIENTS = 4;
/** Units that each of them begins with. */
const BALANCE = 10n ** 15n;

/** Has `ledgerd init` make a folder with an account for each client; the seed determines their keys. */
export async function makeChain(folder: string, seed: number): Promise<CrashChain> {
  const clients = Array.from({ length: CLIENTS }, (_, index) => ({
    name: `client-${index}`,
    keys: createKeyPair(toSeed(createHash('sha256').update(`crash ${seed} ${index}`).digest())),
  }));
  const accounts = clients.flatMap(({ name, keys }) => [
    '--account',
    `${name}=${formatPublicKey(keys.publicKey)}:${BALANCE}`,
  ]);
  const initialization = new NodeProcess(['init', '--data-dir', folder, ...accounts]);
  const { status } = await initialization.ended();
  if (status !== 0) throw new CrashFinding(`init ends with status ${status}\n${initialization.output}`);
  const genesis = parseGenesis(readFileSync(join(folder, 'genesis.json'), 'utf8'));
  const balances = genesis.accounts.map(
    ({ id, balance }) => [toPrefixedHex(accountAddress(id)), balance] as const,
  );
  const signers = clients.map(({ name, keys }) => {
    const account = genesis.accounts.find((candidate) => candidate.name === name);
    if (account === undefined) throw new CrashFinding(`init made no account ${name}`);
    return { id: account.id, keys };
  });
  return { folder, chainId: chainIdOf(genesis), signers, newModel: () => new ChainModel(balances) };
}
