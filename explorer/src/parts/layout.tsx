import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { shownText } from '../text/shown-text.ts';

/** The main heading, which receives the focus when the view changes. */
export function PageTitle({
  title,
  kind,
  children,
}: {
  /** Title of the window. */
  readonly title: string;
  /** Kind of the object, above the heading. */
  readonly kind?: string | undefined;
  readonly children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${shownText(title)} · ledgerd`;
  }, [title]);
  useEffect(() => {
    // At the first time the focus is where the browser puts it.
    if (hasShownOne) {
      heading.current?.focus({ preventScroll: true });
      scrollTo({ top: 0 });
    }
    hasShownOne = true;
  }, []);
  return (
    <div class="page-title">
      {kind !== undefined && <p class="kind">{kind}</p>}
      <h1 ref={heading} tabIndex={-1}>
        {children ?? title}
      </h1>
    </div>
  );
}

let hasShownOne = false;

/** A part of the page with a heading. */
export function Section({
  title,
  note,
  action,
  children,
}: {
  readonly title: string;
  /** Small text beside the heading. */
  readonly note?: ComponentChildren;
  /** Controls beside the heading. */
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {note !== undefined && <p class="note">{note}</p>}
        {action !== undefined && <div class="action">{action}</div>}
      </header>
      {children}
    </section>
  );
}

/** A list of names and values, one a line. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

/** One of them. */
export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A word for a status. */
export function Badge({
  tone = 'plain',
  children,
}: {
  readonly tone?: 'plain' | 'good' | 'bad' | 'waiting';
  readonly children: ComponentChildren;
}) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
