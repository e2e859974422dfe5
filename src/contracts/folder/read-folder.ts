import { type Dirent, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readTextFile } from '../../files/bounded-file.ts';
import { messageOf } from '../../protocol/index.ts';
import {
  type Artifact,
  ArtifactError,
  artifactsOfCompilation,
  foundrySource,
  readArtifact,
} from '../artifacts/read-artifact.ts';
import type { ArtifactRegistry } from '../artifacts/registry.ts';
import type { SourceText } from '../artifacts/source-lines.ts';

/** Bytes of an artifact file (128 MiB); a larger one is skipped. */
const ARTIFACT_FILE_BYTES_MAX = 128 * 1024 * 1024;
/** Files that are read in a folder of artifacts. */
const ARTIFACT_FILES_MAX = 20_000;

/** Callback for skipped files. */
export type OnMalformed = (path: string, reason: string) => void;

/** Prefix of the sources of a project in Hardhat 3. */
const PROJECT_PREFIX = 'project/';
const JSON_END = '.json';
const DEBUG_END = '.dbg.json';
const OUTPUT_END = '.output.json';

interface ReadFile {
  readonly path: string;
  readonly json: object;
}

/**
 * Replaces the artifacts of a folder in the registry: Hardhat's with their build-info, or Foundry's `out`. Reports and
 * skips malformed files, and never throws: a missing folder has no artifacts.
 */
export function readFolder(folder: string, registry: ArtifactRegistry, onMalformed: OnMalformed): void {
  const steps = readFolderJob(folder, registry, onMalformed);
  while (steps.next().done !== true);
}

/** Reads a folder like `readFolder`, one file in each step. The last step changes the registry. */
export function* readFolderJob(
  folder: string,
  registry: ArtifactRegistry,
  onMalformed: OnMalformed,
): Generator<void, void> {
  const root = resolve(folder);
  const files: ReadFile[] = [];
  for (const path of jsonFiles(root, onMalformed)) {
    const json = readJson(path, onMalformed);
    if (json !== undefined) files.push({ path, json });
    yield;
  }
  const found: (readonly Artifact[])[] = [];
  const add = (path: string, read: () => readonly Artifact[]): void => {
    try {
      found.push(read());
    } catch (error) {
      if (!(error instanceof ArtifactError)) throw error;
      onMalformed(path, error.message);
    }
  };
  const sources = foundrySources(root, files);
  // Whole compilations come last, since they contain more than single artifacts and replace them.
  for (const { path, json } of files) {
    add(path, () => {
      const artifact = readArtifact(json, sources, basename(path, JSON_END));
      return artifact === undefined ? [] : [artifact];
    });
    yield;
  }
  const byPath = new Map(files.map(({ path, json }) => [path, json as Readonly<Record<string, unknown>>]));
  for (const [path, json] of byPath) {
    const input = json.input ?? byPath.get(`${path.slice(0, -OUTPUT_END.length)}${JSON_END}`)?.input;
    if (json.output === undefined || input === undefined) continue;
    add(path, () => artifactsOfCompilation(input, json.output, PROJECT_PREFIX));
    yield;
  }
  registry.removeOrigin(root);
  for (const artifacts of found) registry.add(root, artifacts);
}

/** Lists the JSON files in a folder and its subfolders, sorted. */
function jsonFiles(root: string, onMalformed: OnMalformed): string[] {
  const found: string[] = [];
  const folders = [root];
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let entries: Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      // A missing folder has no files. The watch detects when it is created.
      continue;
    }
    for (const entry of entries) {
      count += 1;
      if (count > ARTIFACT_FILES_MAX) {
        onMalformed(root, `more than ${ARTIFACT_FILES_MAX} files: the others are skipped`);
        return found.sort();
      }
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && entry.name.endsWith(JSON_END) && !entry.name.endsWith(DEBUG_END)) {
        found.push(path);
      }
    }
  }
  return found.sort();
}

function readJson(path: string, onMalformed: OnMalformed): object | undefined {
  try {
    const json: unknown = JSON.parse(textOf(path));
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch (error) {
    onMalformed(path, messageOf(error));
    return undefined;
  }
}

/** Reads a file of a project. @throws ArtifactError for one that is too large or not regular, and as the system */
function textOf(path: string): string {
  return readTextFile(path, ARTIFACT_FILE_BYTES_MAX, (reason) => new ArtifactError(reason));
}

/** Returns Foundry's sources by the compiler's numbers, which the artifacts contain. The project has their texts. */
function foundrySources(root: string, files: readonly ReadFile[]): ReadonlyMap<number, SourceText> {
  const project = dirname(root);
  const sources = new Map<number, SourceText>();
  for (const { json } of files) {
    const id = 'id' in json ? json.id : undefined;
    const path = foundrySource(json);
    if (typeof id === 'number' && path !== undefined)
      sources.set(id, { path, text: () => textIn(project, path) });
  }
  return sources;
}

/** Reads a source of a project; undefined for a missing file, and for one outside of the project. */
function textIn(project: string, path: string): string | undefined {
  const file = resolve(project, path);
  if (!file.startsWith(`${project}/`)) return undefined;
  try {
    return textOf(file);
  } catch {
    return undefined;
  }
}
