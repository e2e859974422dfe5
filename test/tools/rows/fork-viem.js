/** viem on a forked chain. */

import { createTestClient, erc20Abi, http, parseSignature, publicActions, walletActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { accountOf } from '../harness/accounts.js';
import { holds, refused, same } from '../harness/checks.js';
import { onFork } from '../harness/forked-chain.js';
import { DEADLINE, IMPLEMENTATION_SLOT, WHALE, WHALE_TOKENS, WHALE_WEI } from '../harness/remote-chain.js';

/** @typedef {import('../harness/checks.js').Checks} Checks */
/** @typedef {import('../harness/targets.js').Target} Target */
/** @typedef {import('../harness/remote-chain.js').World} World */

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'fork-viem', packages: ['viem'], run };

const TOKENS = 10n ** 18n;
const account = privateKeyToAccount(accountOf('viem').privateKey);

/** @type {import('../harness/row.js').Run} */
async function run(checks, target) {
  await onFork(checks, target, (forked, world, remote) => viemOnFork(checks, forked, world, remote.url));
}

/**
 * Checks viem on a forked chain.
 *
 * @param {Checks} checks
 * @param {Target} forked
 * @param {World} world
 * @param {string} remoteUrl
 */
export async function viemOnFork(checks, forked, world, remoteUrl) {
  const client = connect(forked, world);
  await reads(checks, client, world);
  await history(checks, client, world);
  await simulations(checks, client, world);
  await transactions(checks, client, world);
  await resets(checks, client, world, remoteUrl);
}

/**
 * @param {Target} forked
 * @param {World} world
 */
function connect({ url, chainId }, { multicall }) {
  const chain = {
    id: Number(chainId),
    name: 'the forked chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
    contracts: { multicall3: { address: multicall } },
  };
  const transport = http(url, { retryCount: 0, batch: true });
  const options = { account, chain, transport, mode: /** @type {const} */ ('anvil') };
  return createTestClient({ ...options, pollingInterval: 50, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
}

/** @typedef {ReturnType<typeof connect>} Client */

/**
 * @param {Checks} checks
 * @param {Client} client
 * @param {World} world
 */
async function reads(checks, client, { apple, pear, box, implementation, multicall, holders }) {
  const balanceOf = (/** @type {`0x${string}`} */ holder) => ({
    ...{ address: apple.address, abi: erc20Abi, functionName: /** @type {const} */ ('balanceOf') },
    args: /** @type {const} */ ([holder]),
  });
  await checks.check('reads balances, code and slots of the remote chain', async () => {
    same(await client.readContract(balanceOf(WHALE)), WHALE_TOKENS, 'tokens');
    same(await client.getBalance({ address: WHALE }), WHALE_WEI, 'wei');
    holds(((await client.getCode({ address: box.address })) ?? '').length > 100, 'no code of the proxy');
    const slot = await client.getStorageAt({ address: box.address, slot: IMPLEMENTATION_SLOT });
    same(`0x${slot?.slice(-40)}`, implementation.address, 'implementation');
    same(await client.readContract({ ...box, functionName: 'value' }), 7n, 'value behind the proxy');
  });
  await checks.check('reads 20 holders and more by multicalls, with a failing one among them', async () => {
    const failing = { ...apple, address: multicall, functionName: 'balanceOf', args: [WHALE] };
    const calls = [...holders.map(balanceOf), failing, { ...pear, functionName: 'symbol' }];
    for (const deployless of [false, true]) {
      const results = await client.multicall({ contracts: calls, deployless });
      const balances = results.slice(0, holders.length).map(({ result }) => result);
      same(
        balances,
        holders.map((_, index) => BigInt(index + 1)),
        'balances',
      );
      same([results.at(-2)?.status, results.at(-1)?.result], ['failure', 'UNI-V2'], 'others');
    }
  });
  await checks.check('reads 20 holders by a batch of requests', async () => {
    const balances = await Promise.all(holders.map((holder) => client.readContract(balanceOf(holder))));
    same(
      balances,
      holders.map((_, index) => BigInt(index + 1)),
      'balances',
    );
  });
}

/**
 * @param {Checks} checks
 * @param {Client} client
 * @param {World} world
 */
async function history(checks, client, { apple, hashes, beforeWhale, number }) {
  const blockNumber = BigInt(beforeWhale);
  await checks.check('getBlock before the fork: by number, by hash, with transactions', async () => {
    const block = await client.getBlock({ blockNumber, includeTransactions: true });
    same(await client.getBlock({ blockHash: block.hash, includeTransactions: true }), block, 'by its hash');
    same([block.number, block.transactions.length], [blockNumber, 1], 'number and transactions');
    const next = await client.getBlock({ blockNumber: blockNumber + 1n });
    same(next.parentHash, block.hash, 'parentHash of the next');
    same(await client.getBlockTransactionCount({ blockNumber }), 1, 'count');
    same((await client.getBlock({ blockTag: 'earliest' })).number, 0n, 'number of the earliest');
  });
  await checks.check('receipts, transactions and confirmations of the remote chain', async () => {
    for (const hash of hashes) {
      const receipt = await client.waitForTransactionReceipt({ hash });
      const transaction = await client.getTransaction({ hash });
      same([receipt.status, receipt.transactionHash], ['success', hash], 'receipt');
      same(transaction.blockHash, receipt.blockHash, 'block of the transaction');
      const confirmations = await client.getTransactionConfirmations({ transactionReceipt: receipt });
      same(confirmations, BigInt(number + 1) - receipt.blockNumber, 'confirmations');
    }
  });
  await checks.check('the state of a block before the fork', async () => {
    const balance = { ...apple, functionName: 'balanceOf', args: [WHALE] };
    same(await client.readContract({ ...balance, blockNumber }), 0n, 'tokens before');
    same(await client.readContract({ ...balance, blockNumber: blockNumber + 1n }), WHALE_TOKENS, 'after');
    same(await client.getBalance({ address: WHALE, blockNumber }), 0n, 'wei before');
    const { from } = await client.getTransaction({ hash: hashes[0] });
    same(await client.getTransactionCount({ address: from, blockNumber: 1n }), 1, 'nonce after the first');
  });
  await checks.check('the fees of blocks before the fork', async () => {
    const fees = await client.getFeeHistory({ blockCount: 5, rewardPercentiles: [50] });
    same([fees.oldestBlock, fees.baseFeePerGas.length], [BigInt(number - 4), 6], 'blocks');
    holds((await client.estimateFeesPerGas()).maxFeePerGas > 0n, 'no fee');
  });
  await checks.check('traces of a remote transaction', async () => {
    const params = [hashes.at(-1), { tracer: 'callTracer' }];
    const trace = await client.request(/** @type {any} */ ({ method: 'debug_traceTransaction', params }));
    same(/** @type {any} */ (trace).to, apple.address, 'called contract');
  });
}

/**
 * @param {Checks} checks
 * @param {Client} client
 * @param {World} world
 */
async function simulations(checks, client, { apple, router, pear }) {
  const transfer = { ...apple, functionName: 'transfer', args: [account.address, TOKENS] };
  await checks.check('simulateContract: as a holder, and the error of others', async () => {
    same((await client.simulateContract({ ...transfer, account: WHALE })).result, true, 'result');
    // Uniswap v2's own token subtracts with this error.
    await refused(() => client.simulateContract(transfer), /ds-math-sub-underflow/);
  });
  await checks.check('simulateCalls: a swap of a holder with its changes of assets', async () => {
    const path = [apple.address, pear.address];
    const { results, assetChanges } = await client.simulateCalls({
      account: WHALE,
      calls: [
        { to: apple.address, abi: apple.abi, functionName: 'approve', args: [router.address, TOKENS] },
        {
          ...{ to: router.address, abi: router.abi, functionName: 'swapExactTokensForTokens' },
          args: [TOKENS, 0n, path, WHALE, DEADLINE],
        },
      ],
      traceAssetChanges: true,
    });
    same(
      results.map(({ status }) => status),
      ['success', 'success'],
      'statuses',
    );
    const changeOf = (/** @type {string} */ address) =>
      assetChanges.find(({ token }) => token.address.toLowerCase() === address.toLowerCase())?.value.diff ??
      0n;
    same(changeOf(apple.address), -TOKENS, 'change of the sold token');
    holds(changeOf(pear.address) > 3n * TOKENS, `change of the bought token: ${changeOf(pear.address)}`);
  });
  await checks.check('estimates, access lists and overrides', async () => {
    const gas = await client.estimateContractGas({ ...transfer, account: WHALE });
    holds(gas > 30_000n && gas < 100_000n, `gas ${gas}`);
    const to = pear.address;
    const stateOverride = [{ address: to, code: /** @type {const} */ ('0x602a5f5260205ff3') }];
    const { data } = await client.call({ to, stateOverride });
    same(BigInt(data ?? 0), 42n, 'result of the other code');
    const { accessList } = await client.createAccessList({
      account: WHALE,
      to: apple.address,
      data: '0x18160ddd',
    });
    same(
      accessList.map(({ address }) => address),
      [apple.address],
      'accounts of the access list',
    );
  });
}

/**
 * @param {Checks} checks
 * @param {Client} client
 * @param {World} world
 */
async function transactions(checks, client, { apple, pear, router, holders, number }) {
  const balanceOf = (/** @type {import('../harness/remote-chain.js').Placed} */ token, holder) =>
    /** @type {Promise<bigint>} */ (
      client.readContract({ ...token, functionName: 'balanceOf', args: [holder] })
    );
  const mined = async (/** @type {`0x${string}`} */ hash) => {
    const receipt = await client.waitForTransactionReceipt({ hash });
    same(receipt.status, 'success', 'status');
    return receipt;
  };
  await checks.check('an impersonated holder sends tokens', async () => {
    await client.impersonateAccount({ address: WHALE });
    const args = [account.address, TOKENS];
    const hash = await client.writeContract({ ...apple, functionName: 'transfer', args, account: WHALE });
    await client.stopImpersonatingAccount({ address: WHALE });
    same((await mined(hash)).blockNumber, BigInt(number + 1), 'number of the first local block');
    same(await balanceOf(apple, account.address), TOKENS, 'tokens');
    same(await balanceOf(apple, WHALE), WHALE_TOKENS - TOKENS, 'tokens of the holder');
  });
  await checks.check('a swap', async () => {
    const approve = { ...apple, functionName: 'approve', args: [router.address, TOKENS] };
    await mined(await client.writeContract(approve));
    const args = [TOKENS / 2n, 0n, [apple.address, pear.address], account.address, DEADLINE];
    const { request, result } = await client.simulateContract({
      ...{ ...router, functionName: 'swapExactTokensForTokens', args, account },
    });
    await mined(await client.writeContract(request));
    same(await balanceOf(pear, account.address), /** @type {bigint[]} */ (result)[1], 'bought tokens');
  });
  await checks.check('a signed permit of a remote token, whose domain names the chain id', async () => {
    const permit = { owner: account.address, spender: WHALE, value: 5n, nonce: 0n, deadline: DEADLINE };
    const { v, r, s } = parseSignature(
      await client.signTypedData(permitOf(client.chain.id, apple.address, permit)),
    );
    const args = [permit.owner, WHALE, 5n, DEADLINE, v, r, s];
    await mined(await client.writeContract({ ...apple, functionName: 'permit', args }));
    const allowance = { ...apple, functionName: 'allowance', args: [account.address, WHALE] };
    same(await client.readContract(allowance), 5n, 'allowance');
  });
  await checks.check('logs across the fork: getContractEvents, getLogs and filters', async () => {
    const transfers = { ...apple, eventName: 'Transfer', fromBlock: 0n };
    const events = await client.getContractEvents(transfers);
    // The supply, liquidity, the whale, the holders; then a local transfer and a swap.
    same(events.length, 3 + holders.length + 2, 'events');
    const numbers = events.map(({ blockNumber }) => blockNumber);
    same(
      numbers,
      [...numbers].sort((left, right) => Number(left - right)),
      'order of the blocks',
    );
    const filter = await client.createContractEventFilter({ ...transfers, strict: true });
    same((await client.getFilterLogs({ filter })).length, events.length, 'logs of a filter');
    const toWhale = { ...transfers, args: { to: WHALE }, toBlock: 'latest' };
    same((await client.getContractEvents(/** @type {any} */ (toWhale))).length, 1, 'events of an argument');
  });
  await checks.check('snapshot and revert', async () => {
    const before = await balanceOf(apple, holders[0]);
    const id = await client.snapshot();
    await mined(await client.writeContract({ ...apple, functionName: 'transfer', args: [holders[0], 1n] }));
    same(await balanceOf(apple, holders[0]), before + 1n, 'tokens');
    await client.revert({ id });
    same(await balanceOf(apple, holders[0]), before, 'tokens after the revert');
  });
}

/**
 * @param {number} chainId
 * @param {`0x${string}`} verifyingContract
 * @param {Record<string, unknown>} message
 */
function permitOf(chainId, verifyingContract, message) {
  const types = ['owner address', 'spender address', 'value uint256', 'nonce uint256', 'deadline uint256'];
  const fields = types.map((field) => {
    const [name, type] = field.split(' ');
    return { name, type };
  });
  return /** @type {any} */ ({
    domain: { name: 'Uniswap V2', version: '1', chainId, verifyingContract },
    ...{ types: { Permit: fields }, primaryType: 'Permit', message },
  });
}

/**
 * @param {Checks} checks
 * @param {Client} client
 * @param {World} world
 * @param {string} jsonRpcUrl
 */
async function resets(checks, client, { apple, beforeWhale, number }, jsonRpcUrl) {
  const tokens = () => client.readContract({ ...apple, functionName: 'balanceOf', args: [WHALE] });
  await checks.check('reset to an earlier block', async () => {
    await client.reset({ jsonRpcUrl, blockNumber: BigInt(beforeWhale) });
    same(await client.getBlockNumber(), BigInt(beforeWhale), 'number');
    same(await tokens(), 0n, 'tokens');
    await client.mine({ blocks: 1 });
    const { parentHash } = await client.getBlock();
    same(parentHash, (await client.getBlock({ blockNumber: BigInt(beforeWhale) })).hash, 'parentHash');
  });
  await checks.check('reset to the newest block of the remote chain, by its URL alone', async () => {
    await client.reset({ jsonRpcUrl });
    same([await client.getBlockNumber(), await tokens()], [BigInt(number), WHALE_TOKENS], 'number, tokens');
  });
  await checks.check('reset by a block number alone, and without anything', async () => {
    const blockNumber = BigInt(beforeWhale + 1);
    await client.reset({ blockNumber });
    same([await client.getBlockNumber(), await tokens()], [blockNumber, WHALE_TOKENS], 'number, tokens');
    await client.mine({ blocks: 3 });
    await client.reset();
    // anvil takes the newest block again.
    const head = await client.getBlockNumber();
    holds([blockNumber, BigInt(number)].includes(head), `the chain has block ${head}`);
    same(await tokens(), WHALE_TOKENS, 'tokens');
  });
}
