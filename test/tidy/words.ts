import type { Problem, Source } from './source.ts';

/** What the tree must not say; written so that this file does not say it either. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/\bissue\s+#\d*/i, 'a number that means nothing to a reader of the code'],
  [/\bshared\/(?=[a-z])/, 'a folder that is not in the tree'],
  [/(?<![\w.])\/(work|root|home|tmp)\//, 'a path of one machine'],
  [
    new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')}|${['XX', 'X'].join('')})\\b`),
    'work left for later',
  ],
  [/\bregistry\.[a-z-]+\.[a-z]+/i, 'a package registry'],
];

/** Words that the project's files must not contain. */
export function checkWords(sources: readonly Source[]): readonly Problem[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) =>
      FORBIDDEN.filter(([pattern]) => pattern.test(line)).map(([pattern, reason]) => ({
        rule: 'words',
        path,
        line: index + 1,
        message: `mentions ${JSON.stringify(pattern.exec(line)?.[0])}: ${reason}`,
      })),
    ),
  );
}

/** Markdown files without exactly one title, which stands first. */
export function checkDocuments(sources: readonly Source[]): readonly Problem[] {
  return sources
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) => {
      const lines = text.replaceAll(/^(```|~~~).*?^\1/gms, '').split('\n');
      const titles = lines.filter((line) => /^# \S/.test(line));
      const first = lines.find((line) => line.trim() !== '');
      if (titles.length === 1 && first === titles[0]) return [];
      const message = `${titles.length} titles; expected one, on the first line`;
      return [{ rule: 'documents', path, line: 1, message }];
    });
}

/** References to a document, or to a heading of one, that is not there: `docs/NAME.md#heading`. */
export function checkReferences(sources: readonly Source[]): readonly Problem[] {
  const anchors = new Map(
    sources
      .filter(({ path }) => path.startsWith('docs/') && path.endsWith('.md'))
      .map(({ path, text }) => [path, new Set(text.split('\n').flatMap(anchorOf))]),
  );
  return sources.filter(isCode).flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) =>
      [...line.matchAll(/\b(docs\/[a-z-]+\.md)(?:#([\w-]+))?/g)].flatMap(
        ([reference, document = '', anchor]) => {
          const known = anchors.get(document);
          if (known !== undefined && (anchor === undefined || known.has(anchor))) return [];
          return [{ rule: 'references', path, line: index + 1, message: `${reference} is not there` }];
        },
      ),
    ),
  );
}

/** The checks of this folder name documents that are made up. */
function isCode({ path }: Source): boolean {
  return /\.(ts|js)$/.test(path) && !path.startsWith('test/tidy/');
}

/** The anchor of a heading, as it is made for a page of it; none for other lines. */
function anchorOf(line: string): string[] {
  const [, heading] = /^#+ (.*)$/.exec(line) ?? [];
  if (heading === undefined) return [];
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
  return [words.trim().replaceAll(/\s/g, '-')];
}
