import { checksumAddress, showName } from '../abi/index.ts';
import type { Hex } from '../client/reading.ts';
import { useContracts } from '../contracts/known-contracts.ts';
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

/** A link to an address: by the name of a known contract, or by its identifier where it has one. */
export function AddressLink({
  address,
  isWhole = false,
}: {
  readonly address: Hex;
  /** True to show all digits, and the name beside them. */
  readonly isWhole?: boolean;
}) {
  const identifier = useIdentifiers([address])(address);
  const known = useContracts([address]).get(address)?.name;
  const name = known === undefined ? undefined : showName(known);
  const shown = checksumAddress(address);
  const text = identifier ?? (isWhole ? shown : shortened(shown, 6, 4));
  const to = linkTo({ view: 'address', text: identifier ?? address, part: '' });
  if (name !== undefined && !isWhole) {
    return (
      <a class="name" href={to} title={`${name} ${shown}`}>
        {name}
      </a>
    );
  }
  return (
    <>
      <a class="mono" href={to} title={shown}>
        {text}
      </a>
      {name !== undefined && <span class="quiet"> {name}</span>}
    </>
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
