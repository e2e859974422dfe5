import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lazily } from '../caching/lazily.ts';
import { LedgerdError } from '../protocol/index.ts';

/** A file of the page, and its properties for a response. */
export interface PageFile {
  /** Its media type. */
  readonly type: string;
  /** True if its name contains a hash of its content. */
  readonly isImmutable: boolean;
  /** 16 hexadecimal digits of its content's hash. */
  readonly digest: string;
  readonly body: Buffer;
  /** The encoded body (RFC 9110, 8.4.1, and RFC 7932); undefined if the build made none. */
  readonly gzip: Buffer | undefined;
  readonly brotli: Buffer | undefined;
}

/** The folder of the page has no `index.html`. */
export class PageMissingError extends LedgerdError {
  override readonly code = 'PAGE_MISSING';

  constructor(folder: string, options?: ErrorOptions) {
    super(
      `the explorer is not built: ${folder} has no index.html; run node scripts/setup.js in a checkout, or start ` +
        'without the explorer',
      options,
    );
  }
}

const INDEX = 'index.html';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const DIGEST_DIGITS = 16;

/** The page of this program: file by path from its folder, such as `explorer/index-B1xy.js`. */
export const pageFiles = lazily(() =>
  readPage(fileURLToPath(new URL('../../build/explorer/', import.meta.url))),
);

/**
 * Lists the files of a built page: `index.html`, and files with a hash of their content in the name, some also encoded
 * (`.gz`, `.br`). Each is read at its first use.
 *
 * @throws PageMissingError for a folder without an `index.html`
 */
export function readPage(folder: string): ReadonlyMap<string, () => PageFile> {
  if (!existsSync(join(folder, INDEX))) throw new PageMissingError(folder);
  const paths = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(join(folder, sep).length)
        .replaceAll(sep, '/'),
    );
  const read = (path: string): Buffer => readFileSync(join(folder, path));
  return new Map(
    paths.flatMap((path): [string, () => PageFile][] => {
      const type = MEDIA_TYPES[/\.(\w+)$/.exec(path)?.[1] ?? ''];
      if (type === undefined) return [];
      const encoded = (ending: string): Buffer | undefined =>
        paths.includes(`${path}${ending}`) ? read(`${path}${ending}`) : undefined;
      const file = lazily((): PageFile => {
        const body = read(path);
        const digest = createHash('sha256').update(body).digest('hex').slice(0, DIGEST_DIGITS);
        const isImmutable = path !== INDEX;
        return { type, isImmutable, digest, body, gzip: encoded('.gz'), brotli: encoded('.br') };
      });
      return [[path, file]];
    }),
  );
}
