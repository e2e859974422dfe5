import type { Origin } from '../client/origins.ts';
import { facts } from '../live/chain-state.ts';
import { grouped } from '../text/numbers.ts';
import { Badge } from './layout.tsx';
import { BlockLink } from './links.tsx';

/** The remote node of a fork, for texts. */
export function sourceOf({ source }: { readonly source: string | undefined }): string {
  return source ?? 'the remote chain';
}

/** Marks a value that a fork has from its remote chain; nothing for another one. */
export function OriginMark({ origin }: { readonly origin: Origin | undefined }) {
  const fork = facts.value?.fork;
  if (fork === undefined || origin === undefined || origin === 'local') return null;
  const of = `of ${sourceOf(fork)} at block ${grouped(fork.number)}`;
  const title = origin === 'remote' ? of : `partly ${of}, partly of this chain`;
  return (
    <span title={title}>
      {' '}
      <Badge tone="waiting">{origin === 'remote' ? 'remote' : 'partly remote'}</Badge>
      <span class="hidden"> {title}</span>
    </span>
  );
}

/** Says where a fork begins, and links its block. */
export function ForkNote() {
  const fork = facts.value?.fork;
  if (fork === undefined) return null;
  return (
    <p class="empty wrapped">
      The chain continues from block <BlockLink number={fork.number} /> of {sourceOf(fork)}; earlier blocks
      and operations are those of the remote chain.
    </p>
  );
}
