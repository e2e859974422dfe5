import {
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodePacked,
  getContractAddress,
  type Hash,
  http,
  isAddressEqual,
  keccak256,
  parseEventLogs,
} from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { PAIR_CODE_HASH, uniswap } from '../contracts/uniswap.ts';
import { type Program, startProgram } from '../program.ts';

const SUPPLY = 10n ** 24n;
/** A second that no test lives to see. */
const DEADLINE = 4_000_000_000n;

let program: Program;
let exchange: Awaited<ReturnType<typeof deployExchange>>;

beforeAll(async () => {
  program = await startProgram();
  // In a later second a pair also writes prices, for which an estimate of this second is too low.
  await program.call('anvil_setBlockTimestampInterval', 0);
  exchange = await deployExchange();
});

afterAll(() => program.stop());

/** A contract together with where it is. */
type Deployed = Pick<CompiledContract, 'abi'> & { readonly address: Address };

async function deployExchange() {
  const chain = defineChain({
    id: 255,
    name: 'ledgerd',
    nativeCurrency: { name: 'unit', symbol: 'UNIT', decimals: 0 },
    rpcUrls: { default: { http: [program.clientUrl] } },
  });
  const transport = http(program.clientUrl);
  const reader = createPublicClient({ chain, transport, pollingInterval: 50 });
  const [account] = await createWalletClient({ chain, transport }).getAddresses();
  if (account === undefined) throw new Error('there are no test accounts');
  const writer = createWalletClient({ chain, transport, account });
  const received = async (hash: Hash) => {
    const receipt = await reader.waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe('success');
    return receipt;
  };
  const deploy = async (contract: CompiledContract, ...args: unknown[]): Promise<Deployed> => {
    const hash = await writer.deployContract({ abi: contract.abi, bytecode: contract.bytecode, args });
    const { contractAddress } = await received(hash);
    if (contractAddress === null || contractAddress === undefined) throw new Error('no contract was created');
    return { abi: contract.abi, address: contractAddress };
  };
  const send = async ({ abi, address }: Deployed, functionName: string, args: unknown[], value = 0n) =>
    received(await writer.writeContract({ abi, address, functionName, args, value }));
  const read = ({ abi, address }: Deployed, functionName: string, args: unknown[] = []) =>
    reader.readContract({ abi, address, functionName, args });

  const token = await compileContract('Token');
  const wrapped = await deploy(uniswap.wrappedCoin());
  const factory = await deploy(uniswap.factory(), account);
  const router = await deploy(uniswap.router(), factory.address, wrapped.address);
  const apple = await deploy(token, 'Apple', 'APL', SUPPLY);
  const pear = await deploy(token, 'Pear', 'PER', SUPPLY);
  for (const { abi, address } of [apple, pear])
    await send({ abi, address }, 'approve', [router.address, SUPPLY]);
  return { reader, account, send, read, wrapped, factory, router, apple, pear };
}

/** The pair's address by EIP-1014: the factory creates it with the sorted tokens as the salt. */
function pairAddress(one: Address, other: Address): Address {
  const sorted = [one, other].sort((left, right) => (BigInt(left) < BigInt(right) ? -1 : 1));
  const salt = keccak256(encodePacked(['address', 'address'], [sorted[0] ?? one, sorted[1] ?? other]));
  return getContractAddress({
    opcode: 'CREATE2',
    from: exchange.factory.address,
    salt,
    bytecodeHash: PAIR_CODE_HASH,
  });
}

/**
 * Returns the payout by the pair's rule: the product of the reserves stays constant, after a fee of 0.3 %.
 */
function payout(paid: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  return (paid * 997n * reserveOut) / (reserveIn * 1000n + paid * 997n);
}

test('default: liquidity is added to a pair that the router finds by its CREATE2 address', async () => {
  const { apple, pear, router, factory, account, send, read } = exchange;
  const amounts = [1_000_000n, 4_000_000n] as const;
  const parameters = [apple.address, pear.address, ...amounts, 0n, 0n, account, DEADLINE];
  const receipt = await send(router, 'addLiquidity', parameters);
  const address = pairAddress(apple.address, pear.address);
  const pair = { abi: uniswap.pair().abi, address };
  const listed = await read(factory, 'getPair', [apple.address, pear.address]);
  expect(typeof listed === 'string' && isAddressEqual(`0x${listed.slice(2)}`, address)).toBe(true);
  // The square root of the product, less the 1,000 that the first deposit locks forever.
  expect(await read(pair, 'balanceOf', [account])).toBe(2_000_000n - 1_000n);
  const events = parseEventLogs({ abi: [...factory.abi, ...pair.abi], logs: receipt.logs });
  expect(events.map(({ eventName }) => eventName)).toEqual(
    expect.arrayContaining(['PairCreated', 'Transfer', 'Sync', 'Mint']),
  );
  const id = await program.call('eth_getCode', address.toLowerCase(), 'latest');
  expect(id).toMatch(/^0x6080/);
});

test('behavior: a swap pays by the rule of the constant product', async () => {
  const { apple, pear, router, account, send, read } = exchange;
  await send(router, 'addLiquidity', [
    apple.address,
    pear.address,
    10n ** 9n,
    4n * 10n ** 9n,
    0n,
    0n,
    account,
    DEADLINE,
  ]);
  const pair = { abi: uniswap.pair().abi, address: pairAddress(apple.address, pear.address) };
  const [reserveIn, reserveOut] = [
    await read(apple, 'balanceOf', [pair.address]),
    await read(pear, 'balanceOf', [pair.address]),
  ].map((balance) => BigInt(String(balance)));
  const before = BigInt(String(await read(pear, 'balanceOf', [account])));
  const path = [apple.address, pear.address];
  const expected = payout(1_000_000n, reserveIn ?? 0n, reserveOut ?? 0n);
  expect(await read(router, 'getAmountsOut', [1_000_000n, path])).toEqual([1_000_000n, expected]);
  await send(router, 'swapExactTokensForTokens', [1_000_000n, 1n, path, account, DEADLINE]);
  expect(await read(pear, 'balanceOf', [account])).toBe(before + expected);
});

test('behavior: native units are wrapped, traded and unwrapped', async () => {
  const { reader, apple, wrapped, router, account, send, read } = exchange;
  await send(
    router,
    'addLiquidityETH',
    [apple.address, 10n ** 6n, 0n, 0n, account, DEADLINE],
    5n * 10n ** 6n,
  );
  expect(await reader.getBalance({ address: wrapped.address })).toBe(5n * 10n ** 6n);
  const apples = BigInt(String(await read(apple, 'balanceOf', [account])));
  const buying = [wrapped.address, apple.address];
  await send(router, 'swapExactETHForTokens', [1n, buying, account, DEADLINE], 1_000n);
  const bought = payout(1_000n, 5n * 10n ** 6n, 10n ** 6n);
  expect(await read(apple, 'balanceOf', [account])).toBe(apples + bought);

  const units = await reader.getBalance({ address: account });
  const { gasUsed } = await send(router, 'swapExactTokensForETH', [
    bought,
    1n,
    buying.reverse(),
    account,
    DEADLINE,
  ]);
  const regained = payout(bought, 10n ** 6n - bought, 5n * 10n ** 6n + 1_000n);
  expect(await reader.getBalance({ address: account })).toBe(units - gasUsed + regained);
});

test('error: a swap that pays too little is refused with the reason of the router', async () => {
  const { apple, pear, router, account, send } = exchange;
  const path = [apple.address, pear.address];
  await expect(
    send(router, 'swapExactTokensForTokens', [10n, 10n ** 20n, path, account, DEADLINE]),
  ).rejects.toThrow('UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT');
  await expect(send(router, 'swapExactTokensForTokens', [10n, 1n, path, account, 1n])).rejects.toThrow(
    'UniswapV2Router: EXPIRED',
  );
});
