/** The bounds of the program as Markdown, out of its sources. */

import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { table } from './methods-document.js';

/** Files whose bounds no client, peer or remote node reaches: of commands, browsers and the packages for tests. */
const OTHERS = /\.(test|testing)\.ts$|^src\/(\w+\/assembly|cli|explorer|library|native|page|solidity)\//;

/** A constant of a module, with its docstring, or without one behind another; or a member of a table of defaults. */
const CONSTANT =
  /^(?:\/\*\*((?:(?!\*\/).)*)\*\/\n)?(?:export )?const (?!DEFAULT_)([A-Z]\w+) =\s+([^;]*);$|^export const DEFAULT_\w+_LIMITS = \{\n(.*?)^\};$/gms;
const MEMBER = /^ {2}(?:\/\*\*((?:(?!\*\/).)*)\*\/\n {2})?(\w+): ([^\n]*),$/gms;

/** A name of a bound: a greatest or least amount, or a time. */
const BOUND = /_(MAX|MIN|MS|SECONDS)$|^[a-z]/;

/** @typedef {{ readonly path: string, readonly text: string }} Source */
/** @typedef {{ path: string, name: string, expression: string, words: string | undefined }} Constant */

/**
 * Reads the sources of the program, ordered by path.
 *
 * @param {URL} folder `src/`
 * @returns {Source[]}
 */
export function sourcesOf(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts'));
  return names
    .sort()
    .map((name) => ({ path: `src/${name}`, text: readFileSync(new URL(name, folder), 'utf8') }));
}

/**
 * Lists the bounds of the program, by file, each with its value and its docstring's first sentence.
 *
 * @param {readonly Source[]} sources of the program, by path
 * @returns {{ path: string, name: string, value: string, words: string }[]}
 */
export function readLimits(sources) {
  const constants = sources.flatMap(({ path, text }) => constantsOf(path, text));
  return constants.flatMap(({ path, name, expression, words }) =>
    words === undefined || OTHERS.test(path) || !BOUND.test(name)
      ? []
      : [{ path, name, value: valueText(name, computed(expression, path, constants) ?? expression), words }],
  );
}

/** Reads the constants of a file. One that directly follows another shares its docstring. */
function constantsOf(path, text) {
  /** @type {Constant[]} */
  const constants = [];
  let end = -1;
  for (const { 0: all, 1: docstring, 2: name, 3: expression, 4: members, index } of text.matchAll(CONSTANT)) {
    const shared = index === end + 1 ? constants.at(-1)?.words : undefined;
    end = index + all.length;
    if (name !== undefined) constants.push({ path, name, expression, words: sentence(docstring) ?? shared });
    for (const [, words, member, value] of (members ?? '').matchAll(MEMBER)) {
      constants.push({ path, name: member, expression: value, words: sentence(words) });
    }
  }
  return constants;
}

/** Returns the first sentence of a docstring. */
function sentence(docstring) {
  const text = docstring?.replaceAll(/\s+(\* )?/g, ' ').trim();
  return text === undefined ? undefined : /^.*?\.(?= [A-Z]|$)/.exec(text)?.[0];
}

/** Computes a constant of numbers and other constants; undefined for any other. */
function computed(expression, path, constants) {
  if (!/^[\w\s.*+\-/(),]+$/.test(expression)) return undefined;
  const names = new Set(expression.match(/\b[A-Z][A-Z0-9_]+\b/g));
  const context = {};
  for (const name of names) {
    const known = constants.filter((one) => one.name === name);
    const found = known.find((one) => one.path === path) ?? known[0];
    context[name] = found && computed(found.expression, found.path, constants);
    if (context[name] === undefined) return undefined;
  }
  try {
    return runInNewContext(expression, context);
  } catch {
    return undefined;
  }
}

/** Writes a value, with the unit that its name has. */
function valueText(name, value) {
  if (typeof value === 'string') return `\`${value}\``;
  const words = name
    .replaceAll(/[A-Z]+(?=[a-z])/g, (letters) => `_${letters}`)
    .toUpperCase()
    .split('_');
  const unit = words.find((word) => word in UNITS);
  return unit === undefined ? grouped(value) : UNITS[unit](Number(value));
}

/** @type {Readonly<Record<string, (value: number) => string>>} */
const UNITS = {
  BYTES: (value) => binary(value, 'bytes'),
  CHARACTERS: (value) =>
    value < 1_024 * 1_024 ? `${grouped(value)} characters` : binary(value, 'characters'),
  MICROSECONDS: (value) => `${grouped(value)} µs`,
  MS: (value) => (value % 1_000 === 0 && value > 0 ? seconds(value / 1_000) : `${grouped(value)} ms`),
  SECONDS: seconds,
};

function seconds(value) {
  return value % 3_600 === 0 ? `${grouped(value / 3_600)} hours` : `${grouped(value)} s`;
}

function binary(value, unit) {
  const power = [4, 3, 2, 1].find(
    (exponent) => value >= 1_024 ** exponent && (2 * value) % 1_024 ** exponent === 0,
  );
  return power === undefined ? `${grouped(value)} ${unit}` : `${value / 1_024 ** power} ${' KMGT'[power]}iB`;
}

function grouped(value) {
  return value.toLocaleString('en');
}

/**
 * Writes the list of bounds: the template, with a table for each folder in the place of its mark.
 *
 * @param {string} template Markdown
 * @param {ReturnType<typeof readLimits>} limits
 * @returns {string} Markdown
 */
export function writeLimits(template, limits) {
  const folders = new Set(limits.map(({ path }) => folderOf(path)));
  const parts = [...folders].sort().map((folder) => {
    const rows = limits
      .filter(({ path }) => folderOf(path) === folder)
      .map(({ name, value, words }) => [`\`${name}\``, value, words]);
    return `## ${folder}\n\n${table(['bound', 'value', 'what it bounds'], rows)}`;
  });
  return template.replace('<!-- bounds -->', () => parts.join('\n\n'));
}

/** Returns the folder of a file in `src`, or the path of a file that is directly there. */
function folderOf(path) {
  return path.split('/').slice(0, 2).join('/');
}

/**
 * Writes the tables of limits in a document: the text between its two marks out of a template, in which `{NAME}` stands
 * for the value of a bound.
 *
 * @param {string} document Markdown
 * @param {string} template Markdown
 * @param {ReturnType<typeof readLimits>} limits
 * @returns {string} Markdown
 * @throws {Error} if the template names an unknown bound
 */
export function writeLimitTables(document, template, limits) {
  const text = template.replaceAll(/\{(\w+)\}/g, (_all, name) => {
    const limit = limits.find((one) => one.name === name);
    if (limit === undefined) throw new Error(`no bound is named ${name}`);
    return limit.value;
  });
  return document.replace(/(?<=^<!-- limits: [^\n]*-->\n\n).*?(?=\n\n<!-- end of the limits -->$)/ms, () =>
    text.trimEnd(),
  );
}
