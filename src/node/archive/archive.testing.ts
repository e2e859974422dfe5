import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { JobControl } from '../stored-chain.ts';
import { ByteSource, readHeader, readItems } from './archive-reader.ts';
import { type ExportOptions, exportBlocks } from './export.ts';
import { type ArchiveHeader, encodeChunk, encodeEnd, encodeHeader } from './format.ts';
import { type ImportOptions, importBlocks } from './import.ts';

/** An archive as it is read: its header and its blocks by number. */
export interface ReadArchive {
  readonly header: ArchiveHeader;
  readonly blocks: ReadonlyMap<number, Uint8Array>;
}

/** A whole archive of these chunks, the first block of which has the number `first`. */
export async function archiveOf(
  header: ArchiveHeader,
  first: number,
  chunks: readonly (readonly Uint8Array[])[],
): Promise<Uint8Array> {
  const parts = [encodeHeader(header)];
  let next = first;
  for (const blocks of chunks) {
    parts.push(await encodeChunk(next, blocks));
    next += blocks.length;
  }
  return Buffer.concat([...parts, encodeEnd(next === first ? 0 : first, next - first)]);
}

/** A stream of bytes in parts of a size. */
export function streamOf(bytes: Uint8Array, partBytes = bytes.length): Readable {
  const parts = function* () {
    for (let offset = 0; offset < bytes.length; offset += partBytes) {
      yield bytes.subarray(offset, offset + partBytes);
    }
  };
  return Readable.from(parts(), { objectMode: false });
}

/** Reads an archive to its end; `seen` gets every block before any later error. */
export async function readArchive(
  stream: Readable,
  seen = new Map<number, Uint8Array>(),
): Promise<ReadArchive> {
  const source = new ByteSource(stream);
  const { chain, genesis } = await readHeader(source);
  for await (const item of readItems(source)) if (item.kind === 'block') seen.set(item.number, item.bytes);
  return { header: { chain, genesis }, blocks: seen };
}

/** Changes to an export of a whole chain into a new file. */
export type ExportChanges = Partial<ExportOptions> & { readonly resume?: boolean };

/** Exports the chain of a folder into a file. */
export function exportTo(
  file: string,
  { resume = false, ...options }: ExportChanges & Pick<ExportOptions, 'dataDir'>,
  job: JobControl,
): ReturnType<typeof exportBlocks> {
  return exportBlocks({ from: undefined, to: undefined, target: { file, resume }, ...options }, job);
}

/** Imports a file into a folder: all of it, but for what the options say. */
export function importFrom(
  file: string,
  options: Partial<ImportOptions> & Pick<ImportOptions, 'dataDir'>,
  job: JobControl,
): ReturnType<typeof importBlocks> {
  const source = createReadStream(file);
  return importBlocks({ source, last: undefined, to: undefined, history: undefined, ...options }, job);
}
