import { readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addBlocks, CommandFolders, run } from './chain.testing.ts';

const folders = new CommandFolders();
/** The folder of a chain of 12 blocks. */
let chain = '';

beforeAll(async () => {
  chain = folders.folder();
  await addBlocks(chain, 12);
});
afterAll(() => folders.clean());

describe('verify', () => {
  test('default: all of it', async () => {
    const { status, output, errors } = await run(['verify', '--data-dir', chain]);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(output).toMatch(
      new RegExp(
        [
          '^the chain is sound, in [\\d.]+ s',
          '  blocks 0 to 12 applied again: .*',
          '  \\d+ entries of all tables compared with the results of the blocks',
          '$',
        ].join('\n'),
      ),
    );
  });

  test('args: --quick', async () => {
    const { status, output } = await run(['verify', '--quick', '--data-dir', chain]);
    expect(status).toBe(0);
    expect(output).toMatch(
      new RegExp(
        [
          '^the newest state is sound, in [\\d.]+ s',
          '  \\d+ entries scanned: their root is that of block 12, [0-9a-f]{64}',
          '  balances sum to the supply, 1000000001000000000',
          '  block 12 matches its id, transactions, receipts and parent',
          '$',
        ].join('\n'),
      ),
    );
  });

  test('behavior: interrupted', async () => {
    const { status, errors } = await run(['verify', '--data-dir', chain], { isStopped: true });
    expect({ status, errors }).toEqual({ status: 1, errors: 'ledgerd: cannot verify: interrupted\n' });
  });

  test('error: no chain', async () => {
    const { status, errors } = await run(['verify', '--data-dir', folders.unused('nothing')]);
    expect(status).toBe(3);
    expect(errors).toMatch(/^ledgerd: cannot verify: there is no chain in [^\n]+\n$/);
  });

  test('error: no folder named', async () => {
    expect(await run(['verify'])).toMatchObject({ status: 2 });
  });
});

describe('backup', () => {
  test('default: a folder that can be verified', async () => {
    const to = folders.unused('backup');
    const { status, output } = await run(['backup', '--data-dir', chain, '--to', to]);
    expect(status).toBe(0);
    expect(output).toMatch(
      /^\S+\/backup has the chain up to block 12, [\d.]+ KiB, in [\d.]+ s\n {2}its newest state is sound\n/,
    );
    expect(output).toContain('left out because they hold secrets: wallet.json (--with-keys copies them)\n');
    expect(await run(['verify', '--data-dir', to])).toMatchObject({ status: 0 });
  });

  test('args: --with-keys', async () => {
    const to = folders.unused('backup');
    const { output } = await run(['backup', '--data-dir', chain, '--with-keys', '--to', to]);
    expect(output).not.toContain('left out');
    expect(readdirSync(to).sort()).toEqual(['control.json', 'ledger', 'wallet.json']);
  });

  test('error: a folder that is there', async () => {
    const { status, errors } = await run(['backup', '--data-dir', chain, '--to', chain]);
    expect(status).toBe(1);
    expect(errors).toBe(`ledgerd: cannot back up: ${chain} exists already: name a new folder\n`);
  });
});

describe('rollback', () => {
  test('default: and back by hand', async () => {
    const dataDir = folders.unused('chain');
    await run(['backup', '--data-dir', chain, '--with-keys', '--to', dataDir]);
    const { status, output, errors } = await run(['rollback', '--data-dir', dataDir, '--to', '5']);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(output).toMatch(/^the head is block 5, blocks rolled back: 7, in [\d.]+ s\n/);
    const [, keptIn = ''] = /^ {2}the previous chain is stored in (\S+)$/m.exec(output) ?? [];
    const [, keys = ''] =
      /^ {2}keys of test accounts that the chain no longer has are stored in (\S+)\n$/m.exec(output) ?? [];
    expect([dirname(keptIn), dirname(keys)]).toEqual([dataDir, dataDir]);
    expect(readdirSync(dataDir).sort()).toEqual(
      ['control.json', 'ledger', basename(keptIn), basename(keys), 'wallet.json'].sort(),
    );
    expect((await run(['verify', '--data-dir', dataDir])).output).toContain('blocks 0 to 5');
    await addBlocks(dataDir, 1);
    // As documented.
    renameSync(join(dataDir, 'ledger'), join(dataDir, 'ledger.given-up'));
    renameSync(keptIn, join(dataDir, 'ledger'));
    renameSync(keys, join(dataDir, 'wallet.json'));
    expect((await run(['verify', '--data-dir', dataDir])).output).toContain('blocks 0 to 12');
    await addBlocks(dataDir, 1);
  });

  test('args: --discard', async () => {
    const dataDir = folders.unused('chain');
    await run(['backup', '--data-dir', chain, '--to', dataDir]);
    const { output } = await run(['rollback', '--data-dir', dataDir, '--to', '0', '--discard']);
    expect(output).toMatch(
      /^the head is block 0, blocks rolled back: 12, in [\d.]+ s\n {2}the previous chain is deleted\n$/,
    );
    expect(readdirSync(dataDir).sort()).toEqual(['control.json', 'ledger']);
  });

  test('error: rolling back to the head reports that there is nothing to revert', async () => {
    const { status, errors } = await run(['rollback', '--data-dir', chain, '--to', '12']);
    expect(status).toBe(1);
    expect(errors).toContain('ledgerd: cannot roll back: the head is block 12: there is nothing to revert');
  });

  test('error: no block named', async () => {
    const { status, errors } = await run(['rollback', '--data-dir', chain]);
    expect(status).toBe(2);
    expect(errors).toContain("required option '--to <number>' not specified");
  });
});

describe('info', () => {
  test('default', async () => {
    const { status, output } = await run(['info', '--data-dir', chain]);
    expect(status).toBe(0);
    expect(output.replace(/[0-9a-f]{64}|[\d-]+T[\d:]+Z|[\d.]+ [KM]iB/g, '…')).toBe(
      [
        `Data           ${chain}`,
        'Mode           test',
        'Network        default, chain id 255, network id 255',
        'Native chain   …',
        'Hardfork       osaka',
        'Genesis        …',
        'Producers      1.2.1023',
        'Registrar      1.2.1023',
        'Supply         1000000001000000000 units',
        'Head           block 12, …',
        '               0x…',
        'Pending        0',
        'History        on',
        'Store          …, … of it in use',
        '',
      ].join('\n'),
    );
  });

  test('args: --json', async () => {
    const { output } = await run(['info', '--json', '--data-dir', chain]);
    expect(JSON.parse(output)).toMatchObject({
      dataDir: chain,
      inUse: false,
      mode: 'test',
      network: { name: 'default', chainId: 255, networkId: 255 },
      producers: ['1.2.1023'],
      supply: '1000000001000000000',
      head: { number: 12 },
      pending: 0,
      history: true,
    });
  });

  test('error: no chain', async () => {
    expect(await run(['info', '--data-dir', folders.folder()])).toMatchObject({ status: 3, output: '' });
  });
});
