import { chmodSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PrivateKey, Transaction } from '../../native/index.ts';
import { DEFAULT_CONFIGURATION, startTestNode, type TestNode } from '../../node/index.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import { CommandFolders, type Run, run } from './chain.testing.ts';

const folders = new CommandFolders();
const CHAIN_ID = '11'.repeat(32);
const BLOCK = `0x00000bb8${'ab'.repeat(16)}`;
const TIME = '2030-01-31T12:00:00';
const OPERATIONS = [{ type: 'transfer', fee: 20, from: '1.2.1024', to: '1.2.1025', amount: 5 }] as const;
const OFFLINE = ['--chain-id', CHAIN_ID, '--reference-block', BLOCK, '--expiration', TIME];

let node: TestNode;
let url = '';
/** The first account's key, and another. */
let keyFile = '';
let otherFile = '';

beforeAll(async () => {
  node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0 });
  url = node.url;
  const [record] = node.wallet.records();
  keyFile = secretFile(toPrefixedHex(record?.privateKey ?? new Uint8Array()));
  otherFile = secretFile('22'.repeat(32));
});
afterAll(async () => {
  await node.close();
  folders.clean();
});

function secretFile(text: string, mode = 0o600): string {
  const file = folders.unused('key');
  writeFileSync(file, `${text}\n`, { mode });
  chmodSync(file, mode);
  return file;
}

/** Signs the transaction on the standard input. */
function sign(json: unknown, ...words: readonly string[]): Promise<Run> {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return run(['sign', ...words, '-'], { input: Readable.from([Buffer.from(text)]) });
}

describe('sign', () => {
  test('default: signs a transaction that a node accepts, with the chain id and block from that node', async () => {
    const { status, output, errors } = await sign(
      { operations: OPERATIONS },
      '--key-file',
      keyFile,
      '--url',
      url,
    );
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(Transaction.fromHex(output.trim()).signatures).toHaveLength(1);
  });

  test('args: --send prints the hash', async () => {
    const words = ['--key-file', keyFile, '--url', url, '--send'];
    const { status, output, errors } = await sign({ operations: OPERATIONS }, ...words);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(output).toMatch(/^0x0{15}1[0-9a-f]{48}\n$/);
  });

  test('args: without a node, from a file, by two keys', async () => {
    const file = folders.unused('transaction');
    writeFileSync(file, JSON.stringify({ operations: OPERATIONS }));
    const words = ['sign', '--key-file', keyFile, '--key-file', otherFile, ...OFFLINE, file];
    const { output } = await run(words);
    const unsigned = Transaction.create({ operations: OPERATIONS, referenceBlock: BLOCK, expiration: TIME });
    const second = unsigned.sign(PrivateKey.parse('22'.repeat(32)), CHAIN_ID).signatures;
    const signed = Transaction.fromHex(output.trim());
    expect([signed.id, signed.signatures[1]]).toEqual([unsigned.id, second[0]]);
  });

  test('behavior: one key after the other, by the JSON form', async () => {
    const unsigned = Transaction.create({ operations: OPERATIONS, referenceBlock: BLOCK, expiration: TIME });
    const first = await sign(unsigned, '--key-file', keyFile, '--chain-id', CHAIN_ID);
    const words = ['--key-file', otherFile, '--chain-id', CHAIN_ID];
    const both = await sign(Transaction.fromHex(first.output.trim()), ...words);
    const together = await sign(
      { operations: OPERATIONS },
      '--key-file',
      keyFile,
      '--key-file',
      otherFile,
      ...OFFLINE,
    );
    expect(both.output).toBe(together.output);
  });

  test.each<[title: string, json: unknown, words: string[], status: number, message: string]>([
    ['no JSON', '{', OFFLINE, 1, 'cannot sign: the transaction must be a JSON object'],
    ['no operations', {}, OFFLINE, 1, 'transaction.operations: must be an array'],
    [
      'an operation that is none',
      { operations: [null] },
      OFFLINE,
      1,
      'transaction.operations[0]: must be an object',
    ],
    ['an unknown key', { operations: [], memo: 1 }, OFFLINE, 1, 'transaction.memo: unknown key'],
    [
      'a time that is none',
      { operations: [], expiration: 7 },
      OFFLINE,
      1,
      'transaction.expiration: must be a time',
    ],
    ['no block', { operations: OPERATIONS }, [], 2, '--reference-block: give it, or name a node by --url'],
    [
      'no chain id',
      { operations: OPERATIONS },
      OFFLINE.slice(2),
      2,
      '--chain-id: give it, or name a node by --url',
    ],
    ['two blocks', { ref_block_num: 1 }, OFFLINE, 2, 'the transaction contains them'],
    ['--send without a node', {}, [...OFFLINE, '--send'], 2, '--send: name the node by --url'],
    ['a chain id that is none', {}, ['--chain-id', '0x11'], 2, '--chain-id: expected 64 hexadecimal digits'],
    [
      'a node that is not there',
      { operations: OPERATIONS },
      ['--url', 'http://127.0.0.1:1'],
      1,
      'cannot sign: cannot reach the node at http://127.0.0.1:1/',
    ],
  ])('error: %s', async (_title, json, words, status, message) => {
    const { errors, output, ...ended } = await sign(json, '--key-file', otherFile, ...words);
    expect({ status: ended.status, output }).toEqual({ status, output: '' });
    expect(errors).toContain(message);
  });

  test('error: a signature that the node does not want', async () => {
    const words = ['--key-file', otherFile, '--url', url, '--send'];
    const { status, errors } = await sign({ operations: OPERATIONS }, ...words);
    expect(status).toBe(1);
    expect(errors).toMatch(/^ledgerd: cannot sign: the node refuses: .*signature/);
  });
});

describe('keys', () => {
  test('args: the wallet import format', async () => {
    const wif = secretFile(PrivateKey.parse('22'.repeat(32)).toWif());
    const [byDigits, byWif] = await Promise.all(
      [otherFile, wif].map((file) => sign({ operations: OPERATIONS }, '--key-file', file, ...OFFLINE)),
    );
    expect(byWif?.output).toBe(byDigits?.output);
    expect(byWif?.output).not.toBe('');
  });

  test('error: none named', async () => {
    expect(await sign({})).toMatchObject({
      status: 2,
      errors: expect.stringContaining('--key-file: name the file'),
    });
  });

  test.each([
    [
      'error: a text that is no key',
      'some words',
      0o600,
      / is no key file: expected one of ledgerd init, 64 hex/,
    ],
    [
      'error: a file that others can read',
      '22'.repeat(32),
      0o644,
      /users other than its owner can read or write/,
    ],
  ])('%s', async (_title, text, mode, message) => {
    const { status, errors } = await sign({}, '--key-file', secretFile(text, mode), ...OFFLINE);
    expect(status).toBe(3);
    expect(errors).toMatch(message);
    expect(errors).not.toContain(text);
  });
});
