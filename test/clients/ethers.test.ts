import {
  Contract,
  ContractFactory,
  Interface,
  isError,
  JsonRpcProvider,
  type JsonRpcSigner,
  verifyMessage,
} from 'ethers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { type Program, startProgram } from '../program.ts';

let program: Program;
let token: CompiledContract;
let probe: CompiledContract;
let provider: JsonRpcProvider;
let alice: JsonRpcSigner;
let bob: JsonRpcSigner;

beforeAll(async () => {
  [program, token, probe] = await Promise.all([
    startProgram(),
    compileContract('Token'),
    compileContract('Probe'),
  ]);
  provider = new JsonRpcProvider(program.clientUrl, undefined, { pollingInterval: 50, cacheTimeout: -1 });
  [alice, bob] = await Promise.all([provider.getSigner(0), provider.getSigner(1)]);
});

afterAll(async () => {
  provider.destroy();
  await program.stop();
});

/**
 * The library predicts a new contract's address from the sender's nonce, which this ledger does not have:
 * here contracts are numbered. The receipt tells the address.
 */
async function deploy(contract: CompiledContract, ...parameters: unknown[]): Promise<Contract> {
  const abi = JSON.stringify(contract.abi);
  const predicted = await new ContractFactory(abi, contract.bytecode, alice).deploy(...parameters);
  const receipt = await predicted.deploymentTransaction()?.wait();
  if (typeof receipt?.contractAddress !== 'string') throw new Error('no contract was created');
  expect(receipt.contractAddress).not.toBe(await predicted.getAddress());
  return new Contract(receipt.contractAddress, abi, alice);
}

/** Calls a function that the contract has. */
function call(contract: Contract, name: string, ...parameters: unknown[]): Promise<unknown> {
  return contract.getFunction(name).staticCall(...parameters);
}

async function send(contract: Contract, name: string, ...parameters: unknown[]) {
  const transaction = await contract.getFunction(name).send(...parameters);
  const receipt = await transaction.wait();
  if (receipt === null) throw new Error('the transaction has no receipt');
  return receipt;
}

test('default: the chain and a plain transfer', async () => {
  expect((await provider.getNetwork()).chainId).toBe(255n);
  const before = await provider.getBalance(bob.address);
  const receipt = await (await alice.sendTransaction({ to: bob.address, value: 9n })).wait();
  expect(receipt).toMatchObject({ status: 1, from: alice.address, to: bob.address, gasUsed: 20n });
  expect(await provider.getBalance(bob.address)).toBe(before + 9n);
  const block = await provider.getBlock(receipt?.blockNumber ?? -1, true);
  expect(block?.prefetchedTransactions[0]).toMatchObject({ value: 9n, nonce: 0, hash: receipt?.hash });
});

test('behavior: a token is deployed, and moves', async () => {
  const contract = await deploy(token, 'Ledger Token', 'LT', 1_000n);
  const receipt = await send(contract, 'transfer', bob.address, 40n);
  expect(await call(contract, 'balanceOf', alice.address)).toBe(960n);
  expect(await call(contract, 'balanceOf', bob.address)).toBe(40n);
  expect(receipt.logs.map((log) => contract.interface.parseLog(log)?.args.toArray())).toEqual([
    [alice.address, bob.address, 40n],
  ]);
});

test('behavior: the reasons of reverted calls', async () => {
  const contract = await deploy(probe);
  const text: unknown = await call(contract, 'failWithReason', 'not today').catch((error: unknown) => error);
  expect(isError(text, 'CALL_EXCEPTION') && text.reason).toBe('not today');
  const custom: unknown = await call(contract, 'failWithError', 42n, 'no').catch((error: unknown) => error);
  expect(isError(custom, 'CALL_EXCEPTION') && custom.revert).toMatchObject({
    name: 'Refused',
    args: [42n, 'no'],
  });
  const panic: unknown = await call(contract, 'divide', 1n, 0n).catch((error: unknown) => error);
  expect(isError(panic, 'CALL_EXCEPTION') && panic.revert).toMatchObject({ name: 'Panic', args: [0x12] });
  const sending: unknown = await send(contract, 'noteAndFail', 1n, 1n).catch((error: unknown) => error);
  expect(isError(sending, 'CALL_EXCEPTION') && sending.reason).toBe('taken back');
});

test('behavior: a personal message is signed', async () => {
  // By eth_sign; `signMessage` asks for personal_sign.
  const signature = await alice._legacySignMessage('hello');
  const [, evmAddress] = await program.printed(/^EVM addresses\n\(0\) (0x[0-9a-f]{40})$/m);
  expect(verifyMessage('hello', signature).toLowerCase()).toBe(evmAddress);
});

test('behavior: a call to an address without code fails with BAD_DATA', async () => {
  const nothing = new Contract(
    bob.address,
    new Interface(['function name() view returns (string)']),
    provider,
  );
  const failure: unknown = await call(nothing, 'name').catch((error: unknown) => error);
  expect(isError(failure, 'BAD_DATA') && failure.value).toBe('0x');
});
