import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { messageOf } from '../../protocol/index.ts';
import type { ArtifactRegistry } from '../artifacts/registry.ts';
import { type OnMalformed, readFolder, readFolderJob } from './read-folder.ts';

/** Milliseconds without a change after which a changed folder is read again. */
const ARTIFACTS_QUIET_MS = 100;

/**
 * Reads a folder of artifacts, and again after each change, then without blocking. Waits for a missing folder if its
 * parent exists. Returns a function that stops the watch.
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
  let steps: ReturnType<typeof readFolderJob> | undefined;
  const stopReading = (): void => {
    clearImmediate(step);
    // Closes the file that is read.
    steps?.return();
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(readAgain, ARTIFACTS_QUIET_MS).unref();
  };
  const restartWatch = (): void => {
    // The watch of a deleted folder does not report the new folder of that name.
    inner?.close();
    inner = watched(root, true, soon);
  };
  const readAgain = (): void => {
    restartWatch();
    stopReading();
    const reading = readFolderJob(root, registry, onMalformed);
    steps = reading;
    const readNext = (): void => {
      if (reading.next().done !== true) step = setImmediate(readNext).unref();
    };
    readNext();
  };
  const outer = watched(dirname(root), false, (name) => {
    if (name === null || name === basename(root)) soon();
  });
  restartWatch();
  readFolder(root, registry, onMalformed);
  if (inner === undefined && outer === undefined) onMalformed(root, `it cannot be watched: ${reason}`);
  return () => {
    clearTimeout(timer);
    stopReading();
    inner?.close();
    outer?.close();
  };
}
