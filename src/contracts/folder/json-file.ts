import { closeSync, readSync, type Stats } from 'node:fs';
import { openBoundedFile, readTextFile } from '../../files/bounded-file.ts';
import { ArtifactError, findParts, type JsonPart, JsonValue, type Wanted } from '../artifacts/json-parts.ts';

/** Bytes of an artifact file (128 MiB); a larger one is skipped. */
const ARTIFACT_FILE_BYTES_MAX = 128 * 1024 * 1024;
/** Bytes that are read in one step. */
const STEP_BYTES = 1024 * 1024;

const refused = (reason: string): ArtifactError => new ArtifactError(reason);

/** Reads a file of a project. @throws ArtifactError for one that is too large, not regular or unreadable */
export function readProjectFile(path: string): string {
  return readTextFile(path, ARTIFACT_FILE_BYTES_MAX, refused);
}

/**
 * Reads a file in steps, and uses its parts. Later their bytes are no longer in memory: they are read from the file
 * again, if it has not changed.
 *
 * @throws ArtifactError for a file that cannot be read, and for one without an object
 */
export function* readJsonFile<T>(
  path: string,
  wanted: Wanted,
  use: (json: JsonValue) => Generator<void, T>,
): Generator<void, T> {
  let bytes: Buffer | undefined;
  const { file, stats } = openBoundedFile(path, ARTIFACT_FILE_BYTES_MAX, refused);
  try {
    bytes = Buffer.allocUnsafeSlow(stats.size);
    for (let length = 0; length < stats.size; yield) {
      const read = readSync(file, bytes, length, Math.min(STEP_BYTES, stats.size - length), length);
      if (read === 0) throw refused('it became shorter while it was read');
      length += read;
    }
    const root = yield* findParts(bytes, wanted);
    if (root.members === undefined) throw refused('it is not a JSON object');
    const read = (part: JsonPart): string | undefined =>
      bytes?.toString('utf8', part.start, part.end) ?? readAgain(path, part, stats);
    return yield* use(new JsonValue(read, root));
  } finally {
    bytes = undefined;
    closeSync(file);
  }
}

/** Reads a part of a file; undefined if it is not the same file as before. */
function readAgain(path: string, { start, end }: JsonPart, before: Stats): string | undefined {
  try {
    const { file, stats } = openBoundedFile(path, ARTIFACT_FILE_BYTES_MAX, refused);
    try {
      const isSame = (['ino', 'size', 'mtimeMs'] as const).every((name) => stats[name] === before[name]);
      const bytes = Buffer.allocUnsafeSlow(end - start);
      return isSame && readSync(file, bytes, 0, bytes.length, start) === bytes.length
        ? bytes.toString('utf8')
        : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
