import { type ArtifactRegistry, watchFolder } from '../contracts/index.ts';
import type { Closers } from './closers.ts';
import type { ServiceConfiguration } from './configuration.ts';
import type { NodeEvents } from './events.ts';

/** Reads the folders of artifacts that a node is started with, and whatever changes in them. */
export function readArtifacts(
  { artifacts }: ServiceConfiguration,
  registry: ArtifactRegistry,
  events: NodeEvents,
  closers: Closers,
): void {
  for (const folder of artifacts) {
    const close = watchFolder(folder, registry, (path, reason) =>
      events.onNotice?.({ kind: 'artifactPassedOver', path, reason }),
    );
    closers.add(close);
  }
}
