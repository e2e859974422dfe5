import { describe, expect, test } from 'vitest';
import { checkCode, checkTitles } from './code.ts';
import { checkDocuments, checkLinks, checkReferences } from './documents.ts';
import { checkExports } from './exports.ts';
import { checkCycles, checkFolders } from './folders.ts';
import { checkLengths } from './lengths.ts';
import { checkProfiles } from './profiles.ts';
import { checkReach } from './reach.ts';
import type { Problem, Source } from './source.ts';
import { checkInterfaces, checkSubFolders } from './sub-folders.ts';
import { checkDocstrings, checkWords } from './words.ts';

type Check = (sources: readonly Source[]) => readonly Problem[];

/** Runs a check on files that exist only here, written as path and text. */
function run(check: Check, files: Readonly<Record<string, string>>): string[] {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
  return check(sources).map(({ path, line, rule, message }) => `${path}:${line} ${rule}: ${message}`);
}

describe('folders', () => {
  test('behavior: an import that points down and enters by index.ts', () => {
    expect(
      run(checkFolders, {
        'src/ledger/a.ts':
          "import { b } from '../protocol/index.ts';\nimport { c } from '../time.ts';\nimport './d.ts';",
        'src/formatters/a.ts': "import type { Ledger } from '../ledger/index.ts';",
        'src/evm/assembly/a.ts': "import { keccak256 } from '../../protocol/assembly/keccak256';",
      }),
    ).toEqual([]);
  });

  test('error: an import that points up', () => {
    expect(run(checkFolders, { 'src/protocol/a.ts': "\nexport { b } from '../ledger/index.ts';" })).toEqual([
      'src/protocol/a.ts:2 folders: protocol may not import from ledger',
    ]);
    expect(run(checkFolders, { 'src/evm/a.ts': "const b = await import('../store/index.ts');" })).toEqual([
      'src/evm/a.ts:1 folders: evm may not import from store',
    ]);
  });

  test('error: an import of the lowest folders that points up', () => {
    expect(
      run(checkFolders, {
        'src/store/a.ts': "import '../time/time.ts';",
        'src/json/a.ts': "import '../time/time.ts';\nimport '../store/index.ts';",
      }),
    ).toEqual(['src/json/a.ts:2 folders: may not import from store']);
  });

  test('error: an import past index.ts', () => {
    expect(run(checkFolders, { 'src/ledger/a/b.ts': "import type { C } from '../../store/c.ts';" })).toEqual([
      'src/ledger/a/b.ts:1 folders: enters store by src/store/c.ts, not by its index.ts',
    ]);
  });

  test('error: an import that needs Node.js, in a browser', () => {
    expect(
      run(checkFolders, { 'explorer/src/abi/a.ts': "import '../../../src/solidity/index.ts';" }),
    ).toEqual([]);
    expect(run(checkFolders, { 'explorer/src/a.ts': "import '../../src/protocol/index.ts';" })).toEqual([
      'explorer/src/a.ts:1 folders: explorer may not import from protocol',
    ]);
    expect(run(checkFolders, { 'src/solidity/a.ts': "import '../time/time.ts';" })).toEqual([
      'src/solidity/a.ts:1 folders: solidity may not import src/time/time.ts',
    ]);
  });

  test('error: more than types', () => {
    expect(
      run(checkFolders, { 'src/formatters/a.ts': "import { type A, b } from '../ledger/index.ts';" }),
    ).toEqual(['src/formatters/a.ts:1 folders: formatters may import only types from ledger']);
  });
});

describe('parts of a folder', () => {
  test('behavior: imports that point down', () => {
    expect(
      run(checkSubFolders, {
        'src/ledger/index.ts': "export { A } from './blocks/a.ts';",
        'src/ledger/ledger.ts': "import { A } from './blocks/a.ts';\nimport './job.ts';",
        'src/ledger/blocks/a.ts': "import './b.ts';\nimport { c } from '../chain/c.ts';\nimport '../job.ts';",
        'src/ledger/chain/c.test.ts':
          "import './c.ts';\nimport '../index.ts';\nimport '../state/d.testing.ts';",
        'src/evm/engine/a.ts': "import { halt } from '../assembly/halt.ts';",
      }),
    ).toEqual([]);
  });

  test('error: imports that point up', () => {
    const up = (from: string, to: string) => run(checkSubFolders, { [from]: `import '${to}';` });
    expect(up('src/ledger/chain/a.ts', '../blocks/b.ts')).toEqual([
      'src/ledger/chain/a.ts:1 sub-folders: chain may not import from blocks',
    ]);
    expect(up('src/store/tables/a.ts', '../store.ts')).toEqual([
      'src/store/tables/a.ts:1 sub-folders: tables may not import from store.ts',
    ]);
    expect(up('src/store/tables/a.ts', '../index.ts')).toEqual([
      'src/store/tables/a.ts:1 sub-folders: imports the interface of its own folder',
    ]);
    expect(up('src/store/new/a.ts', '../errors.ts')).toEqual([
      'src/store/new/a.ts:1 sub-folders: new is not in the list of parts',
    ]);
  });

  test('error: an index.ts that exports an unused name', () => {
    const files = {
      'src/store/index.ts': "export { a, type B } from './file/index.ts';\nexport { c } from './c.ts';",
      'src/store/file/index.ts': "export { a, type B, d } from './a.ts';",
      'src/store/model.test.ts': "import { a, type B } from './index.ts';",
      'src/ledger/a.ts': "import { a } from '../store/index.ts';",
      'bench/a.js': "const { c } = await import('../dist/store/index.js');",
    };
    expect(run(checkInterfaces, files)).toEqual([
      'src/store/index.ts:0 interfaces: nothing outside imports B',
      'src/store/file/index.ts:0 interfaces: nothing outside imports d',
    ]);
  });
});

describe('cycles', () => {
  test('error: files that import each other', () => {
    expect(
      run(checkCycles, {
        'src/a/b.ts': "import './c.ts';",
        'src/a/c.ts': "export * from './d.ts';",
        'src/a/d.ts': "import type { B } from './b.ts';",
      }),
    ).toEqual(['src/a/b.ts:0 cycles: imports itself: src/a/b.ts > src/a/c.ts > src/a/d.ts > src/a/b.ts']);
  });

  test('behavior: two paths to one file are not a cycle', () => {
    const files = {
      'src/a/b.ts': "import './c.ts';\nimport './d.ts';",
      'src/a/c.ts': "import './d.ts';",
      'src/a/d.ts': '',
    };
    expect(run(checkCycles, files)).toEqual([]);
  });
});

describe('reach', () => {
  test('error: a file that no file imports, or only its test', () => {
    expect(
      run(checkReach, {
        'src/a/index.ts': "import './used.ts';",
        'src/a/used.ts': '',
        'src/a/tested.ts': '',
        'src/a/tested.test.ts': "import './tested.ts';",
        'src/a/unused.testing.ts': '',
        'src/evm/assembly/index.ts': "import { used } from './used';",
        'src/evm/assembly/used.ts': '',
        'src/evm/assembly/lost.ts': '',
      }),
    ).toEqual([
      'src/a/tested.ts:0 reach: nothing imports it',
      'src/a/unused.testing.ts:0 reach: nothing imports it',
      'src/evm/assembly/lost.ts:0 reach: nothing imports it',
    ]);
  });
});

describe('lengths', () => {
  const body = (lines: number) => '  step();\n'.repeat(lines);

  test('behavior: as long as it may be', () => {
    expect(
      run(checkLengths, { 'src/a.ts': `function f() {\n${body(98)}}\n`, 'src/b.ts': 'x;\n'.repeat(600) }),
    ).toEqual([]);
  });

  test('error: a function of one line more, in every form', () => {
    const forms = [
      `function f() {\n${body(99)}}\n`,
      `const f = () => {\n${body(99)}};\n`,
      `class A {\n  f() {\n${body(99)}  }\n}\n`,
      `test('default', () => {\n${body(99)}});\n`,
    ];
    for (const text of forms) {
      expect(run(checkLengths, { 'src/a.ts': text })).toEqual([
        expect.stringMatching(/^src\/a\.ts:\d function-length: a function of 101 lines$/),
      ]);
    }
    expect(run(checkLengths, { 'src/a.test.ts': `describe('a', () => {\n${body(99)}});\n` })).toEqual([]);
    expect(run(checkLengths, { 'test/a/rows/b.js': `function run(checks) {\n${body(99)}}\n` })).toEqual([]);
  });

  test('error: a class with one public member more', () => {
    const members = (count: number) =>
      Array.from({ length: count }, (_, index) => `  m${index}() {}\n`).join('');
    const classOf = (count: number) => `class A {\n  #own() {}\n  static open() {}\n${members(count)}}\n`;
    expect(
      run(checkLengths, { 'src/ledger/a.ts': classOf(40), 'src/ledger/a.test.ts': classOf(41) }),
    ).toEqual([]);
    expect(run(checkLengths, { 'src/ledger/a.ts': classOf(41) })).toEqual([
      'src/ledger/a.ts:1 class-members: a class with 41 public members',
    ]);
  });

  test('error: a long function of AssemblyScript', () => {
    const path = 'src/evm/assembly/a.ts';
    const functions = [
      `export function f(a: u32): void {\n${body(99)}}\n`,
      `function f(\n  a: u32,\n): void {\n${body(97)}}\n`,
    ];
    for (const text of functions) {
      expect(run(checkLengths, { [path]: `@inline\n${text}` })).toEqual([
        `${path}:2 function-length: a function of 101 lines`,
      ]);
    }
    expect(run(checkLengths, { [path]: `  if (a) {\n${body(100)}  }\n` })).toEqual([]);
  });

  test('error: a long file and a long line', () => {
    expect(run(checkLengths, { 'src/a.ts': 'x;\n'.repeat(601) })).toEqual([
      'src/a.ts:0 file-length: 601 lines',
    ]);
    expect(run(checkLengths, { 'src/a.ts': `\n// ${'x'.repeat(158)}` })).toEqual([
      'src/a.ts:2 line-length: a line of 161 characters',
    ]);
  });

  test('error: a long line of prose in a document', () => {
    const long = `word ${'x'.repeat(156)}`;
    expect(run(checkLengths, { 'docs/a.md': `# A\n\n${long}\n- ${long}\n` })).toEqual([
      'docs/a.md:3 line-length: a line of 161 characters',
      'docs/a.md:4 line-length: a line of 163 characters',
    ]);
    const spared = ['```sh', long, '```', `| ${long} |`, `https://${'x'.repeat(160)}`];
    expect(run(checkLengths, { 'docs/a.md': `# A\n\n${spared.join('\n')}\n` })).toEqual([]);
  });
});

describe('code', () => {
  test('error: any', () => {
    expect(run(checkCode, { 'test/a.test.ts': 'const a: Promise<any> = b();' })).toEqual([
      'test/a.test.ts:1 any: any disables type checks',
    ]);
  });

  test('error: a bare error, but not in a test', () => {
    const text = "function f() {\n  throw new Error('x');\n}";
    expect(run(checkCode, { 'src/a.ts': text, 'src/a.test.ts': text })).toEqual([
      'src/a.ts:2 bare-error: throws an error without a class of the project',
    ]);
    expect(run(checkCode, { 'src/a.ts': "throw new DecodeError('x');" })).toEqual([]);
  });

  test('error: an assertion without a proof', () => {
    const path = 'src/a.ts';
    expect(run(checkCode, { [path]: '\n\nconst a = b!.c;' })).toEqual([
      'src/a.ts:3 non-null: an assertion without a comment that proves it',
    ]);
    expect(
      run(checkCode, {
        [path]: '// b was set above\nconst a = b!.c;\nconst d = b!; // as above\nconst e = !b;',
      }),
    ).toEqual([]);
  });

  test('error: a source that is not TypeScript', () => {
    expect(() => run(checkCode, { 'src/a.ts': 'const = ;' })).toThrow('src/a.ts');
  });

  test('error: a title without its kind', () => {
    const path = 'src/a.test.ts';
    expect(run(checkTitles, { [path]: "test('it works', f);" })).toEqual([
      'src/a.test.ts:1 titles: "it works" contains none of default, args:, behavior:, error:',
    ]);
    expect(
      run(checkTitles, {
        [path]: "test('default', f);\ntest('add: behavior: carries', f);\ntest('error: no', f);",
      }),
    ).toEqual([]);
  });
});

test('error: an export that no file imports', () => {
  expect(
    run(checkExports, {
      'src/a.ts': 'export interface A {}\nexport const b = 1;\nexport function c(): void {}',
      'src/d.ts': "import { b } from './a.ts';",
    }),
  ).toEqual(['src/a.ts:3 exports: nothing imports c']);
});

test('error: a condition on the id of a profile, outside of its folder', () => {
  const text = "\nif (id === 'ledger') a();\nswitch (id) {\n  case 'ethereum':\n}\n";
  expect(
    run(checkProfiles, { 'src/rpc/a.ts': text, 'src/rpc/native/a.ts': text, 'src/cli/a.ts': text }),
  ).toEqual([
    'src/rpc/a.ts:2 profiles: a condition on the id of a profile',
    'src/rpc/a.ts:4 profiles: a condition on the id of a profile',
  ]);
});

describe('words', () => {
  test('error: references and markers that a reader of the repository cannot resolve', () => {
    const lines = [
      ['issue', '#12'].join(' '),
      ['sha', 'red/spec'].join(''),
      ['/wo', 'rk/main'].join(''),
      ['TO', 'DO'].join(''),
    ];
    for (const line of lines) expect(run(checkWords, { 'docs/a.md': `\n${line}` })).toHaveLength(1);
    expect(run(checkWords, { 'docs/a.md': 'An issue of homework: shared memory.' })).toEqual([]);
  });

  test('error: a reference to a heading that does not exist', () => {
    const documents = { 'docs/a.md': '# A\n\n## The rules, all of them\n' };
    const refer = (target: string) => run(checkReferences, { ...documents, 'src/a.ts': `// ${target}` });
    expect(refer(['docs', 'a.md#the-rules-all-of-them'].join('/'))).toEqual([]);
    expect(refer(['docs', 'a.md'].join('/'))).toEqual([]);
    expect(refer(['docs', 'a.md#the-rules'].join('/'))).toHaveLength(1);
    expect(refer(['docs', 'b.md'].join('/'))).toHaveLength(1);
  });

  test('error: a link, a file or a command that does not exist', () => {
    const files = {
      'docs/b.md': '# B\n\n## The rules\n',
      'bench/package.json': '{"scripts":{"bench:a":"node a.js"}}',
    };
    const exists = (path: string): boolean => path in files || path === 'docs/a.md' || path === 'src/a.ts';
    const linked = (line: string) =>
      run((sources) => checkLinks(sources, exists), { ...files, 'docs/a.md': `# A\n${line}` });
    const right = [
      '[b](b.md#the-rules)',
      '[a](#a)',
      '[web](https://example.org/x.md)',
      '`src/a.ts`',
      '`src/*/b.ts`',
    ];
    for (const line of [...right, '`npm run bench:a`', '`eth/a`']) expect(linked(line)).toEqual([]);
    for (const line of ['[c](c.md)', '[b](b.md#rules)', '[a](#b)', '`src/b.ts`', 'npm run bench:b -- --x']) {
      expect(linked(line)).toHaveLength(1);
    }
  });

  test('error: a document without a title, with two, or with a late one', () => {
    expect(run(checkDocuments, { 'a.md': '## A', 'b.md': '# A\n\n# B', 'c.md': 'x\n\n# A' })).toHaveLength(3);
    expect(run(checkDocuments, { 'a.md': '# A\n\n```sh\n# a comment\n```\n\n## B\n' })).toEqual([]);
  });
});

describe('docstrings', () => {
  /** Makes a docstring, so that this file has no rejected one. */
  const docstring = (words: string): string => ['/**', words, '*/'].join(' ');

  test('behavior: a docstring that begins with a verb or a noun', () => {
    const text = `${docstring('Returns the head.')}\n/* What is no docstring. */`;
    expect(run(checkDocstrings, { 'src/a.ts': text, 'docs/a.md': docstring('What it is.') })).toEqual([]);
  });

  test('error: a docstring that begins with a question word', () => {
    const text = `${docstring('Whether it is open.')}\n\n${docstring('\n * How long it waits.')}`;
    expect(run(checkDocstrings, { 'src/a.ts': text })).toEqual([
      'src/a.ts:1 docstrings: begins with Whether, not with a verb or a noun',
      'src/a.ts:3 docstrings: begins with How, not with a verb or a noun',
    ]);
  });
});
