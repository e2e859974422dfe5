import { genesisCodec, genesisNumberOf, serializedBlock } from '../../ledger/index.ts';
import { encode, equalBytes } from '../../protocol/index.ts';
import type { StoreReader } from '../../store/index.ts';
import { inSlices } from '../../time/job.ts';
import { closeAfter } from '../closers.ts';
import { type JobControl, openStoredChain, type StoredChain } from '../stored-chain.ts';
import {
  type ArchiveExtent,
  type ArchiveSink,
  ArchiveWriter,
  measureArchive,
  openArchiveFile,
} from './archive-writer.ts';
import { ArchiveError, encodeHeader } from './format.ts';

/** The blocks of a folder's chain for an archive, and its target. */
export interface ExportOptions {
  readonly dataDir: string;
  /** First block; undefined: the one after the genesis, or the first block of a continued archive. */
  readonly from: number | undefined;
  /** Last block; undefined for the head. */
  readonly to: number | undefined;
  /** A new file, a file to continue if it exists, or another sink. */
  readonly target: { readonly file: string; readonly resume: boolean } | ArchiveSink;
}

/** The outcome of an export: `last` is `first - 1` for an archive without blocks. */
export type ExportReport = Awaited<ReturnType<typeof exportBlocks>>;

/**
 * Writes blocks of a chain into an archive, also while a node runs, but none that are added meanwhile.
 * @throws ArchiveError, DataFolderError, StoreError, and the sink's errors
 */
export function exportBlocks(options: ExportOptions, job: JobControl) {
  return closeAfter(async (closers) => {
    const chain = openStoredChain(options.dataDir, closers);
    if (chain.fork !== undefined) {
      throw missing(
        'the chain is a fork of a remote chain, whose state an archive does not have: use ledgerd backup',
      );
    }
    const reorgCount = chain.store.reorgCount();
    const to = options.to ?? chain.head;
    if (to > chain.head) throw missing(`the chain has blocks up to ${chain.head} only, not to ${to}`);
    const beginning = await begin(options, chain, to);
    const { file, first, sink } = beginning;
    if (file !== undefined) closers.add(() => file.close());
    const writer = new ArchiveWriter(sink, first, beginning.next, beginning.patches);
    const interrupted = !(await inSlices(writeBlocks({ store: chain.store, reorgCount }, writer, to, job)));
    // An interrupted archive has no end mark.
    await (interrupted ? writer.flush() : writer.end());
    const last = writer.next - 1;
    return { first, last, written: writer.next - beginning.next, fileBytes: file?.length(), interrupted };
  });
}

/**
 * Writes the next blocks of a store and the patches after each of them, in steps.
 * @returns true if the block `to` was written, false if the job was stopped
 * @throws ArchiveError MISSING_BLOCKS, and OTHER_CHAIN if blocks were reverted since `reorgCount`
 */
export async function* writeBlocks(
  { store, reorgCount }: { readonly store: StoreReader; readonly reorgCount: number },
  writer: ArchiveWriter,
  to: number,
  job: JobControl,
): AsyncGenerator<void, boolean> {
  const began = writer.next;
  const total = to - writer.next + 1;
  while (!job.stop.aborted) {
    // Also the patches before the first block, which does not follow without them.
    await writer.addPatches(store);
    if (store.reorgCount() !== reorgCount) throw reorgMeanwhile();
    if (writer.next > to) return true;
    const block = blockOf(store, writer.next);
    if (store.reorgCount() !== reorgCount) throw reorgMeanwhile();
    await writer.add(block);
    job.onProgress('blocks', writer.next - began, total);
    yield;
  }
  return false;
}

/** Opens the target and writes the header. Returns the position at which writing begins. */
async function begin(options: ExportOptions, { kind, genesis, store }: StoredChain, to: number) {
  const { target } = options;
  const header = encodeHeader({ chain: kind, genesis: encode(genesisCodec, genesis) });
  const extent = 'file' in target && target.resume ? await measureArchive(target.file, header) : undefined;
  const { last, patches: found } = extent ?? {};
  const begun = extent?.first ?? (found === undefined ? undefined : found.block + 1);
  const first = begun ?? options.from ?? genesisNumberOf(genesis) + 1;
  const next = last === undefined ? first : last.number + 1;
  const patches = found?.records.length ?? 0;
  if (extent !== undefined) checkContinuation(extent, options, store, to);
  if (first > to + 1) throw missing(`there are blocks up to ${to} only, not ${first}`);
  if (!('file' in target)) {
    await target.write(header);
    return { sink: target, file: undefined, first, next, patches };
  }
  const file = await openArchiveFile(target.file, extent?.bytes);
  if (file.length() === 0) await file.write(header);
  return { sink: file, file, first, next, patches };
}

/** Rejects a file that cannot become the requested archive. */
function checkContinuation(
  { first, last, patches }: ArchiveExtent,
  { from }: ExportOptions,
  store: StoreReader,
  to: number,
): void {
  if (first !== undefined && from !== undefined && first !== from) {
    throw missing(`the archive begins with block ${first}, not with ${from}`);
  }
  if (patches !== undefined) checkPatches(patches, store);
  if (last === undefined) return;
  if (last.number > to) throw missing(`the archive has blocks up to ${last.number}, beyond ${to}`);
  if (!equalBytes(blockOf(store, last.number), last.block)) {
    throw new ArchiveError('OTHER_CHAIN', `block ${last.number} of the archive is not that of the chain`);
  }
}

function checkPatches({ block, records }: NonNullable<ArchiveExtent['patches']>, store: StoreReader): void {
  const stored = [...store.patchesAfter(block)];
  for (const [index, record] of records.entries()) {
    const own = stored[index];
    if (own !== undefined && equalBytes(own, record)) continue;
    throw new ArchiveError(
      'OTHER_CHAIN',
      `patch ${index + 1} after block ${block} of the archive is not that of the chain`,
    );
  }
}

function blockOf(store: StoreReader, number: number): Uint8Array {
  const block = serializedBlock(store, number);
  if (block === undefined) throw missing(`block ${number} is missing in the store`);
  return block;
}

function reorgMeanwhile(): ArchiveError {
  const message = 'blocks were reverted during the export: export again, into a new file';
  return new ArchiveError('OTHER_CHAIN', message);
}

function missing(message: string): ArchiveError {
  return new ArchiveError('MISSING_BLOCKS', message);
}
