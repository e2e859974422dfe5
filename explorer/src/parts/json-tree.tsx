import type { ComponentChildren } from 'preact';
import { linkTo } from '../routing/route.ts';
import { isAddress, isIdentifier, withChecksum } from '../text/identifiers.ts';

/** Items of a list, and fields of an object, that are shown. */
const SHOWN_ITEMS = 50;
const DEEPEST = 12;

/** Shows a JSON value as a tree of names and values, with links for identifiers and addresses. */
export function JsonTree({
  value,
  depth = 0,
}: {
  readonly value: unknown;
  readonly depth?: number;
}): ComponentChildren {
  if (typeof value !== 'object' || value === null) return <Leaf value={value} />;
  const entries = Object.entries(value);
  if (entries.length === 0) return <span class="quiet">{Array.isArray(value) ? 'none' : 'empty'}</span>;
  if (depth >= DEEPEST) return <span class="quiet">…</span>;
  return (
    <dl class="json">
      {entries.slice(0, SHOWN_ITEMS).map(([name, item]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <JsonTree value={item} depth={depth + 1} />
          </dd>
        </div>
      ))}
      {entries.length > SHOWN_ITEMS && <div class="quiet">and {entries.length - SHOWN_ITEMS} more</div>}
    </dl>
  );
}

/** As many characters fit into the box of a text at each width. */
const UNSCROLLED_CHARACTERS = 130;

function Leaf({ value }: { readonly value: unknown }) {
  const text = String(value);
  if (typeof value === 'string' && (isIdentifier(value) || isAddress(value))) {
    return (
      <a class="mono" href={linkTo({ view: 'address', text: value, part: '' })}>
        {withChecksum(value)}
      </a>
    );
  }
  // Long text is focusable, so that the keyboard can scroll it.
  const tabIndex = text.length > UNSCROLLED_CHARACTERS ? 0 : undefined;
  return (
    <span class="mono leaf" tabIndex={tabIndex}>
      {text === '' ? '\u2013' : text}
    </span>
  );
}
