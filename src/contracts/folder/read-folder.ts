import { type Dirent, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { messageOf } from '../../protocol/index.ts';
import type { Artifact } from '../artifacts/artifact.ts';
import { readCompilation } from '../artifacts/compilation.ts';
import { type JsonValue, runToEnd } from '../artifacts/json-parts.ts';
import type { ArtifactRegistry } from '../artifacts/registry.ts';
import { readJsonFile } from './json-file.ts';
import { FILE_PARTS, readArtifact, type SourceNumbers } from './read-artifact.ts';

/** Files that are read in a folder of artifacts. */
const ARTIFACT_FILES_MAX = 20_000;

/** Callback for skipped files. */
export type OnMalformed = (path: string, reason: string) => void;

const JSON_END = '.json';
const DEBUG_END = '.dbg.json';
const OUTPUT_END = '.output.json';

/**
 * Replaces the artifacts of a folder in the registry: Hardhat's with their build-info, or Foundry's `out`. Reports and
 * skips malformed files, and never throws: a missing folder has no artifacts.
 */
export function readFolder(folder: string, registry: ArtifactRegistry, onMalformed: OnMalformed): void {
  runToEnd(readFolderJob(folder, registry, onMalformed));
}

/** Reads a folder like `readFolder`, in steps of a few milliseconds. The last step changes the registry. */
export function* readFolderJob(
  folder: string,
  registry: ArtifactRegistry,
  onMalformed: OnMalformed,
): Generator<void, void> {
  const root = resolve(folder);
  const single: Artifact[] = [];
  const compiled: Artifact[] = [];
  const compilations: SourceNumbers[] = [];
  /** Hardhat 3 writes the input of a compiler beside the output. */
  const inputs = new Map<string, JsonValue>();
  const project = { root: dirname(root), compilations };
  for (const path of jsonFiles(root, onMalformed)) {
    const use = function* (json: JsonValue): Generator<void, void> {
      if (json.at('input') !== undefined) inputs.set(path, json);
      const numbers = json.at('source_id_to_path')?.value();
      if (typeof numbers === 'object' && numbers !== null) compilations.push(numbers as SourceNumbers);
      if (json.at('output') !== undefined) {
        const other = inputs.get(`${path.slice(0, -OUTPUT_END.length)}${JSON_END}`);
        compiled.push(...(yield* readCompilation(json, inputs.get(path) ?? other)));
      } else {
        const artifact = readArtifact(json, project, basename(path, JSON_END));
        if (artifact !== undefined) single.push(artifact);
      }
    };
    try {
      yield* readJsonFile(path, FILE_PARTS, use);
    } catch (error) {
      onMalformed(path, messageOf(error));
    }
    yield;
  }
  registry.removeOrigin(root);
  // Whole compilations come last, since they contain more than single artifacts and replace them.
  registry.add(root, [...single, ...compiled]);
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
