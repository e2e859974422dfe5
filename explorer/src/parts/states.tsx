import type { ComponentChildren } from 'preact';
import { CallError, messageOf, NodeUnreachableError } from '../client/errors.ts';
import type { Loaded } from './use-loaded.ts';

/** Shows a loaded value, or the progress or the failure of loading it. */
export function Show<T>({
  loaded,
  what,
  children,
}: {
  readonly loaded: Loaded<T>;
  /** Name of the data that is loaded: `the block`. */
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}) {
  switch (loaded.state) {
    case 'loading':
      return <Loading what={what} />;
    case 'failed':
      return <Failure what={what} error={loaded.error} again={loaded.again} />;
    case 'ready':
      return <>{children(loaded.value)}</>;
  }
}

/** Placeholder lines during loading. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <div class="loading" role="status">
      <span class="hidden">Loading {what}</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** Explains an empty list. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** Shows a failure, its reason and a remedy. */
export function Failure({
  what,
  error,
  again,
}: {
  readonly what: string;
  readonly error: unknown;
  readonly again?: (() => void) | undefined;
}) {
  const isUnreachable = error instanceof NodeUnreachableError;
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{isUnreachable ? 'The node does not respond' : `Could not load ${what}`}</strong>
      </p>
      <p>
        {isUnreachable
          ? 'It has stopped, or something between it and this page is in the way.'
          : messageOf(error)}
        {error instanceof CallError && <small> (code {error.code})</small>}
      </p>
      {again !== undefined && (
        <button type="button" class="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
