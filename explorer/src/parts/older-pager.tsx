/** Leads through a list of unknown length, from the newest on. */
export function OlderPager({
  onNewer,
  onOlder,
  words = ['Newer', 'Older'],
}: {
  /** Undefined where nothing is newer. */
  readonly onNewer: (() => void) | undefined;
  readonly onOlder: (() => void) | undefined;
  /** Labels of the two buttons. */
  readonly words?: readonly [string, string];
}) {
  if (onNewer === undefined && onOlder === undefined) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" class="button" disabled={onNewer === undefined} onClick={onNewer}>
        {words[0]}
      </button>
      <button type="button" class="button" disabled={onOlder === undefined} onClick={onOlder}>
        {words[1]}
      </button>
    </nav>
  );
}
