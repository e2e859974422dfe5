import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { messageOf } from '../../protocol/index.ts';
import type { ArtifactRegistry } from '../artifacts/registry.ts';
import { folderSteps, type OnMalformed, readFolder } from './read-folder.ts';

/** Milliseconds of quiet after which a folder of artifacts that has changed is read again. */
const ARTIFACTS_QUIET_MS = 100;

/**
 * Reads a folder of artifacts, and again after each change once the folder is quiet, then a file at a time without
 * blocking. Waits for a missing folder if the one above it exists. Returns the function that ends the watch.
 */
export function watchFolder(
  folder: string,
  registry: ArtifactRegistry,
  onMalformed: OnMalformed,
): () => void {
  const root = resolve(folder);
  let inner: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reason: string | undefined;
  const watched = (path: string, isDeep: boolean, onChange: (name: string | null) => void) => {
    try {
      const watcher = watch(path, { recursive: isDeep, persistent: false }, (_event, name) => onChange(name));
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch (error) {
      reason = messageOf(error);
      return undefined;
    }
  };
  let step: NodeJS.Immediate | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(readAgain, ARTIFACTS_QUIET_MS).unref();
  };
  const watchAnew = (): void => {
    // A folder that was made anew is another one, which the former watch knows nothing of.
    inner?.close();
    inner = watched(root, true, soon);
  };
  const readAgain = (): void => {
    watchAnew();
    clearImmediate(step);
    const steps = folderSteps(root, registry, onMalformed);
    const goOn = (): void => {
      if (steps.next().done !== true) step = setImmediate(goOn).unref();
    };
    goOn();
  };
  const outer = watched(dirname(root), false, (name) => {
    if (name === null || name === basename(root)) soon();
  });
  watchAnew();
  readFolder(root, registry, onMalformed);
  if (inner === undefined && outer === undefined) onMalformed(root, `it cannot be watched: ${reason}`);
  return () => {
    clearTimeout(timer);
    clearImmediate(step);
    inner?.close();
    outer?.close();
  };
}
