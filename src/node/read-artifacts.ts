import { ArtifactRegistry, watchFolder } from '../contracts/index.ts';
import type { Closers } from './closers.ts';
import type { TestNodeConfiguration } from './configuration.ts';
import type { NodeEvents } from './events.ts';

/** Reads the folders of artifacts that a node is started with, and whatever changes in them. */
export function readArtifacts(
  { artifacts }: TestNodeConfiguration,
  events: NodeEvents,
  closers: Closers,
): ArtifactRegistry {
  const registry = new ArtifactRegistry();
  for (const folder of artifacts) {
    const close = watchFolder(folder, registry, (path, reason) =>
      events.onNotice?.({ kind: 'artifactPassedOver', path, reason }),
    );
    closers.add(close);
  }
  return registry;
}
