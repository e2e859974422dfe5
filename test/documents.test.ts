import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PEER_ALIASES } from '../src/cli/peer-aliases.ts';
import { argumentOf } from '../src/cli/settings/setting.ts';
import { defaultText, flagOf, TABLE, variableOf } from '../src/cli/settings/table.ts';
import { type Program, runProgram, startProgram } from './program.ts';

let program: Program;

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.stop());

/** A document of the folder `docs/`. */
function documentOf(name: string): string {
  return readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
}

/** The flags that a text names. */
function flagsIn(text: string): Set<string> {
  const flags = new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag));
  return new Set([...flags].filter((flag) => !['--help', '--version'].includes(flag)));
}

test('behavior: the documents name the flags that the program has, and no others', async () => {
  const { output } = await runProgram('--help');
  const commands = [...output.matchAll(/^ {2}([a-z]+)(?: \[options\]| <|$)/gm)].map(
    ([, command]) => command ?? '',
  );
  expect(commands.length).toBeGreaterThan(3);
  const helps = await Promise.all(commands.map((command) => runProgram(command, '--help')));
  const known = flagsIn([output, ...helps.map((help) => help.output)].join('\n'));
  const documented = flagsIn(documentOf('configuration.md') + documentOf('operations.md'));
  expect([...known].filter((flag) => !documented.has(flag))).toEqual([]);
  const accepted = new Set([...known, ...PEER_ALIASES.map(({ label }) => label)]);
  expect([...flagsIn(documentOf('configuration.md'))].filter((flag) => !accepted.has(flag))).toEqual([]);
});

test('behavior: commands have the flags that documents call them with', async () => {
  const helps = new Map<string, Set<string>>();
  for (const [command, flags] of documents().flatMap(commandsIn)) {
    const known = helps.get(command) ?? flagsIn((await runProgram(command, '--help')).output);
    helps.set(command, known);
    expect([command, flags.filter((flag) => !known.has(flag))]).toEqual([command, []]);
  }
  expect(helps.size).toBeGreaterThan(5);
});

/** Returns the texts of all documents for people who run the program. */
function documents(): string[] {
  const named = readdirSync(new URL('../docs', import.meta.url)).filter((name) => name.endsWith('.md'));
  const others = ['README.md', 'SECURITY.md', 'deploy/README.md', 'deploy/kubernetes/README.md'];
  return [
    ...named.map(documentOf),
    ...others.map((name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')),
  ];
}

/** The commands of the program in a text, with their flags; `-n ledgerd` is the name of something of Kubernetes. */
function commandsIn(text: string): (readonly [command: string, flags: readonly string[]])[] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ');
  return [...lines.matchAll(/(?<!-n )\bledgerd ([a-z]+)((?: +[^\s`#|]+)*)/g)]
    .map(([, command = '', words = '']) => [command, [...flagsIn(words)]] as const)
    .filter(([, flags]) => flags.length > 0);
}

test('behavior: the configuration tables match the settings of the program', () => {
  const rows = documentOf('configuration.md')
    .split('\n')
    .filter((line) => /^\| `[a-z-]+` \| `--/.test(line))
    .map((line) => line.split(' | ').slice(0, 5).join(' | '));
  const expected = TABLE.map(({ name, setting, mode = 'both' }) => {
    const flag = setting.kind === 'switch' ? flagOf(name) : `${flagOf(name)} <${argumentOf(setting)}>`;
    return `| \`${name}\` | \`${flag}\` | \`${variableOf(name)}\` | ${defaultText(setting)} | ${mode}`;
  });
  expect(rows).toEqual(expected);
});

test('behavior: the table of events names all notices of the node', () => {
  const notices = [...sourceText('../src/node/notices.ts').matchAll(/^ {2}(\w+): (?:info|warn|error)\(/gm)];
  const rows = documentOf('configuration.md')
    .split('\n')
    .filter((line) => /^\| `\w+`.* \| (info|warn|error|debug) \|/.test(line));
  const documented = rows.flatMap((row) => namesIn(row));
  expect(notices.map(([, name = '']) => name).filter((name) => !documented.includes(name))).toEqual([]);
  expect(notices.length).toBeGreaterThan(20);
});

test.each(['nodes.md', 'operations.md'])(
  'behavior: the program has the messages that %s quotes',
  (document) => {
    const rows = documentOf(document)
      .split('\n')
      .filter((line) => /^\| (health: )?`[a-z…][^`]* [^`]*`/.test(line));
    const quoted = rows.flatMap((row) => namesIn(row));
    const parts = quoted
      .flatMap((text) => text.split(/…|: /))
      .map((part) => part.trim())
      .filter((part) => part.length > 4);
    const program = readdirSync(new URL('../src', import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => sourceText(`../src/${path}`).replaceAll(/['`] \+\s+['`]/g, ''))
      .join('\n');
    expect(parts.filter((part) => !program.includes(part))).toEqual([]);
    expect(parts.length).toBeGreaterThan(10);
  },
);

/** Returns the texts in backticks of the first cell of a row. */
function namesIn(row: string): string[] {
  const [first = ''] = row.split(' | ');
  return [...first.matchAll(/`([^`]*)`/g)].map(([, text = '']) => text);
}

function sourceText(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

test('behavior: the table of the library names its options', () => {
  const source = readFileSync(new URL('../src/library/test-node.ts', import.meta.url), 'utf8');
  const [, options = ''] = /export interface TestNodeOptions \{\n(.*?)^\}/ms.exec(source) ?? [];
  const names = [...options.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name);
  const [, table = ''] =
    /^\| option \| meaning \| default \|\n(.*?)\n\n/ms.exec(documentOf('testing.md')) ?? [];
  expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(names);
  expect(names.length).toBeGreaterThan(10);
});

test('behavior: the list of methods names every method of the node', async () => {
  const documented = readFileSync(new URL('../docs/methods.md', import.meta.url), 'utf8');
  // The first cells of the rows; `/ethereum` is another chain's.
  const [ledgers = ''] = documented.split('## Methods of `/ethereum`');
  const names = [...ledgers.matchAll(/^\| `([\w.]+)`<br>/gm)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(40);
  for (const name of names) {
    const { error } = await program.response(name);
    expect([name, error?.code === -32601]).toEqual([name, false]);
  }
});
