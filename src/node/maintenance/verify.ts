import {
  ChainDamagedError,
  type ChainDifference,
  chainIdOf,
  compareChains,
  replayChain,
  type StateReport,
  verifyState,
} from '../../ledger/index.ts';
import { bytesToHex, equalBytes } from '../../protocol/index.ts';
import { openStore } from '../../store/index.ts';
import { closeAfter } from '../closers.ts';
import { readGenesisFile } from '../genesis-file.ts';
import { type JobControl, lockChainFolder, openStoredChain, type StoredChain } from '../stored-chain.ts';

/** Digits of a stored value in a message. */
const SHOWN_DIGITS = 64;

/**
 * Replays all blocks of a folder's chain into a scratch store, with every check of a foreign block, and compares both
 * stores except for pending transactions.
 *
 * @throws ChainDamagedError with the first difference, DataFolderError also for a folder in use, StoreError,
 *   GenesisFileError, and the signal's reason once it is aborted
 */
export function verifyChain(dataDir: string, job: JobControl) {
  return closeAfter(async (closers) => {
    await lockChainFolder(dataDir, closers);
    const chain = openStoredChain(dataDir, closers);
    const { store: source, head } = chain;
    checkGenesisFile(chain);
    const undoBlocks = head + 1 - (source.undoStart() ?? head + 1);
    const target = openStore({ durable: false, history: source.history, undoBlocks });
    closers.add(() => target.close());
    const { stop } = job;
    const onBlock = (number: number): void => job.onProgress('blocks', number, head);
    await replayChain({ source, target, base: chain.fork?.base, lastBlock: head, stop, onBlock });
    let entries = 0;
    const onProgress = (compared: number): void => {
      entries = compared;
      job.onProgress('entries', compared, undefined);
    };
    const difference = await compareChains(source, target, { stop, onProgress });
    if (difference !== undefined) throw new ChainDamagedError(describe(difference));
    return { head, entries };
  });
}

/** Checks the newest state of a folder's chain by a scan, and its head block. Throws the errors of `verifyChain`. */
export function verifyNewestState(dataDir: string, job: JobControl): Promise<StateReport> {
  return closeAfter(async (closers) => {
    await lockChainFolder(dataDir, closers);
    const chain = openStoredChain(dataDir, closers);
    checkGenesisFile(chain);
    return await checkState(chain, job);
  });
}

/** Checks the newest state of a chain. @throws ChainDamagedError, and the signal's reason once it is aborted */
export function checkState(
  { store, fork }: Pick<StoredChain, 'store' | 'fork'>,
  { stop, onProgress }: JobControl,
): Promise<StateReport> {
  return verifyState(store, {
    base: fork?.base,
    stop,
    onProgress: (entries) => onProgress('entries', entries, undefined),
  });
}

function checkGenesisFile({ folder, kind, genesis }: StoredChain): void {
  if (kind === 'test') return;
  if (equalBytes(chainIdOf(readGenesisFile(folder.genesis)), chainIdOf(genesis))) return;
  throw new ChainDamagedError(`${folder.genesis} is not the genesis of the chain`);
}

function describe({ table, key, left, right }: ChainDifference): string {
  return `the table ${table} has ${shown(left)} under ${shown(key)}, but its blocks result in ${shown(right)}`;
}

function shown(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return 'nothing';
  const digits = bytesToHex(bytes);
  const cut =
    digits.length > SHOWN_DIGITS ? `${digits.slice(0, SHOWN_DIGITS)}… (${bytes.length} bytes)` : digits;
  return `0x${cut}`;
}
