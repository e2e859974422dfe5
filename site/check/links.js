/** The check of the built pages: links that lead nowhere, and references to other hosts that browsers would load. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { Parser } from 'htmlparser2';
import { filesBelow } from '../../scripts/inputs.js';

/** Attributes whose addresses browsers load with the page; `href` of an anchor waits for a reader. */
const LOADED = {
  src: '*',
  srcset: '*',
  poster: '*',
  data: 'object',
  action: 'form',
  href: 'link',
  background: '*',
};

/** Hosts in the text of scripts, which request nothing there. */
const NAMED_HOSTS = new Map([
  ['127.0.0.1', 'the node that the form calls'],
  ['www.w3.org', 'names of XML'],
  ['github.com', 'a message of a library'],
  ['a.com', 'the base of a relative URL in VitePress'],
  ['vuejs.org', 'the explanations of errors of Vue'],
  ['api.iconify.design', 'icons of social links, which the site does not have'],
]);

/**
 * Checks the built site.
 *
 * @param {string} folder
 * @param {string} base path of the site on its host, with slashes around it
 * @returns {{ pages: number, links: number, problems: string[] }}
 */
export function checkSite(folder, base) {
  const files = filesBelow(folder).map((file) => relative(folder, file).split(sep).join('/'));
  const pages = new Map(
    files
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readPage(readFileSync(join(folder, file), 'utf8'))]),
  );
  const site = { folder, base, pages };
  const problems = [...pages].flatMap(([path, page]) => pageProblems(path, page, site));
  for (const file of files) {
    const text = () => readFileSync(join(folder, file), 'utf8');
    if (file.endsWith('.css')) problems.push(...styleProblems(file, text()));
    // A page's script is its text, whose links are those of the page.
    if (/^assets\/chunks\/(?!@localSearchIndex).*\.js$|^assets\/app\..*\.js$/.test(file))
      problems.push(...scriptProblems(file, text()));
  }
  const links = [...pages.values()].reduce((sum, page) => sum + page.anchors.length, 0);
  return { pages: pages.size, links, problems };
}

/**
 * The addresses of a page.
 *
 * @typedef {object} Page
 * @property {Set<string>} ids
 * @property {string[]} anchors links that wait for a reader
 * @property {string[]} loaded what browsers load with the page
 * @property {string[]} styles texts of attributes
 * @property {string} policy
 */

/**
 * Reads a page.
 *
 * @param {string} html
 * @returns {Page}
 */
function readPage(html) {
  /** @type {Page} */
  const page = { ids: new Set(), anchors: [], loaded: [], styles: [], policy: '' };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (attributes.id !== undefined) page.ids.add(attributes.id);
      if (attributes.style !== undefined) page.styles.push(attributes.style);
      if (name === 'meta' && attributes['http-equiv'] === 'Content-Security-Policy')
        page.policy = attributes.content;
      if (name === 'a' && attributes.href !== undefined) page.anchors.push(attributes.href);
      for (const [attribute, tag] of Object.entries(LOADED)) {
        const value = attributes[attribute];
        if (value !== undefined && (tag === '*' || tag === name)) page.loaded.push(value);
      }
    },
  });
  parser.end(html);
  return page;
}

function pageProblems(path, page, site) {
  return [
    ...(page.policy.startsWith(`default-src 'none'; `) ? [] : [`${path}: no Content-Security-Policy`]),
    ...page.styles.flatMap((style) => styleProblems(path, style)),
    ...page.loaded
      .filter((address) => !address.startsWith('data:') && targetOf(address, path, site) === undefined)
      .map((address) => `${path}: loads ${address}, which is no file of the site`),
    ...page.anchors
      .filter((address) => !isSound(address, path, site))
      .map((address) => `${path}: broken link ${address}`),
  ];
}

/** Returns true for a link to a page and a heading of the site, or to another host. */
function isSound(address, from, site) {
  if (/^(https?|mailto):/.test(address)) return true;
  const target = targetOf(address, from, site);
  if (target === undefined) return false;
  const [, fragment = ''] = address.split('#');
  return fragment === '' || site.pages.get(target)?.ids.has(decodeURIComponent(fragment)) === true;
}

/**
 * Returns the file of the site at an address.
 *
 * @returns {string | undefined} undefined for another host, and without such a file
 */
function targetOf(address, from, { folder, base }) {
  const [path = ''] = address.split(/[?#]/, 1);
  if (/^\w+:|^\/\//.test(path) || (path.startsWith('/') && !path.startsWith(base))) return undefined;
  const relativePath = path.startsWith('/')
    ? path.slice(base.length)
    : path === ''
      ? from
      : posix.join(posix.dirname(from), path);
  const found = [relativePath, `${relativePath}.html`, posix.join(relativePath, 'index.html')].find(
    (name) => existsSync(join(folder, name)) && statSync(join(folder, name)).isFile(),
  );
  return found;
}

function styleProblems(path, text) {
  const addresses = [...text.matchAll(/url\(\s*["']?([^"')]*)|@import\s+["']([^"']*)/g)].map(
    ([, url, imported]) => url ?? imported,
  );
  return addresses
    .filter((address) => !/^(data:|#)/.test(address) && /^(\w+:|\/\/)/.test(address))
    .map((address) => `${path}: a style loads ${address}`);
}

function scriptProblems(path, text) {
  const hosts = new Set(
    [...text.matchAll(/(?:https?:|["'`])\/\/([\w-]+(?:\.[\w-]+)+)/g)].map(([, host]) => host),
  );
  return [...hosts]
    .filter((host) => !NAMED_HOSTS.has(host))
    .map(
      (host) =>
        `${path}: a script names the host ${host}: list it with the reason if nothing is requested there`,
    );
}
