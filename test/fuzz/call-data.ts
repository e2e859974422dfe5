import { type AbiFunction, type AbiParameter, encodeFunctionData, type Hex } from 'viem';
import type { Random } from './random.ts';
import type { DeployedContract, World } from './world.ts';

/** Encodes a call of a function that a contract has, with arguments of the right types. */
export function callData(random: Random, { abi }: DeployedContract, world: World): Hex {
  const functions = abi.filter((item): item is AbiFunction => item.type === 'function');
  const called = random.pick(functions);
  const args = called.inputs.map((input) => argumentOf(random, input, world));
  return encodeFunctionData({ abi: [called], args });
}

/** Small numbers repeat earlier values; large ones overflow. */
function argumentOf(random: Random, { type }: AbiParameter, { wallet }: World): unknown {
  if (type === 'address') return `0x${Buffer.from(random.pick(wallet.list())).toString('hex')}`;
  if (type === 'string') return random.pick(['', 'a reason', '💥', 'x'.repeat(100)]);
  if (type === 'uint256') return random.oneIn(10) ? 2n ** 256n - 1n : BigInt(random.below(8));
  throw new TypeError(`no argument of type ${type}`);
}
