/** The policy of the pages, which browsers enforce. */

import { createHash } from 'node:crypto';

/** A script in the text of a page. */
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/**
 * Adds a `Content-Security-Policy` to a page: nothing is loaded from another host, and only nodes on this machine are
 * called.
 *
 * @param {string} html
 * @returns {string}
 */
export function withPolicy(html) {
  const hashes = new Set(
    [...html.matchAll(INLINE_SCRIPT)].map(
      ([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    ),
  );
  const policy = [
    `default-src 'none'`,
    `script-src 'self' ${[...hashes].join(' ')}`,
    // The colours of code are in attributes.
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `connect-src 'self' http://127.0.0.1:* http://localhost:*`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return html.replace(
    '<head>',
    `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}
