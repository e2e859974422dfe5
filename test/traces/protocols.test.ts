import { encodeFunctionData, type Hex, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileContract } from '../contracts/compile.ts';
import { uniswap } from '../contracts/uniswap.ts';
import { Pair } from './pair.ts';
import { anvilProgram } from './two-nodes.ts';

/** Traces of contracts that many use, by a node of ours and by anvil, frame by frame. */
const program = anvilProgram();
const ETHER = 10n ** 18n;
/** Common block times of both nodes, so that results that depend on them are equal. */
const LATER = 4_000_000_000;

let pair: Pair;

beforeAll(async () => {
  if (program !== undefined) pair = await Pair.start(program);
});

afterAll(async () => {
  await pair?.stop();
});

describe.skipIf(program === undefined)('protocols compared with anvil (skipped without anvil)', () => {
  test('behavior: a vault of ERC-4626', async () => {
    const asset = await pair.deployed(await compileContract('Token'), ['One', 'ONE', 10n ** 24n]);
    const vault = await pair.deployed(await compileContract('Protocols', 'Shares'), [asset.address]);
    const [owner, other] = pair.accounts;
    await pair.run(vault, 'deposit', [ETHER, owner]);
    await pair.run(asset, 'approve', [vault.address, 10n * ETHER]);
    await pair.run(vault, 'deposit', [ETHER, owner]);
    await pair.run(vault, 'mint', [ETHER, other]);
    await pair.run(asset, 'transfer', [vault.address, ETHER / 3n]);
    await pair.run(vault, 'withdraw', [ETHER / 2n, other, owner]);
    await pair.run(vault, 'redeem', [10n * ETHER, owner, owner]);
    await pair.run(vault, 'redeem', [ETHER / 4n, owner, owner]);
  });

  test("behavior: OpenZeppelin's governor, from the proposal to its execution", async () => {
    const [owner, other] = pair.accounts;
    await pair.setTime(LATER);
    const token = await pair.deployed(await compileContract('Protocols', 'VotingToken'));
    await pair.run(token, 'delegate', [owner]);
    const council = await pair.deployed(await compileContract('Protocols', 'Council'), [token.address]);
    await pair.run(token, 'transfer', [council.address, ETHER]);
    const pay = encodeFunctionData({ abi: token.abi, functionName: 'transfer', args: [other, ETHER] });
    const proposal = [[token.address], [0n], [pay]] as const;
    await pair.run(council, 'propose', [...proposal, 'pay']);
    const hash = keccak256(toHex('pay'));
    const id = await pair.call(
      council.address,
      encodeFunctionData({
        abi: council.abi,
        functionName: 'hashProposal',
        args: [...proposal, hash],
      }),
    );
    await pair.mine(2);
    await pair.run(council, 'execute', [...proposal, hash]);
    await pair.run(council, 'castVote', [BigInt(id), 1]);
    await pair.run(council, 'castVote', [BigInt(id), 1]);
    await pair.mine(4);
    await pair.run(council, 'execute', [...proposal, hash]);
    const balance = encodeFunctionData({ abi: token.abi, functionName: 'balanceOf', args: [other] });
    expect(BigInt(await pair.call(token.address, balance))).toBe(ETHER);
  });
});

describe.skipIf(program === undefined || !uniswap.hasV3())(
  'Uniswap v3 (skipped without it or anvil installed)',
  () => {
    test('behavior: pools, positions and swaps', async () => {
      const [owner] = pair.accounts;
      await pair.setTime(LATER + 1_000);
      const token = await compileContract('Token');
      const tokens = [
        await pair.deployed(token, ['One', 'ONE', 10n ** 24n]),
        await pair.deployed(token, ['Two', 'TWO', 10n ** 24n]),
      ].sort((one, two) => (BigInt(one.address) < BigInt(two.address) ? -1 : 1));
      const [one, two] = tokens as [(typeof tokens)[number], (typeof tokens)[number]];
      const v3 = uniswap.v3();
      const coin = await pair.deployed(uniswap.wrappedCoin());
      const factory = await pair.deployed(v3.factory);
      const positions = await pair.deployed(v3.positions, [factory.address, coin.address, ZERO]);
      const router = await pair.deployed(v3.router, [factory.address, coin.address]);
      for (const { address } of [positions, router]) {
        for (const asset of [one, two]) await pair.run(asset, 'approve', [address, 10n ** 24n]);
      }
      const [fee, deadline] = [3_000, BigInt(2 * LATER)];
      await pair.run(positions, 'createAndInitializePoolIfNecessary', [
        one.address,
        two.address,
        fee,
        2n ** 96n,
      ]);
      const sides = { token0: one.address, token1: two.address, fee, tickLower: -600, tickUpper: 600 };
      const amounts = { amount0Desired: 100n * ETHER, amount1Desired: 100n * ETHER };
      const least = { amount0Min: 0n, amount1Min: 0n };
      await pair.run(positions, 'mint', [{ ...sides, ...amounts, ...least, recipient: owner, deadline }]);
      const swap = {
        ...{ tokenIn: one.address, tokenOut: two.address, fee, recipient: owner, deadline },
        sqrtPriceLimitX96: 0n,
      };
      await pair.run(router, 'exactInputSingle', [{ ...swap, amountIn: ETHER, amountOutMinimum: 0n }]);
      await pair.run(router, 'exactInputSingle', [
        { ...swap, amountIn: ETHER, amountOutMinimum: 2n * ETHER },
      ]);
      await pair.run(router, 'exactOutputSingle', [
        { ...swap, amountOut: ETHER, amountInMaximum: 2n * ETHER },
      ]);
      const collected = { recipient: owner, amount0Max: 2n ** 100n, amount1Max: 2n ** 100n };
      await pair.run(positions, 'decreaseLiquidity', [{ tokenId: 1n, liquidity: ETHER, ...least, deadline }]);
      await pair.run(positions, 'collect', [{ tokenId: 1n, ...collected }]);
    });
  },
);

const ZERO: Hex = '0x0000000000000000000000000000000000000000';
