import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../commands/chain.testing.ts';
import { TABLE } from '../settings/table.ts';

/** Commands that print the completions of a command line in each shell. */
const COMMANDS = [
  ...['start', 'init', 'config', 'info', 'verify', 'backup', 'export', 'import', 'rollback'],
  ...['fork', 'register', 'completion'],
];

let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-completion-'));
  mkdirSync(join(folder, 'a chain'));
  writeFileSync(join(folder, 'archive'), '');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, output } = await run(['completion', shell]);
    expect(status).toBe(0);
    writeFileSync(join(folder, `completion.${shell}`), output);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

function shell(program: string, ...words: string[]): string[] {
  const { stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** The words that bash offers for the last of those on the command line. */
function bash(...words: string[]): string[] {
  const script = `source ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ledgerd
    if ((\${#COMPREPLY[@]})); then printf '%s\\n' "\${COMPREPLY[@]}"; fi`;
  return shell('bash', '--norc', '-c', script, 'bash', 'ledgerd', ...words);
}

describe.skipIf(!isThere('bash'))('bash', () => {
  test('default: every command, and every setting with or without start', () => {
    expect(bash('')).toEqual(expect.arrayContaining(COMMANDS));
    const flags = TABLE.map(({ name }) => `--${name}`);
    expect(bash('--')).toEqual(expect.arrayContaining([...flags, '--version', '--help']));
    expect(bash('start', '--')).toEqual(expect.arrayContaining(flags));
    expect(bash('config', '--')).toEqual(expect.arrayContaining(flags));
  });

  test.each<[string[], string[]]>([
    [['re'], ['register']],
    [['--hardf'], ['--hardfork']],
    [['init', '--hardfork', 's'], ['shanghai']],
    [['--port', '0', '--hardfork', 'o'], ['osaka']],
    [['init', '--network', ''], []],
    [
      ['start', '--network', 'd'],
      ['dev', 'default'],
    ],
    [['register', '--s'], ['--seed-file']],
    [
      ['info', '--data-dir', 'a'],
      ['a chain', 'archive'],
    ],
    [['import', 'arch'], ['archive']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['start', '--port', ''], []],
    [['verify', ''], []],
  ])('args: %j', (words, offered) => {
    expect(bash(...words).sort()).toEqual([...offered].sort());
  });
});

describe.skipIf(!isThere('fish'))('fish', () => {
  const fish = (line: string) =>
    shell('fish', '--no-config', '-c', `source ./completion.fish; complete -C ${JSON.stringify(line)}`).map(
      (offer) => offer.split('\t')[0],
    );

  test('default: every command', () => {
    expect(fish('ledgerd ').sort()).toEqual([...COMMANDS].sort());
  });

  test.each<[string, string[]]>([
    ['ledgerd --hardf', ['--hardfork']],
    ['ledgerd start --hardf', ['--hardfork']],
    ['ledgerd init --hardfork s', ['shanghai']],
    ['ledgerd register --s', ['--seed-file']],
    ['ledgerd import arch', ['archive']],
    ['ledgerd completion ', ['bash', 'fish', 'zsh']],
    ['ledgerd info --po', []],
  ])('args: %s', (line, offered) => {
    expect(fish(line)).toEqual(offered);
  });
});

describe.skipIf(!isThere('zsh'))('zsh', () => {
  /** Returns the command line after the tab key in a terminal. */
  function zsh(line: string): string | undefined {
    const inner = `PS1=; autoload -U compinit; compinit -D -u
      source ./completion.zsh; accept() { print -r -- "<<$BUFFER>>"; zle send-break }; zle -N accept
      bindkey '^X' accept; print ready`;
    writeFileSync(join(folder, 'inner.zsh'), inner);
    const outer = `zmodload zsh/zpty; zpty shell zsh -f -i
      zpty -w shell 'source ./inner.zsh'; zpty -r shell out '*ready*'
      zpty -n -w shell $'${line}\\t\\x18'; zpty -r shell out '*<<*>>*'; print -r -- $out; zpty -d shell`;
    return /<<(.*)>>/.exec(shell('zsh', '-f', '-c', outer).join('\n'))?.[1];
  }

  test.each([
    ['ledgerd regi', 'ledgerd register '],
    ['ledgerd --hardf', 'ledgerd --hardfork '],
    ['ledgerd init --hardfork sh', 'ledgerd init --hardfork shanghai '],
    ['ledgerd register --seed', 'ledgerd register --seed-file '],
    ['ledgerd import arch', 'ledgerd import archive '],
    ['ledgerd completion fi', 'ledgerd completion fish '],
  ])('args: %s', (line, completed) => {
    expect(zsh(line)).toBe(completed);
  });
});

test('error: another shell', async () => {
  const { status, errors } = await run(['completion', 'csh']);
  expect(status).toBe(2);
  expect(errors).toContain('Allowed choices are bash, zsh, fish');
});
