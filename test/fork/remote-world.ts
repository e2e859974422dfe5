import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { uniswap } from '../contracts/uniswap.ts';
import { call } from '../rpc-client.js';

/** A contract of the remote chain. */
export interface Placed {
  readonly abi: Abi;
  readonly address: Hex;
}

/** The contents of the remote chain of the tests. */
export interface RemoteWorld {
  readonly alice: Hex;
  readonly bob: Hex;
  readonly apple: Placed;
  readonly pear: Placed;
  readonly router: Placed;
  readonly factory: Placed;
  readonly sweep: Placed;
  readonly slots: readonly Placed[];
  /** Hashes of its transactions, in order. */
  readonly hashes: readonly Hex[];
}

const SUPPLY = 10n ** 24n;
/** An account without a key that has tokens and ether. */
export const WHALE: Hex = '0x00000000000000000000000000000000deadbee1';
export const DEADLINE = 4_000_000_000n;

/** Encodes a call of a contract. */
export function dataOf({ abi }: Placed, functionName: string, ...args: unknown[]): Hex {
  return encodeFunctionData({ abi, functionName, args });
}

/** Deploys tokens, an exchange and contracts with many slots, and uses them. */
export async function buildRemoteWorld(
  url: string,
  slotContracts: number,
  slots: number,
): Promise<RemoteWorld> {
  const [alice, bob] = (await call(url, 'eth_accounts')) as readonly Hex[];
  if (alice === undefined || bob === undefined) throw new Error('there are no accounts');
  const hashes: Hex[] = [];
  const send = async (transaction: object): Promise<{ contractAddress: Hex | null }> => {
    const hash = await call(url, 'eth_sendTransaction', { from: alice, gas: '0xf00000', ...transaction });
    hashes.push(hash);
    const receipt = await call(url, 'eth_getTransactionReceipt', hash);
    if (receipt?.status !== '0x1')
      throw new Error(`a transaction of the world failed: ${JSON.stringify(receipt)}`);
    return receipt;
  };
  const deploy = async ({ abi, bytecode }: CompiledContract, ...args: unknown[]): Promise<Placed> => {
    const { contractAddress } = await send({ data: encodeDeployData({ abi, bytecode, args }) });
    if (contractAddress === null) throw new Error('no contract was created');
    return { abi, address: contractAddress };
  };
  const token = await compileContract('Token');
  const wrapped = await deploy(uniswap.wrappedCoin());
  const factory = await deploy(uniswap.factory(), alice);
  const router = await deploy(uniswap.router(), factory.address, wrapped.address);
  const apple = await deploy(token, 'Apple', 'APL', SUPPLY);
  const pear = await deploy(token, 'Pear', 'PER', SUPPLY);
  for (const placed of [apple, pear]) {
    await send({ to: placed.address, data: dataOf(placed, 'approve', router.address, SUPPLY) });
    await send({ to: placed.address, data: dataOf(placed, 'transfer', WHALE, 10n ** 20n) });
  }
  await send({ to: WHALE, value: '0x8ac7230489e80000' });
  const liquidity = [apple.address, pear.address, 10n ** 20n, 4n * 10n ** 20n, 0n, 0n, alice, DEADLINE];
  await send({ to: router.address, data: dataOf(router, 'addLiquidity', ...liquidity) });
  const sweep = await deploy(await compileContract('Sweep'));
  const slotContract = await compileContract('Sweep', 'Slots');
  const many: Placed[] = [];
  for (let count = 0; count < slotContracts; count += 1) many.push(await deploy(slotContract, BigInt(slots)));
  return { alice, bob, apple, pear, router, factory, sweep, slots: many, hashes };
}
