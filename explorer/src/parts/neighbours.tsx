/** Links to the previous and the next thing of the kind, which the keys `[` and `]` follow. */
export function Neighbours({
  label,
  previous,
  next,
  names: [before, after],
}: {
  readonly label: string;
  /** URL; undefined for the first. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly names: readonly [string, string];
}) {
  return (
    <nav class="neighbours" aria-label={label}>
      {previous !== undefined && (
        <a class="button" href={previous} rel="prev">
          ← {before}
        </a>
      )}
      {next !== undefined && (
        <a class="button" href={next} rel="next">
          {after} →
        </a>
      )}
    </nav>
  );
}
