/** The sources of the site: the documents with their images, and generated pages, in `site/build/pages`. */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sidebarOf } from './sidebar.js';

const STAGED = fileURLToPath(new URL('build', import.meta.url));

/** The page at the root of the site. */
const FIRST = 'README.md';

/** A link of Markdown to another file of the project: its path, and the query and the heading behind it. */
const LINK = /\]\((?!\w+:)([^)#?\s]+)([^)\s]*)\)/g;

/** The image of an HTML tag, as documents have it for its width. */
const IMAGE_TAG = /(<img src=")(?!\w+:)([^"]+)"/g;

/**
 * A page of the site.
 *
 * @typedef {object} Page
 * @property {string} path of its Markdown in the site
 * @property {string} from the file of the project to which its links are relative
 * @property {string} [text] Markdown; that of the file if absent
 * @property {string} [head] front matter
 */

/**
 * Writes the sources: the README, the documents, every document that one of them links to, and generated pages.
 *
 * @param {string} root the project
 * @param {readonly Page[]} generated take the place of documents of the same path
 * @throws {Error} for a link to a file that is missing, or that is neither a document nor an image
 */
export function stagePages(root, generated) {
  rmSync(join(STAGED, 'pages'), { recursive: true, force: true });
  const documents = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const paths = [FIRST, ...documents.map((name) => `docs/${name}`)];
  const pages = new Map(generated.map((page) => [page.path, page]));
  for (const path of paths) if (!pages.has(path)) pages.set(path, { path, from: path });
  const titles = new Map();
  // Grows while its pages name further ones.
  for (const page of pages.values()) {
    const text = page.text ?? readFileSync(join(root, page.from), 'utf8');
    for (const target of targetsOf(text, page.from)) {
      if (pages.has(target)) continue;
      if (!existsSync(join(root, target)))
        throw new Error(`${page.from} links to ${target}, which does not exist`);
      if (target.endsWith('.md')) pages.set(target, { path: target, from: target });
      else if (/\.(png|svg)$/.test(target)) cpSync(join(root, target), join(STAGED, 'pages', target));
      else throw new Error(`${page.from} links to ${target}, which is neither a document nor an image`);
    }
    titles.set(page.path, titleOf(text, page.path));
    write(join('pages', stagedPath(page.path)), `${page.head ?? ''}${relinked(text, page.from)}`);
  }
  write('sidebar.json', JSON.stringify(sidebarOf(titles, stagedPath)));
}

/** Lists the files of the project that a page names. */
function targetsOf(text, from) {
  const matches = [...text.matchAll(LINK), ...text.matchAll(IMAGE_TAG)];
  return matches.map((match) => pathFrom(from, match[0].startsWith('<') ? match[2] : match[1]));
}

/** Directs links to documents to their pages. Images keep their paths, which the generator follows. */
function relinked(text, from) {
  return text
    .replaceAll(LINK, (link, target, rest) =>
      target.endsWith('.md') ? `](/${stagedPath(pathFrom(from, target))}${rest})` : link,
    )
    .replaceAll(IMAGE_TAG, '$1./$2"');
}

function pathFrom(from, target) {
  return target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(from), target);
}

function stagedPath(path) {
  return path === FIRST ? 'index.md' : path;
}

function titleOf(text, path) {
  const [, title] = /^# (.*)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error(`${path} has no title`);
  return title.replaceAll('`', '');
}

function write(path, text) {
  const file = join(STAGED, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
