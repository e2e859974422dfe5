import { Contract, ContractFactory, JsonRpcProvider, JsonRpcSigner } from 'ethers';
import { type Address, createPublicClient, createWalletClient, getAddress, http } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { type Program, startProgram } from '../program.ts';
import { connect, MODES } from './viem-modes.ts';

let program: Program;
let token: CompiledContract;

beforeAll(async () => {
  [program, token] = await Promise.all([startProgram(), compileContract('Token')]);
});

afterAll(() => program.stop());

test.each(MODES)('default: viem in mode %s takes tokens out of a contract', async (mode) => {
  const client = connect(program, mode);
  const [alice, bob] = await client.getAddresses();
  if (alice === undefined || bob === undefined) throw new Error('there are no test accounts');
  const { abi, bytecode } = token;
  const args = ['Token', 'T', 1_000n];
  const { contractAddress } = await client.waitForTransactionReceipt({
    hash: await client.deployContract({ account: alice, abi, bytecode, args }),
  });
  const address = contractAddress as Address;
  const transfer = { address, abi, functionName: 'transfer' } as const;
  await client.writeContract({ ...transfer, account: alice, args: [address, 400n] });
  await client.impersonateAccount({ address });
  const { request } = await client.simulateContract({ ...transfer, account: address, args: [bob, 150n] });
  const receipt = await client.waitForTransactionReceipt({ hash: await client.writeContract(request) });
  expect(receipt).toMatchObject({ status: 'success', from: address });
  await client.stopImpersonatingAccount({ address });
  await expect(client.writeContract(request)).rejects.toThrow('is not in the wallet');
  const balance = (of: Address) =>
    client.readContract({ address, abi, functionName: 'balanceOf', args: [of] });
  expect([await balance(address), await balance(bob)]).toEqual([250n, 150n]);
});

test('default: viem sends an unsigned transaction', async () => {
  const client = connect(program, 'anvil');
  const [, bob] = await client.getAddresses();
  const from = getAddress(`0x${'d8'.repeat(20)}`);
  const hash = await client.sendUnsignedTransaction({ from, to: bob, value: 0n });
  const { status, from: sender } = await client.waitForTransactionReceipt({ hash });
  expect({ status, sender: getAddress(sender) }).toEqual({ status: 'success', sender: from });
});

test('default: ethers signs for a contract after hardhat_impersonateAccount', async () => {
  const provider = new JsonRpcProvider(program.clientUrl, undefined, {
    pollingInterval: 50,
    cacheTimeout: -1,
  });
  const [alice, bob] = await Promise.all([provider.getSigner(0), provider.getSigner(1)]);
  const abi = JSON.stringify(token.abi);
  const created = await new ContractFactory(abi, token.bytecode, alice).deploy('Token', 'T', 1_000n);
  const address = (await created.deploymentTransaction()?.wait())?.contractAddress ?? '';
  await (await new Contract(address, abi, alice).getFunction('transfer').send(address, 400n)).wait();

  await provider.send('hardhat_impersonateAccount', [address]);
  const contract = new Contract(address, abi, new JsonRpcSigner(provider, address));
  const receipt = await (await contract.getFunction('transfer').send(bob, 150n)).wait();
  expect(receipt).toMatchObject({ status: 1, from: address });
  expect(await contract.getFunction('balanceOf').staticCall(bob)).toBe(150n);
  await provider.send('hardhat_stopImpersonatingAccount', [address]);
  provider.destroy();
});

test('behavior: the receipt of a deployment by an impersonated address has the contract address', async () => {
  const client = connect(program, 'anvil');
  const from = getAddress(`0x${'d9'.repeat(20)}`);
  await client.impersonateAccount({ address: from });
  const writer = createWalletClient({ transport: http(program.clientUrl), account: from });
  const reader = createPublicClient({ transport: http(program.clientUrl), pollingInterval: 50 });
  const { abi, bytecode } = token;
  const hash = await writer.deployContract({ chain: null, abi, bytecode, args: ['Token', 'T', 9n] });
  const { contractAddress: address } = await reader.waitForTransactionReceipt({ hash });
  if (address === null || address === undefined) throw new Error('no contract was created');
  expect(await reader.readContract({ address, abi, functionName: 'balanceOf', args: [from] })).toBe(9n);
});
