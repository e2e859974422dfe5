import type { Genesis } from '../../ledger/index.ts';
import type { DataFolder } from '../data-folder.ts';
import { KeyFileError } from '../errors.ts';
import { readKeyFolder, type StoredKey } from './key-folder.ts';

/** The keys of a node by what it does with them. */
export interface HeldKeys {
  /** Keys of producers of the genesis, which sign blocks. */
  readonly producers: readonly StoredKey[];
  /** Keys of the registrar, which sign registrations. */
  readonly registrars: readonly StoredKey[];
  /** Keys that the node has no use for and does not keep. */
  readonly unused: readonly Omit<StoredKey, 'keys'>[];
}

/**
 * Loads the keys that a node needs on its chain. Without a folder of keys it needs none.
 * @throws KeyFileError
 */
export function loadKeys(folder: DataFolder, named: string | undefined, genesis: Genesis): HeldKeys {
  const stored = readKeyFolder(named ?? folder.keys);
  if (stored === undefined && named !== undefined) {
    throw new KeyFileError(`there is no folder of keys at ${named}`);
  }
  const keys = stored ?? [];
  const produces = ({ account }: StoredKey): boolean => genesis.producers.includes(account);
  const registers = ({ account }: StoredKey): boolean => account === genesis.registrar;
  return {
    producers: keys.filter(produces),
    registrars: keys.filter(registers),
    unused: keys
      .filter((key) => !produces(key) && !registers(key))
      .map(({ account, name, path }) => ({ account, name, path })),
  };
}
