import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Problem, Source } from './source.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders of the project whose files documents name in full. */
const NAMED = /^(src|test|scripts|bench|docs|bin|explorer|deploy|data|examples|\.ci)\//;

/** Stands for many names, or for one that a reader chooses. */
const PATTERN = /[*{}]|[A-Z]{4}|-N\./;

/** Returns true if a file or a folder exists at a path relative to the project's folder. */
type Exists = (path: string) => boolean;

/** Finds Markdown files without exactly one title on the first line. */
export function checkDocuments(sources: readonly Source[]): readonly Problem[] {
  return documentsOf(sources).flatMap(({ path, text }) => {
    const lines = withoutCode(text).split('\n');
    const titles = lines.filter((line) => /^# \S/.test(line));
    const first = lines.find((line) => line.trim() !== '');
    if (titles.length === 1 && first === titles[0]) return [];
    const message = `${titles.length} titles; expected one, on the first line`;
    return [{ rule: 'documents', path, line: 1, message }];
  });
}

/** Finds references of code to documents or headings that do not exist: `docs/NAME.md#heading`. */
export function checkReferences(sources: readonly Source[]): readonly Problem[] {
  const anchors = anchorsOf(sources);
  return sources.filter(isCode).flatMap((source) =>
    matchesOf(source, /\b(docs\/[a-z-]+\.md)(?:#([\w-]+))?/g).flatMap(({ line, match }) => {
      const [reference, document = '', anchor] = match;
      const known = anchors.get(document);
      if (known !== undefined && (anchor === undefined || known.has(anchor))) return [];
      return [problemOf(source, line, `${reference} does not exist`)];
    }),
  );
}

/** Finds links, files and commands in documents that do not exist. */
export function checkLinks(
  sources: readonly Source[],
  exists: Exists = (path) => existsSync(posix.join(ROOT, path)),
): readonly Problem[] {
  const anchors = anchorsOf(sources);
  const scripts = scriptsOf(sources);
  return documentsOf(sources).flatMap((source) => [
    ...matchesOf(source, /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g).flatMap(({ line, match }) => {
      const [, target = '', anchor] = match;
      const path = target === '' ? source.path : posix.join(posix.dirname(source.path), target);
      if (exists(path) && (anchor === undefined || anchors.get(path)?.has(anchor) === true)) return [];
      return [problemOf(source, line, `the link ${match[0].slice(2, -1)} does not exist`)];
    }),
    ...matchesOf(source, /`([\w.-]+\/[^\s`]*)`/g).flatMap(({ line, match }) => {
      const path = match[1] ?? '';
      const isKnown = [path, posix.join(posix.dirname(source.path), path)].some(exists);
      if (!NAMED.test(path) || PATTERN.test(path) || isKnown) return [];
      return [problemOf(source, line, `there is no ${path}`)];
    }),
    ...matchesOf(source, /\bnpm (?:--prefix \S+ )?run ([a-z][\w:-]*\w)/g).flatMap(({ line, match }) =>
      scripts.has(match[1] ?? '') ? [] : [problemOf(source, line, `no package has a script ${match[1]}`)],
    ),
  ]);
}

function documentsOf(sources: readonly Source[]): readonly Source[] {
  return sources.filter(({ path }) => path.endsWith('.md'));
}

function withoutCode(text: string): string {
  return text.replaceAll(/^(```|~~~).*?^\1/gms, '');
}

/** The checks of this folder name documents that are made up. */
function isCode({ path }: Source): boolean {
  return /\.(ts|js)$/.test(path) && !path.startsWith('test/tidy/');
}

function problemOf({ path }: Source, line: number, message: string): Problem {
  return { rule: 'references', path, line, message };
}

/** Lists the matches of an expression in a file, with their lines. */
function matchesOf(
  { text }: Source,
  pattern: RegExp,
): { readonly line: number; readonly match: RegExpExecArray }[] {
  return text
    .split('\n')
    .flatMap((content, index) => [...content.matchAll(pattern)].map((match) => ({ line: index + 1, match })));
}

/** The scripts of all packages of the project. */
function scriptsOf(sources: readonly Source[]): ReadonlySet<string> {
  const packages = sources.filter(({ path }) => /(^|\/)package\.json$/.test(path));
  return new Set(packages.flatMap(({ text }) => Object.keys(JSON.parse(text).scripts ?? {})));
}

/** The anchors of the headings of each document. */
function anchorsOf(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    documentsOf(sources).map(({ path, text }) => [
      path,
      new Set(withoutCode(text).split('\n').flatMap(anchorOf)),
    ]),
  );
}

/** The anchor of a heading, as it is made for a page of it; none for other lines. */
function anchorOf(line: string): string[] {
  const [, heading] = /^#+ (.*)$/.exec(line) ?? [];
  if (heading === undefined) return [];
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
  return [words.trim().replaceAll(/\s/g, '-')];
}
