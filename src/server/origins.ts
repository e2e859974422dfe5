/** `scheme://host` with perhaps a port; the host may be `*` or begin with `*.`, the port may be `*`. */
const PATTERN =
  /^([a-z][a-z0-9+.-]*):\/\/(?:\*|(?:\*\.)?[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::(?:\*|\d{1,5}))?$/;
const WEB_SCHEMES = ['http', 'https'];
/** Every origin, also that of a page that has none of its own. */
const ANY = '*';

/**
 * Tells whether a text is a pattern of web origins, in lower case: an origin, or one with `*` for one or more labels
 * in front of its host (`https://*.example.org`), for its whole host (`chrome-extension://*`) or for its port
 * (`http://localhost:*`), or `*` for every origin. Pages of files have no origin that tells them apart.
 */
export function isOriginPattern(text: string): boolean {
  if (text === ANY) return true;
  const scheme = PATTERN.exec(text)?.[1];
  if (scheme === undefined || scheme === 'file') return false;
  if (!WEB_SCHEMES.includes(scheme)) return true;
  // What a browser would write otherwise, such as a scheme's own port, would never match.
  const sample = text.replace(/:\*$/, '').replace('*', 'x');
  return URL.canParse(sample) && new URL(sample).origin === sample;
}

/**
 * Prepares the comparison of origins with patterns.
 * @param patterns each of the form that `isOriginPattern` accepts
 */
export function originMatcher(patterns: readonly string[]): (origin: string) => boolean {
  const expressions = patterns.map((pattern) => expressionOf(pattern.toLowerCase()));
  return (origin) => {
    const normal = origin.toLowerCase();
    return expressions.some((expression) => expression.test(normal));
  };
}

function expressionOf(pattern: string): RegExp {
  if (pattern === ANY) return /^/;
  const source = pattern
    .replace(/[.+^${}()|[\]\\?]/g, '\\$&')
    .replace(/:\*$/, '(?::\\d{1,5})?')
    .replace('//*\\.', '//(?:[a-z0-9_-]+\\.)+')
    .replace('//*', '//(?:[a-z0-9._-]+|\\[[0-9a-f:.]+\\])');
  return new RegExp(`^${source}$`);
}
