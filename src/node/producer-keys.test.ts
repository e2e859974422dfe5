import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { signTransaction } from '../ledger/index.ts';
import {
  coreAmount,
  encode,
  equalBytes,
  formatPublicKey,
  signedTransactionCodec,
  toPrefixedHex,
} from '../protocol/index.ts';
import { MemoryLog } from './block-log/memory-log.testing.ts';
import { dataFolderAt } from './data-folder.ts';
import { formatKeyFile, generateKeys, KEY_FILE_MODE, readKeyFile } from './keys/key-file.ts';
import { TestNodes, type WatchedNode } from './node.testing.ts';

const nodes = new TestNodes();

afterEach(() => nodes.clean());

const keyPath = (dataDir: string, name: string): string => join(dataFolderAt(dataDir).keys, `${name}.json`);

/** Writes a new key of the producer beside the folder of keys. Returns its path and public key. */
function newKey(dataDir: string): { readonly path: string; readonly publicKey: string } {
  const { account } = readKeyFile(keyPath(dataDir, 'producer'));
  const keys = generateKeys();
  const path = join(dirname(dataFolderAt(dataDir).keys), 'next.json');
  writeFileSync(path, formatKeyFile({ account, name: 'producer-2', keys }), { mode: KEY_FILE_MODE });
  return { path, publicKey: formatPublicKey(keys.publicKey) };
}

/** Changes the producer's consensus key to that of a file. The producer pays. Returns the number of the block. */
async function rotate(dataDir: string, node: WatchedNode, path: string): Promise<number> {
  const { account, keys } = readKeyFile(keyPath(dataDir, 'producer'));
  const { ledger } = node;
  const { publicKey } = readKeyFile(path).keys;
  const head = ledger.blocks.head();
  const transaction = signTransaction(
    { type: 'accountUpdate', fee: coreAmount(20n), account, echorandKey: publicKey },
    keys,
    ledger.parameters.chainId,
    head,
    head.header.timestamp + 3_600,
  );
  const raw = toPrefixedHex(encode(signedTransactionCodec, transaction));
  const { result } = await node.call('eth_sendRawTransaction', raw);
  expect(result).toEqual(expect.stringMatching(/^0x/));
  const isChanged = (): boolean => {
    const key = ledger.accounts.account(account)?.echorandKey;
    return key !== undefined && equalBytes(key, publicKey);
  };
  await node.until(isChanged);
  return ledger.blocks.head().number;
}

async function metricOf(node: WatchedNode): Promise<string | undefined> {
  const text = await (await fetch(`${node.url}/metrics`)).text();
  return /^ledgerd_producer_missing\{producer="1\.2\.1023"\} (\d)$/m.exec(text)?.[1];
}

const ofKeys = ({ notices }: WatchedNode) => notices.filter(({ kind }) => kind.startsWith('producer'));

describe('a change of the key of a producer', () => {
  test('default: a new chain: the producer pays, the key that was added to the folder signs at once', async () => {
    const dataDir = await nodes.initialize(0.1);
    const node = await nodes.start(dataDir);
    const next = newKey(dataDir);
    renameSync(next.path, keyPath(dataDir, 'producer-2'));
    const number = await rotate(dataDir, node, keyPath(dataDir, 'producer-2'));
    await node.until(() => node.ledger.blocks.head().number >= number + 3);
    const { publicKey: key } = readKeyFile(keyPath(dataDir, 'producer-2')).keys;
    expect(ofKeys(node)).toEqual([{ kind: 'producerKeyChanged', producer: 1_023, key }]);
    expect(await node.health()).toMatchObject({ status: 200, report: { problems: [], warnings: [] } });
    expect(await metricOf(node)).toBe('0');
    await node.close();
    // The former key is not needed any longer; the record of signatures continues with the new one.
    rmSync(keyPath(dataDir, 'producer'));
    const again = await nodes.start(dataDir);
    const head = again.ledger.blocks.head().number;
    await again.until(() => again.ledger.blocks.head().number > head);
    expect(ofKeys(again)).toEqual([]);
  });

  test('args: both files at the start: their producer is named once', async () => {
    const dataDir = await nodes.initialize(0.1);
    renameSync(newKey(dataDir).path, keyPath(dataDir, 'producer-2'));
    const node = await nodes.start(dataDir);
    expect(node.notices).toContainEqual({ kind: 'keysLoaded', producers: [1_023], registrar: true });
    expect(node.description.producers).toEqual([1_023]);
    const number = await rotate(dataDir, node, keyPath(dataDir, 'producer-2'));
    await node.until(() => node.ledger.blocks.head().number > number);
    expect(ofKeys(node)).toMatchObject([{ kind: 'producerKeyChanged' }]);
  });

  test.each([
    ['error: no file has the key: reported at once, and loaded when there is one', undefined],
    ['error: the same with a block log', { url: 'memory', open: async () => new MemoryLog().open() }],
  ])('%s', async (_title, log) => {
    const dataDir = await nodes.initialize(0.1);
    const node = await nodes.start(dataDir, { log });
    const next = newKey(dataDir);
    const number = await rotate(dataDir, node, next.path);
    const reason =
      `the chain has the consensus key ${next.publicKey} for 1.2.1023, and no file in ${dataFolderAt(dataDir).keys} ` +
      'has it: this node makes no block of 1.2.1023 without it';
    expect(ofKeys(node)).toEqual([{ kind: 'producerKeyMissing', producer: 1_023, reason }]);
    expect(await node.health()).toMatchObject({ status: 503, report: { problems: [reason], block: number } });
    expect(await metricOf(node)).toBe('1');
    expect(await node.call('eth_mining')).toMatchObject({ result: false });
    renameSync(next.path, keyPath(dataDir, 'producer-2'));
    await node.until(() => node.ledger.blocks.head().number > number);
    expect(ofKeys(node).map(({ kind }) => kind)).toEqual(['producerKeyMissing', 'producerKeyChanged']);
    expect(await node.health()).toMatchObject({ status: 200, report: { problems: [] } });
    expect(await metricOf(node)).toBe('0');
  });

  test('error: a file that others can read, or with another key at the start', async () => {
    const dataDir = await nodes.initialize(0.1);
    const node = await nodes.start(dataDir);
    const { path } = newKey(dataDir);
    cpSync(path, keyPath(dataDir, 'producer-2'));
    writeFileSync(join(dataFolderAt(dataDir).keys, 'other.json'), '{}', { mode: KEY_FILE_MODE });
    await rotate(dataDir, node, path);
    expect(ofKeys(node)).toMatchObject([
      {
        kind: 'producerKeyMissing',
        reason: expect.stringMatching(/which cannot be loaded \(.*other\.json is no/),
      },
    ]);
    await node.close();
    for (const name of ['other', 'producer-2']) rmSync(keyPath(dataDir, name));
    const again = await nodes.start(dataDir);
    expect(ofKeys(again)).toMatchObject([
      { kind: 'producerKeyMissing', reason: expect.stringMatching(/no file/) },
    ]);
  });
});
