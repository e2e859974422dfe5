import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NodeProcess } from '../node-process.ts';
import { runProgram, startProgram } from '../program.ts';

test('error: a follower of a test chain logs the reason for the refusal, and reverts still work', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-followed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const followed = await startProgram();
  onTestFinished(async () => {
    await followed.stop();
  });
  const id = await followed.call('evm_snapshot');
  await followed.call('evm_mine');
  expect(await runProgram('init', '--data-dir', folder)).toMatchObject({ status: 0 });
  const words = ['--data-dir', folder, '--port', '0', '--log-format', 'json', '--follow', followed.url];
  const follower = new NodeProcess(['start', ...words]);
  await follower.logged('followedSilent');
  expect(follower.output).toContain(
    'it responded with HTTP 404: it serves no blocks, as a node in test mode does not',
  );
  const asked = await fetch(`${followed.url}/blocks?from=1`);
  expect([asked.status, await asked.json()]).toMatchObject([
    404,
    { error: { message: 'no blocks are served: a chain in test mode cannot be followed' } },
  ]);
  // Nobody can have its blocks, so that there is nobody whose chain a revert would split.
  expect(await followed.call('evm_revert', id)).toBe(true);
  expect(await followed.call('eth_blockNumber')).toBe('0x0');
  expect(await follower.end('SIGTERM')).toMatchObject({ status: 0 });
});
