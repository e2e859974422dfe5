import { checksumAddress } from '../abi/index.ts';
import type { Hex } from '../client/reading.ts';
import { linkTo } from '../routing/route.ts';
import { shortened, shortHash } from '../text/identifiers.ts';
import { CopyButton } from './copy-button.tsx';
import { useIdentifiers } from './use-identifiers.ts';

/** A link to a block. */
export function BlockLink({ number }: { readonly number: number }) {
  return <a href={linkTo({ view: 'block', number })}>{number}</a>;
}

/** A link to an operation. */
export function HashLink({ hash, isWhole = false }: { readonly hash: Hex; readonly isWhole?: boolean }) {
  const text = isWhole ? hash : shortHash(hash);
  return (
    <a class="mono" href={linkTo({ view: 'transaction', hash, part: '' })} title={isWhole ? undefined : hash}>
      {text}
    </a>
  );
}

/** A link to an address: by its identifier where it has one. */
export function AddressLink({
  address,
  isWhole = false,
}: {
  readonly address: Hex;
  readonly isWhole?: boolean;
}) {
  const identifier = useIdentifiers([address])(address);
  const shown = checksumAddress(address);
  const text = identifier ?? (isWhole ? shown : shortened(shown, 6, 4));
  const to = linkTo({ view: 'address', text: identifier ?? address, part: '' });
  return (
    <a class="mono" href={to} title={shown}>
      {text}
    </a>
  );
}

/** Digits that lead nowhere, with a button that copies them. */
export function Digits({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span class="digits">
      <span class="mono">{text}</span>
      <CopyButton text={text} what={what} />
    </span>
  );
}
