import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { compileContract } from '../contracts/compile.ts';
import { uniswap } from '../contracts/uniswap.ts';
import { Pair } from './pair.ts';
import { anvilProgram } from './two-nodes.ts';

/** Traces of the same transactions by a node of ours and by anvil, frame by frame. */
const program = anvilProgram();

let pair: Pair;

beforeAll(async () => {
  if (program !== undefined) pair = await Pair.start(program);
});

afterAll(async () => {
  await pair?.stop();
});

describe.skipIf(program === undefined)('traces compared with anvil (skipped without anvil)', () => {
  test('behavior: every call type, and failures at every depth', async () => {
    const nested = await compileContract('Nested');
    const created = await pair.deploy(nested, [], 0n);
    await pair.compare(created);
    const to = created.contract;
    const run = async (functionName: string, args: readonly unknown[] = [], value = 0n): Promise<void> =>
      pair.compare(
        await pair.send({ to, data: encodeFunctionData({ abi: nested.abi, functionName, args }), value }),
      );
    await run('dive', [4n, 9n]);
    await run('dive', [4n, 0n]);
    await run('dive', [3n, 3n]);
    await run('borrow', [5n], 3n);
    await run('borrowCode', [5n], 3n);
    await run('look');
    await run('pay', [pair.accounts[1], 2n], 10n);
    await run('precompiles', ['0x01020304']);
    await run('endings', [pair.accounts[2]], 40n);
    await run('badCreations');
    await run('store', [3n, 4n]);
    await run('stumble');
  });

  test('behavior: a transfer, and a creation that fails', async () => {
    await pair.compare(await pair.send({ to: pair.accounts[3] as Hex, value: 5n }));
    await pair.compare(await pair.send({ data: '0x60006000fd' }));
    await pair.compare(await pair.send({ data: '0xfe', gas: 100_000n }));
  });

  test('behavior: Uniswap v2: deployment, liquidity, a swap', async () => {
    const token = await compileContract('Token');
    const [one, other] = [
      await pair.deploy(token, ['One', 'ONE', 10n ** 24n]),
      await pair.deploy(token, ['Two', 'TWO', 10n ** 24n]),
    ];
    const coin = await pair.deploy(uniswap.wrappedCoin());
    const factory = await pair.deploy(uniswap.factory(), [pair.accounts[0]]);
    const router = await pair.deploy(uniswap.router(), [factory.contract, coin.contract]);
    const approve = encodeFunctionData({
      abi: token.abi,
      functionName: 'approve',
      args: [router.contract, 10n ** 24n],
    });
    for (const { contract } of [one, other])
      await pair.compare(await pair.send({ to: contract, data: approve }));
    const { abi } = uniswap.router();
    const far = 10n ** 12n;
    await pair.compare(
      await pair.send({
        to: router.contract,
        data: encodeFunctionData({
          abi,
          functionName: 'addLiquidity',
          args: [one.contract, other.contract, 10n ** 20n, 10n ** 20n, 0n, 0n, pair.accounts[0], far],
        }),
      }),
    );
    const swap = (least: bigint): Hex =>
      encodeFunctionData({
        abi,
        functionName: 'swapExactTokensForTokens',
        args: [10n ** 18n, least, [one.contract, other.contract], pair.accounts[1], far],
      });
    await pair.compare(await pair.send({ to: router.contract, data: swap(0n) }));
    await pair.compare(await pair.send({ to: router.contract, data: swap(10n ** 30n) }));
  });
});
