import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PROGRAM, type Program, startProgram } from './program.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STANDARD_URL = 'http://127.0.0.1:8545';

/** A fenced block of a document. */
interface Snippet {
  readonly document: string;
  readonly language: string;
  readonly text: string;
}

/** Blocks that no test runs: the document, the beginning of the block, and the reason. */
const NOT_RUN: readonly (readonly [document: string, beginning: string, reason: string])[] = [
  ['README.md', 'npm start', 'the set-up and all tests'],
  ['README.md', 'docker build', 'needs Docker'],
  ['CONTRIBUTING.md', 'npm start', 'the set-up and a build'],
  ['CONTRIBUTING.md', 'npm test', 'all tests'],
  ['CONTRIBUTING.md', 'npm pack', 'a build and a package: test/library/publishing.test.ts'],
  ['deploy/README.md', 'npm pack', 'a build and a package'],
  ['deploy/README.md', 'npm install --global', 'needs root and systemd'],
  ['deploy/README.md', 'runuser', 'needs root'],
  ['docs/container.md', 'docker', 'needs Docker'],
  ['docs/clients.md', 'npx wscat', 'installs wscat, and runs until it is interrupted'],
  ['docs/ethereum.md', 'npm install @foundry-rs', 'installs Foundry: npm run test:tools has it'],
  [
    'docs/ethereum.md',
    '// hardhat.config.js\nimport',
    'a configuration of Hardhat 3: npm run test:tools has it',
  ],
  [
    'docs/ethereum.md',
    '// hardhat.config.js\nrequire',
    'a configuration of Hardhat 2: npm run test:tools has it',
  ],
  ['docs/forking.md', 'npx ledgerd', 'needs a remote node: test/fork has one'],
  ['docs/forking.md', 'import', 'needs a remote node: test/library has one'],
  ...['// vitest.config.ts', 'import { inject', '// jest.config.cjs', 'const provider'].map(
    (beginning) => ['docs/testing.md', beginning, 'part of a suite: npm run test:examples has it'] as const,
  ),
  ['docs/forking.md', 'forge test', 'needs Foundry: npm run test:tools has it'],
  ['docs/forking.md', '// hardhat.config.js', 'a configuration of Hardhat 3: npm run test:tools has it'],
  ['docs/testing.md', 'npm pack', 'a build and a package: test/library/package.test.ts'],
];

/** Documents whose node has Ethereum at the root. */
const ETHEREUM_DOCUMENTS: ReadonlySet<string> = new Set(['README.md', 'docs/ethereum.md', 'docs/forking.md']);

/** Documents for operators, whose commands follow each other: `operator-snippets.test.ts` runs them. */
const FOR_OPERATORS = ['block-log', 'cluster', 'configuration', 'nodes', 'operations'].map(
  (name) => `docs/${name}.md`,
);

const documents = [
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'deploy/README.md'],
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const snippets = documents.flatMap((document): Snippet[] => {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language = '', block = '']) => ({
    ...{ document, language, text: block },
  }));
});

const isRun = ({ document, language, text }: Snippet): boolean =>
  !(FOR_OPERATORS.includes(document) && ['sh', 'console'].includes(language)) &&
  !NOT_RUN.some(([name, beginning]) => name === document && text.startsWith(beginning));

/** Returns the snippets of some languages that are run, with a title for each. */
const snippetsIn = (...languages: readonly string[]): [title: string, snippet: Snippet][] =>
  snippets
    .filter((snippet) => languages.includes(snippet.language) && isRun(snippet))
    .map((snippet) => [`${snippet.document}: ${snippet.text.split('\n')[0]}`, snippet]);

/** Nodes that stand in for the one at the standard port: without and with Ethereum. */
let native: Program;
let ethereum: Program;
/** A folder with the program as in a clone, where commands are run. */
let folder = '';

beforeAll(async () => {
  [native, ethereum] = await Promise.all([startProgram(), startProgram('--root', 'ethereum')]);
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(PROGRAM, join(folder, 'node_modules/.bin/ledgerd'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
});

/** Snapshots of the chains, so that each snippet finds them as they began. */
let snapshots: unknown[];

beforeEach(async () => {
  snapshots = await Promise.all([native, ethereum].map((node) => node.call('evm_snapshot')));
});

afterEach(() =>
  Promise.all([native, ethereum].map((node, index) => node.call('evm_revert', snapshots[index]))),
);

afterAll(async () => {
  await Promise.all([native.stop(), ethereum.stop()]);
  rmSync(folder, { recursive: true });
});

/** Replaces the standard address by that of a running node, with Ethereum if the text or its document needs it. */
function withUrl({ document, text }: Snippet): string {
  const needsEthereum = ETHEREUM_DOCUMENTS.has(document) || text.includes(`${STANDARD_URL}/ethereum`);
  return text.replaceAll(STANDARD_URL, (needsEthereum ? ethereum : native).url);
}

/** Returns the expected output of a block: the comments at its end. */
function expectedOutput(block: string, mark: string): string {
  const [comments = ''] = new RegExp(`(?:^${mark} .*\n)+$(?![^])`, 'm').exec(block) ?? [];
  return comments.replaceAll(new RegExp(`^${mark} `, 'gm'), '');
}

/** Runs a program to its end; one that starts a node is interrupted when the node has started. */
async function run(program: string, words: readonly string[], cwd: string) {
  const env = { ...process.env, LEDGERD_PORT: '0', NPM_CONFIG_UPDATE_NOTIFIER: 'false' };
  const child = spawn(program, words, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors, isInterrupted] = ['', '', false];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (isInterrupted || child.pid === undefined || !/^Endpoint|"event":"started"/m.test(output)) return;
    isInterrupted = true;
    process.kill(-child.pid, 'SIGINT');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [status] = await once(child, 'close');
  // A shell ends with the signal that its command has heeded.
  return { isWell: status === 0 || isInterrupted, output, errors };
}

describe('programs', () => {
  test.each(snippetsIn('js', 'ts'))('default: %s', async (_title, snippet) => {
    const text = withUrl(snippet).replaceAll('http()', `http('${native.url}')`);
    const { isWell, output, errors } = await run(
      process.execPath,
      ['--input-type=module', '--eval', text],
      ROOT,
    );
    expect({ isWell, errors }).toEqual({ isWell: true, errors: '' });
    const expected = expectedOutput(snippet.text, '//');
    if (expected !== '') expect(output).toBe(expected);
  });
});

describe('commands', () => {
  test.each(snippetsIn('sh', 'console'))('default: %s', async (_title, snippet) => {
    const text = withUrl(snippet);
    const commands =
      snippet.language === 'sh' ? text : [...text.matchAll(/^\$ (.*)$/gm)].map(([, line]) => line).join('\n');
    rmSync(join(folder, 'node'), { recursive: true, force: true });
    const { isWell, output, errors } = await run('bash', ['-e', '-o', 'pipefail', '-c', commands], folder);
    expect({ isWell, errors: isWell ? '' : errors }).toEqual({ isWell: true, errors: '' });
    const expected = expectedOutput(snippet.text, '#').trimEnd();
    if (expected !== '') expect(output.trimEnd()).toBe(expected);
  });
});

test('default: objects of JSON', () => {
  const objects = snippetsIn('json').map(([, { text }]) => text);
  expect(objects.length).toBeGreaterThan(1);
  for (const text of objects) {
    for (const part of text.startsWith('{"') ? text.trim().split('\n') : [text]) JSON.parse(part);
  }
});

test('behavior: every block is of a known language, and every exception is needed', () => {
  const known = ['js', 'ts', 'sh', 'console', 'json', 'mermaid', 'nginx', 'yaml'];
  expect(snippets.filter(({ language }) => !known.includes(language))).toEqual([]);
  const needless = NOT_RUN.filter(
    ([name, beginning]) =>
      !snippets.some(({ document, text }) => document === name && text.startsWith(beginning)),
  );
  expect(needless).toEqual([]);
});
