import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkCode, checkTitles } from './tidy/code.ts';
import { checkDocuments, checkLinks, checkReferences } from './tidy/documents.ts';
import { EXCEPTIONS } from './tidy/exceptions.ts';
import { checkExports } from './tidy/exports.ts';
import { checkCycles, checkFolders } from './tidy/folders.ts';
import { checkLengths } from './tidy/lengths.ts';
import { uncheckedPackages } from './tidy/locks.ts';
import { checkProfiles } from './tidy/profiles.ts';
import { checkReach } from './tidy/reach.ts';
import { type Problem, readSources, type Source } from './tidy/source.ts';
import { checkInterfaces, checkSubFolders } from './tidy/sub-folders.ts';
import { checkDocstrings, checkWords } from './tidy/words.ts';

const sources = readSources(fileURLToPath(new URL('..', import.meta.url)));

const checks: Readonly<Record<string, (sources: readonly Source[]) => readonly Problem[]>> = {
  'imports point down and enter a folder by its index.ts': checkFolders,
  'imports between parts of a folder point down': checkSubFolders,
  'interfaces export only names that are used': checkInterfaces,
  'there are no import cycles': checkCycles,
  'everything is imported': checkReach,
  'exports are used elsewhere': checkExports,
  'no condition on the id of a profile': checkProfiles,
  'files, functions, lines and classes are short': checkLengths,
  'no any, no bare errors, no unproven assertions': checkCode,
  'test titles follow the grammar': checkTitles,
  'no words that mean nothing to a reader': checkWords,
  'docstrings begin with a verb or a noun': checkDocstrings,
  'documents have one title': checkDocuments,
  'references to documents are valid': checkReferences,
  'links, files and commands in documents exist': (all) => checkLinks(all),
};

const found = Object.values(checks).flatMap((check) => check(sources));

function isExcepted(problem: Problem): boolean {
  return EXCEPTIONS.some(({ rule, path }) => rule === problem.rule && path === problem.path);
}

test.each(Object.entries(checks))('behavior: %s', (_title, check) => {
  const problems = check(sources).filter((problem) => !isExcepted(problem));
  expect(problems.map(({ path, line, rule, message }) => `${path}:${line} ${rule}: ${message}`)).toEqual([]);
});

test('behavior: every exception is needed and has a reason', () => {
  for (const { rule, path, reason } of EXCEPTIONS) {
    expect(reason).not.toBe('');
    const isNeeded = found.some((problem) => problem.rule === rule && problem.path === path);
    expect([rule, path, isNeeded]).toEqual([rule, path, true]);
  }
});

test.each([
  'package-lock.json',
  'test/package-lock.json',
  'bench/package-lock.json',
  'test/tools/package-lock.json',
  'test/explorer/package-lock.json',
  'site/package-lock.json',
  '.ci/node/package-lock.json',
  ...sources.map(({ path }) => path).filter((path) => /^examples\/.*\/package-lock\.json$/.test(path)),
])('behavior: %s has the checksums of its packages', (name) => {
  expect(uncheckedPackages(fileURLToPath(new URL(`../${name}`, import.meta.url)))).toEqual([]);
});

test('behavior: all kinds of files are checked', () => {
  const paths = sources.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['src/time/time.ts', 'bin/ledgerd.js', '.ci/run', 'test/tidy.test.ts']),
  );
});
