import { creationOf } from '../../client/contracts.ts';
import type { Hex } from '../../client/reading.ts';
import { AddressLink, HashLink } from '../../parts/links.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';

/** Names the creator of a contract, and links the transaction; nothing where it is unknown. */
export function CreatedBy({ address }: { readonly address: Hex }) {
  const loaded = useLoaded(`creation ${address}`, () => creationOf(address));
  if (loaded.state !== 'ready' || loaded.value === undefined) return null;
  const { creator, hash } = loaded.value;
  return (
    <span class="in-text">
      by <AddressLink address={creator} /> in <HashLink hash={hash} />
    </span>
  );
}
