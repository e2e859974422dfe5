import { type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBoundedFile } from '../../files/bounded-file.ts';
import { publishChunks } from '../../files/durable-files.ts';
import { genesisNumberOf, type Ledger } from '../../ledger/index.ts';
import { hexToBytes, messageOf, utf8ToBytes } from '../../protocol/index.ts';
import type { ChainDumps } from '../../rpc/index.ts';
import type { Closers } from '../closers.ts';
import type { StateFiles } from '../configuration.ts';
import type { NodeEvents } from '../events.ts';
import { StateDumpError, StateFileError } from '../node-errors.ts';
import { chainDumpsOf, DUMP_INFLATED_BYTES_MAX, type DumpedChain } from './chain-dumps.ts';

/** Name of the file in a folder that is given instead of a file, as anvil has it. */
const FILE_IN_FOLDER = 'state.json';
const FILE_MODE = 0o644;
const HEX_TEXT = /^\s*"?0x([0-9a-fA-F]*)"?\s*$/;
const HEX_STARTS = ['0x', '"0x'];

/** The chain of a node in test mode, and its dumps. */
interface DumpableChain {
  readonly ledger: Ledger;
  readonly dumps: ChainDumps;
}

/**
 * Opens the dumps of a chain, and loads its state file.
 * @returns the dumps, and a function that begins to write the state file: a node that failed to start overwrites none
 * @throws StateFileError
 */
export async function openDumps(
  chain: Omit<DumpedChain, 'onBalanceCut'>,
  files: StateFiles | undefined,
  events: NodeEvents,
  closers: Closers,
) {
  const { ledger } = chain;
  const dumps = chainDumpsOf({
    ...chain,
    onBalanceCut: (address, asked, most) => events.onNotice?.({ kind: 'balanceCut', address, asked, most }),
  });
  if (files === undefined) return { dumps, beginDumps: () => undefined };
  await loadStateFile({ ledger, dumps }, files, events);
  return { dumps, beginDumps: dumpToStateFile({ ledger, dumps }, files, events, closers) };
}

/**
 * Loads the state file of a new chain, if one is configured. A stored chain with blocks continues instead.
 * @throws StateFileError; nothing is changed then
 */
async function loadStateFile(
  { ledger, dumps }: DumpableChain,
  { load, isLoadOptional }: StateFiles,
  events: NodeEvents,
): Promise<void> {
  if (load === undefined) return;
  const path = fileAt(load);
  if (isLoadOptional === true && !isThere(path)) return;
  const isNew =
    ledger.blocks.head().number === genesisNumberOf(ledger.parameters.genesis) &&
    ledger.chain.patchCount === 0;
  if (!isNew) return events.onNotice?.({ kind: 'stateNotLoaded', path });
  try {
    await dumps.load(dumpIn(path), () => undefined);
  } catch (cause) {
    throw cause instanceof StateFileError ? cause : wrong(path, messageOf(cause), cause);
  }
  events.onNotice?.({ kind: 'stateLoaded', path, number: ledger.blocks.head().number });
}

/**
 * Dumps the state of the chain to the configured file when the closers run, and at the configured interval until then.
 * @returns a function that begins this: a node that failed to start overwrites no file
 * @throws StateFileError for a file that cannot be written
 */
function dumpToStateFile(
  { ledger, dumps }: DumpableChain,
  { dump, dumpSeconds }: StateFiles,
  events: NodeEvents,
  closers: Closers,
): () => void {
  if (dump === undefined) return () => undefined;
  const path = fileAt(dump);
  if (!isThere(dirname(path))) throw wrong(path, `its folder ${dirname(path)} does not exist`);
  const write = async (): Promise<void> => {
    const bytes = ledger.parameters.knowsEthereum ? utf8ToBytes(await dumps.dumpState()) : await dumps.dump();
    await publishChunks(path, piecesOf(bytes), FILE_MODE);
  };
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const writeAtInterval = (): void => {
    last = write().catch((error) => events.onInternalFailure?.('state dump', error));
  };
  closers.add(async () => {
    if (!isRunning) return;
    clearInterval(timer);
    await last;
    try {
      await write();
    } catch (cause) {
      throw new StateDumpError(`the state file ${path}: the state was not dumped: ${messageOf(cause)}`, {
        cause,
      });
    }
    events.onNotice?.({ kind: 'stateDumped', path, number: ledger.blocks.head().number });
  });
  return () => {
    isRunning = true;
    if (dumpSeconds === undefined) return;
    timer = setInterval(writeAtInterval, dumpSeconds * 1_000);
    timer.unref();
  };
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function fileAt(path: string): string {
  return statsOf(path)?.isDirectory() === true ? join(path, FILE_IN_FOLDER) : path;
}

function isThere(path: string): boolean {
  return statsOf(path) !== undefined;
}

/** Returns undefined for a path without a file. @throws StateFileError if the system does not tell */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw wrong(path, messageOf(cause), cause);
  }
}

/** Reads a dump: its bytes, or those that the file has in hexadecimal. @throws StateFileError */
function dumpIn(path: string): Uint8Array {
  if (!isThere(path)) throw wrong(path, 'does not exist; --state takes a file that a later run begins with');
  const bytes = readBoundedFile(path, DUMP_INFLATED_BYTES_MAX, (...reason) => wrong(path, ...reason));
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  if (!HEX_STARTS.some((text) => start.startsWith(text))) return bytes;
  const [, digits] = HEX_TEXT.exec(new TextDecoder().decode(bytes)) ?? [];
  if (digits === undefined || digits.length % 2 !== 0) {
    throw wrong(path, 'expected 0x and pairs of hexadecimal digits, the result of anvil_dumpState');
  }
  return hexToBytes(digits);
}

function wrong(path: string, reason: string, cause?: unknown): StateFileError {
  return new StateFileError(`the state file ${path}: ${reason}`, { cause });
}
