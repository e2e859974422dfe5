/** Accounts of keys as smart accounts: EntryPoint 0.8 and Simple7702Account, by viem. */

import { createRequire } from 'node:module';
import { concat, createPublicClient, createWalletClient, http, parseGwei, toHex, zeroHash } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { holds, same } from '../harness/checks.js';

// Renamed, so that TypeScript does not resolve packages that may not be installed.
const load = createRequire(import.meta.url);
const { entryPoint08Abi, entryPoint08Address, toPackedUserOperation, toSimple7702SmartAccount } =
  load('viem/account-abstraction');

const CREATE2_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
/** Contracts with the salts that give them the addresses of every chain. */
const CONTRACTS = [
  {
    name: 'EntryPoint',
    salt: '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
    address: entryPoint08Address,
  },
  { name: 'Simple7702Account', salt: zeroHash, address: '0xe6Cae83BdE06E4c305530e199D7217f42808555B' },
];
const BALANCE = toHex(10n ** 20n);

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'accounts', packages: ['viem', '@account-abstraction/contracts'], run };

/** @type {import('../harness/row.js').Run} */
async function run(checks, target) {
  const chain = {
    id: Number(target.chainId),
    name: 'the chain of the node',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [target.url] } },
  };
  const transport = http(target.url, { retryCount: 0 });
  const reader = createPublicClient({ chain, transport, pollingInterval: 100, cacheTime: 0 });
  const walletOf = async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    await target.endpoint.call('anvil_setBalance', account.address, BALANCE);
    return createWalletClient({ account, chain, transport });
  };
  const [bundler, owner] = [await walletOf(), await walletOf()];
  for (const { name, salt, address } of CONTRACTS) {
    await checks.check(`${name} is at its address of every chain`, async () => {
      const codeOf = () => reader.getCode({ address: /** @type {`0x${string}`} */ (address) });
      if ((await codeOf()) !== undefined) return;
      const { bytecode } = load(`@account-abstraction/contracts/artifacts/${name}.json`);
      const data = /** @type {`0x${string}`} */ (concat([salt, bytecode]));
      const hash = await bundler.sendTransaction({ to: CREATE2_DEPLOYER, data });
      same((await reader.waitForTransactionReceipt({ hash })).status, 'success', 'status');
      holds((await codeOf()) !== undefined, `no code at ${address}`);
    });
  }
  await operations(checks, reader, { bundler, owner });
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {any} reader
 * @param {{ bundler: any, owner: any }} wallets
 */
async function operations(checks, reader, { bundler, owner }) {
  const account = await toSimple7702SmartAccount({ client: reader, owner: owner.account });
  const receivers = [generatePrivateKey(), generatePrivateKey()].map(
    (key) => privateKeyToAccount(key).address,
  );
  /** @param {object} more @param {readonly unknown[] | undefined} authorizationList */
  const handle = async (more, authorizationList) => {
    const calls = receivers.map((to, index) => ({ to, value: BigInt(index + 1) }));
    const unsigned = {
      ...{
        sender: account.address,
        nonce: await account.getNonce(),
        callData: await account.encodeCalls(calls),
      },
      ...{ callGasLimit: 200_000n, verificationGasLimit: 200_000n, preVerificationGas: 50_000n },
      ...{ maxFeePerGas: parseGwei('20'), maxPriorityFeePerGas: parseGwei('1'), signature: '0x', ...more },
    };
    const operation = { ...unsigned, signature: await account.signUserOperation(unsigned) };
    const hash = await bundler.writeContract({
      ...{ address: entryPoint08Address, abi: entryPoint08Abi, functionName: 'handleOps' },
      args: [[toPackedUserOperation(operation)], bundler.account.address],
      ...(authorizationList && { authorizationList }),
    });
    const receipt = await reader.waitForTransactionReceipt({ hash });
    same(receipt.status, 'success', 'status');
    return receipt;
  };
  const balances = () => Promise.all(receivers.map((address) => reader.getBalance({ address })));
  await checks.check('a user operation delegates its account, and runs a batch', async () => {
    const authorization = await owner.signAuthorization({ contractAddress: account.authorization.address });
    const receipt = await handle({ factory: '0x7702', factoryData: '0x', authorization }, [authorization]);
    same(receipt.type, 'eip7702', 'type');
    same(await balances(), [1n, 2n], 'balances of the receivers');
  });
  await checks.check('a further user operation needs no authorization', async () => {
    same((await handle({}, undefined)).type, 'eip1559', 'type');
    same(await balances(), [2n, 4n], 'balances of the receivers');
  });
}
