import { useEffect, useState } from 'preact/hooks';

/** Milliseconds for which the button confirms a copy. */
const SAID_MS = 1_500;

/** Copies a text to the clipboard, where the browser has one for this page. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [said, setSaid] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  // Only pages that came over TLS, or from this machine, have a clipboard.
  if (navigator.clipboard === undefined) return null;
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid('copied'),
      () => setSaid('failed'),
    );
  };
  return (
    <button type="button" class="copy" onClick={copy} aria-label={`Copy ${what}`} title={`Copy ${what}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {said === 'copied' ? (
          <path d="M3 8.5 6.5 12 13 4.5" />
        ) : (
          <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />
        )}
      </svg>
      {said !== undefined && (
        <span class="hidden" role="status">
          {said === 'copied' ? 'Copied' : 'The browser does not allow to copy'}
        </span>
      )}
    </button>
  );
}
