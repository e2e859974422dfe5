import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatGenesis } from '../ledger/index.ts';
import { chainGenesis } from './chain.testing.ts';
import { type DataFolder, dataFolderAt } from './data-folder.ts';
import { findGenesis, readGenesisFile, storeGenesis } from './genesis-file.ts';

const GENESIS = chainGenesis();
const OTHER = chainGenesis('other');

let folder: DataFolder;
let elsewhere: string;

beforeEach(() => {
  folder = dataFolderAt(mkdtempSync(join(tmpdir(), 'ledgerd-genesis-')));
  elsewhere = join(folder.path, 'elsewhere.json');
});

afterEach(() => rmSync(folder.path, { recursive: true, force: true }));

describe('findGenesis', () => {
  test('default: that of the folder', () => {
    writeFileSync(folder.genesis, formatGenesis(GENESIS));
    expect(findGenesis(folder, undefined)).toEqual(GENESIS);
  });

  test('args: a named one', () => {
    writeFileSync(elsewhere, formatGenesis(GENESIS));
    expect(findGenesis(folder, elsewhere)).toEqual(GENESIS);
  });

  test('behavior: a named genesis file may equal the one in the folder', () => {
    for (const path of [elsewhere, folder.genesis]) writeFileSync(path, formatGenesis(GENESIS));
    expect(findGenesis(folder, elsewhere)).toEqual(GENESIS);
  });

  test('error: a named one of another chain than the folder', () => {
    writeFileSync(folder.genesis, formatGenesis(GENESIS));
    writeFileSync(elsewhere, formatGenesis(OTHER));
    expect(() => findGenesis(folder, elsewhere)).toThrow(
      `${elsewhere} is the genesis of another chain than ${folder.genesis}`,
    );
  });

  test('error: neither', () => {
    expect(() => findGenesis(folder, undefined)).toThrow(
      expect.objectContaining({
        reason: 'notInitialized',
        message: expect.stringContaining(`create a new chain by "ledgerd init --data-dir ${folder.path}"`),
      }),
    );
  });

  test('error: neither, but the chain of test mode', () => {
    mkdirSync(folder.store);
    writeFileSync(join(folder.store, 'ledger.mdb'), '');
    expect(() => findGenesis(folder, undefined)).toThrow(
      expect.objectContaining({ reason: 'testChain', message: expect.stringContaining('--test') }),
    );
  });
});

describe('readGenesisFile', () => {
  test('error: no file', () => {
    expect(() => readGenesisFile(elsewhere)).toThrow(`the genesis file ${elsewhere} cannot be read: ENOENT`);
  });

  test('error: no JSON', () => {
    writeFileSync(elsewhere, '{');
    expect(() => readGenesisFile(elsewhere)).toThrow(`the genesis file ${elsewhere} is no genesis`);
  });

  test('error: an invalid field, with its path', () => {
    writeFileSync(elsewhere, formatGenesis(GENESIS).replace('"registrar"', '"registrars"'));
    expect(() => readGenesisFile(elsewhere)).toThrow('registrar');
  });

  test('error: a folder', () => {
    expect(() => readGenesisFile(folder.path)).toThrow(
      `the genesis file ${folder.path} cannot be read: it is not a regular file`,
    );
  });
});

describe('storeGenesis', () => {
  test('default: the file can be read back', () => {
    storeGenesis(folder, GENESIS);
    expect(readGenesisFile(folder.genesis)).toEqual(GENESIS);
    expect(statSync(folder.genesis).mode & 0o777).toBe(0o644);
  });

  test('behavior: an existing genesis file is not overwritten', () => {
    writeFileSync(folder.genesis, 'mine');
    storeGenesis(folder, GENESIS);
    expect(readFileSync(folder.genesis, 'utf8')).toBe('mine');
  });
});
