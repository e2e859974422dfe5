/**
 * A developer's tests in miniature: a token, a vault and a Uniswap v2 set are deployed; then there are 300
 * transactions, 600 calls and 100 expected reverts. The client that makes them is given.
 */

import assert from 'node:assert/strict';

const SUPPLY = 10n ** 27n;
const SHARE = 10n ** 20n;
const DEADLINE = 4_000_000_000n;
/** A swap takes more gas in a new second: an estimate just before would be too low. */
const SWAP_GAS = 300_000n;
/** Tests of each kind. A round of the token has two transactions, four calls and one revert, and so on. */
const TOKEN_ROUNDS = 60;
const VAULT_ROUNDS = 30;
const SWAP_ROUNDS = 40;

const EXPECTED = { transactions: 300, calls: 600, reverts: 100 };

/**
 * The message of the error that a promise rejects with.
 *
 * @param {Promise<unknown>} promise
 * @returns {Promise<string>}
 * @throws {Error} when it does not reject
 */
export async function textOfError(promise) {
  const message = await promise.then(
    () => undefined,
    (error) => error.message,
  );
  if (message === undefined) throw new Error('what had to revert did not');
  return message;
}

/**
 * Runs the tests.
 *
 * @param {any} client `accounts`; `deploy(name, ...args)`, which gives a contract; `send(contract, function, args,
 *   sender, gas)`, where gas without a value is left to client and node; `read(contract, function, args, sender)`;
 *   `revertedRead` and
 *   `revertedSend` like the two, which give the text of the error, or fail when there was none
 * @returns {Promise<number>} milliseconds
 */
export async function runScenario(client) {
  const counts = { transactions: 0, calls: 0, reverts: 0 };
  /** @type {Record<string, any>} */
  const counted = Object.fromEntries(
    Object.entries({
      deploy: 'transactions',
      send: 'transactions',
      read: 'calls',
      revertedRead: 'reverts',
      revertedSend: 'reverts',
    }).map(([name, kind]) => [
      name,
      (...words) => {
        counts[kind] += 1;
        return client[name](...words);
      },
    ]),
  );
  const started = performance.now();
  /** @type {any} */
  const stage = { ...counted, accounts: client.accounts };
  const token = await stage.deploy('Token', SUPPLY);
  await testToken(stage, token);
  await testVault(stage, token);
  await testSwaps(stage, token);
  await fillUp(stage, token, counts);
  assert.deepEqual(counts, EXPECTED);
  return performance.now() - started;
}

async function testToken({ accounts, send, read, revertedRead, revertedSend }, token) {
  const [owner, spender, poor] = accounts;
  for (let round = 0; round < TOKEN_ROUNDS; round += 1) {
    const receiver = accounts[3 + (round % (accounts.length - 3))];
    const before = await read(token, 'balanceOf', [receiver]);
    await send(token, 'transfer', [receiver, SHARE], owner);
    assert.equal(await read(token, 'balanceOf', [receiver]), before + SHARE);
    await send(token, 'approve', [spender, SHARE], owner);
    assert.equal(await read(token, 'allowance', [owner, spender]), SHARE);
    assert.equal(await read(token, 'totalSupply', []), SUPPLY);
    const refused = [token, 'transfer', [owner, SHARE], poor];
    if (round % 2 === 0) assert.match(await revertedRead(...refused), /ERC20InsufficientBalance|revert/);
    else await revertedSend(...refused);
  }
}

async function testVault({ accounts, deploy, send, read, revertedRead, revertedSend }, token) {
  const [owner] = accounts;
  const vault = await deploy('Vault', token.address);
  await send(token, 'approve', [vault.address, SUPPLY], owner);
  for (let round = 0; round < VAULT_ROUNDS; round += 1) {
    const before = await read(vault, 'balanceOf', [owner]);
    const shares = await read(vault, 'previewDeposit', [SHARE]);
    await send(vault, 'deposit', [SHARE, owner], owner);
    assert.equal(await read(vault, 'balanceOf', [owner]), before + shares);
    const held = await read(token, 'balanceOf', [vault.address]);
    assert.equal(await read(vault, 'totalAssets', []), held);
    if (round % 2 === 0) continue;
    await send(vault, 'redeem', [shares, owner, owner], owner);
    assert.equal(await read(vault, 'balanceOf', [owner]), before);
    const refused = [vault, 'withdraw', [SUPPLY, owner, owner], owner];
    if (round % 4 === 1) assert.match(await revertedRead(...refused), /ERC4626ExceededMaxWithdraw|revert/);
    else await revertedSend(...refused);
  }
}

async function testSwaps({ accounts, deploy, send, read, revertedRead }, token) {
  const [owner] = accounts;
  const other = await deploy('Token', SUPPLY);
  const wrapped = await deploy('WrappedCoin');
  const factory = await deploy('Factory', owner);
  const router = await deploy('Router', factory.address, wrapped.address);
  for (const { address, ...contract } of [token, other]) {
    await send({ address, ...contract }, 'approve', [router.address, SUPPLY], owner);
  }
  const amounts = [10n ** 24n, 10n ** 24n, 0n, 0n];
  await send(router, 'addLiquidity', [token.address, other.address, ...amounts, owner, DEADLINE], owner);
  for (let round = 0; round < SWAP_ROUNDS; round += 1) {
    const path = round % 2 === 0 ? [token.address, other.address] : [other.address, token.address];
    const bought = round % 2 === 0 ? other : token;
    const [, expected] = await read(router, 'getAmountsOut', [SHARE, path]);
    const before = await read(bought, 'balanceOf', [owner]);
    const swap = [SHARE, expected, path, owner, DEADLINE];
    await send(router, 'swapExactTokensForTokens', swap, owner, SWAP_GAS);
    assert.equal(await read(bought, 'balanceOf', [owner]), before + expected);
    if (round % 2 === 0) continue;
    const parameters = [SHARE, SUPPLY, path, owner, DEADLINE];
    const text = await revertedRead(router, 'swapExactTokensForTokens', parameters, owner);
    assert.match(text, /INSUFFICIENT_OUTPUT_AMOUNT|revert/);
  }
}

/** Transfers, balances and refused transfers until there are as many of each as there have to be. */
async function fillUp({ accounts, send, read, revertedSend }, token, counts) {
  const [owner, , poor] = accounts;
  while (counts.transactions < EXPECTED.transactions) await send(token, 'transfer', [accounts[3], 1n], owner);
  while (counts.calls < EXPECTED.calls) await read(token, 'balanceOf', [owner]);
  while (counts.reverts < EXPECTED.reverts) await revertedSend(token, 'transfer', [owner, SHARE], poor);
}
