/** What a header that lists preferences says of one choice: from 0, not at all, to 1; undefined: nothing. */
function weights(header: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    // What is no number is no preference.
    if (name !== '') found.set(name, Number.isFinite(weight) ? Math.min(1, Math.max(0, weight)) : 0);
  }
  return found;
}

/** Whether an Accept header names a media type itself, and not merely as one of many (RFC 9110, 12.5.1). */
export function accepts(header: string, type: string): boolean {
  return (weights(header).get(type) ?? 0) > 0;
}

/**
 * Chooses an encoding (RFC 9110, 12.5.3): of those that the client likes best the first that is offered; `identity`
 * where it names none, or would take nothing that there is.
 */
export function preferredEncoding(header: string | undefined, offered: readonly string[]): string {
  if (header === undefined) return 'identity';
  const given = weights(header);
  const weightOf = (name: string): number =>
    // Whoever does not speak of the plain form takes it when there is no better one.
    given.get(name) ?? given.get('*') ?? (name === 'identity' ? Number.MIN_VALUE : 0);
  let best = 'identity';
  for (const name of offered.toReversed()) {
    const weight = weightOf(name);
    if (weight > 0 && weight >= weightOf(best)) best = name;
  }
  return best;
}
