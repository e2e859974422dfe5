import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Address,
  bytesToHex,
  contractAddress,
  contractId,
  hexToBytes,
  type TestCall,
  type TestWeiCall,
  toAddress,
  toPrefixedHex,
  ZERO_HASH,
} from '../../protocol/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { ethereumAddress, ethereumGenesis } from '../ethereum.testing.ts';
import { isTestGenesis } from '../genesis/test-genesis.ts';
import {
  BlockRejectedError,
  compareChains,
  createTestGenesis,
  type Genesis,
  type Ledger,
  replayChain,
  unsignedTransaction,
  verifyState,
} from '../index.ts';
import {
  accountAt,
  addressAt,
  createContract,
  evmAddressOf,
  keyAt,
  openTestLedger,
  PRODUCER_KEY,
  rootByScan,
  sign,
  TEST_BALANCE,
  testGenesis,
  transfer,
  transported,
} from '../ledger.testing.ts';

let ledger: Ledger;
let store: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger());
});

afterEach(() => store.close());

/** Puts CALLER into slot 0, ORIGIN into slot 1 and GASPRICE into slot 2. */
const NOTE_CALLER = '335f5532600155' + '3a600255';
/** Creation code of a runtime. */
const deploying = (runtime: string) => {
  const length = (runtime.length / 2).toString(16).padStart(2, '0');
  return `60${length}600c60003960${length}6000f3${runtime}`;
};
const NOBODY = toAddress(hexToBytes('de'.repeat(20)));
const CONTRACT = contractAddress(contractId(0));
const NO_BYTES = new Uint8Array();

function callOf(parts: Partial<TestCall>): TestCall {
  return {
    type: 'testCall',
    caller: addressAt(3),
    to: CONTRACT,
    value: 0n,
    data: NO_BYTES,
    gas: 200_000n,
    ...parts,
  };
}

function send(parts: Partial<TestCall>, to = ledger) {
  const head = to.blocks.head();
  const transaction = unsignedTransaction(callOf(parts), head, head.header.timestamp + 60);
  const operation = to.pool.findOperation(to.pool.submit(transaction, 'node').hash);
  if (operation?.kind !== 'included') throw new Error('it is in no block');
  return { operation, receipt: to.blocks.receiptOf(operation.block.number, operation.index) };
}

function deployNoting(value = 0n): void {
  ledger.pool.submit(sign(ledger, [createContract(0, deploying(NOTE_CALLER), value)], [keyAt(0)]));
}

const slot = (number: number) => {
  const key = Uint8Array.from(ZERO_HASH);
  key[31] = number;
  return bytesToHex(ledger.accounts.storageAt(CONTRACT, key as typeof ZERO_HASH));
};
const word = (address: Address) => bytesToHex(address).padStart(64, '0');

test('behavior: on a chain with accounts of keys, any address may receive', async () => {
  const { ledger: knowing } = await openTestLedger({ genesis: ethereumGenesis() });
  const { receipt } = send({ caller: ethereumAddress(0), to: NOBODY, value: 5n }, knowing);
  expect([receipt?.status, receipt?.gasUsed, knowing.accounts.balanceOf(NOBODY)]).toEqual([
    'success',
    21_000n,
    5n,
  ]);
  expect(() => send({ to: NOBODY })).toThrow('there is no account or contract at');
});

describe('dust', () => {
  const WEI = 10n ** 10n;
  const sendWei = (to: Ledger, parts: Partial<TestWeiCall>) => {
    const head = to.blocks.head();
    const call: TestWeiCall = { ...callOf({}), type: 'testWeiCall', dust: 0n, isCharged: false, ...parts };
    return to.pool.submit(unsignedTransaction(call, head, head.header.timestamp + 60), 'node');
  };

  test('default: moves to the last Wei, and the chain replays to the same state', async () => {
    const { ledger: knowing, store: kept } = await openTestLedger({ genesis: ethereumGenesis() });
    const before = knowing.accounts.weiBalanceOf(addressAt(0));
    sendWei(knowing, { caller: addressAt(0), to: NOBODY, value: 2n, dust: 3n });
    expect(knowing.accounts.weiBalanceOf(NOBODY)).toBe(2n * WEI + 3n);
    expect(before - knowing.accounts.weiBalanceOf(addressAt(0))).toBe(2n * WEI + 3n);
    sendWei(knowing, { caller: addressAt(0), to: addressAt(1), dust: 1n, isCharged: true });
    expect(before - knowing.accounts.weiBalanceOf(addressAt(0))).toBe(22n * WEI + 4n);
    sendWei(knowing, { caller: NOBODY, to: addressAt(1), value: 1n, dust: WEI - 1n });
    expect(knowing.accounts.weiBalanceOf(NOBODY)).toBe(4n);
    await expect(verifyState(kept)).resolves.toMatchObject({ head: 3 });
    await kept.close();
  });

  test('error: more of it than a unit has, more than the caller has, and other chains', async () => {
    const { ledger: knowing, store: kept } = await openTestLedger({ genesis: ethereumGenesis() });
    expect(() => sendWei(knowing, { dust: WEI })).toThrow(
      '.dust is 10000000000 wei, of which a unit has more',
    );
    expect(() => sendWei(knowing, { caller: NOBODY, to: addressAt(1), dust: 1n })).toThrow(
      'insufficient funds',
    );
    expect(() => sendWei(ledger, { dust: 1n })).toThrow('this chain knows no Ethereum transactions');
    const head = knowing.blocks.head();
    const call: TestWeiCall = { ...callOf({}), type: 'testWeiCall', dust: 1n, isCharged: false };
    const transaction = unsignedTransaction(call, head, head.header.timestamp + 60);
    expect(() => knowing.pool.submit(transaction)).toThrow(
      'operation 0 is a test call and cannot be submitted',
    );
    await kept.close();
  });
});

describe('apply', () => {
  test('default: the contract sees the caller, and the caller pays no fee', () => {
    deployNoting();
    const { operation, receipt } = send({ caller: NOBODY });
    expect([slot(0), slot(1)]).toEqual([word(NOBODY), word(NOBODY)]);
    expect(receipt).toMatchObject({ status: 'success' });
    expect(receipt?.gasUsed).toBeGreaterThan(21_000n);
    expect(operation).toMatchObject({ to: CONTRACT, block: { feesCollected: 0n } });
    expect(ledger.accounts.balanceOf(NOBODY)).toBe(0n);
    expect(ledger.accounts.operationCount(NOBODY)).toBe(1);
  });

  test('behavior: a contract can be the caller, and the value is debited from its balance', () => {
    deployNoting();
    send({ caller: addressAt(0), to: CONTRACT, value: 500n });
    const { receipt } = send({ caller: CONTRACT, to: addressAt(1), value: 200n, gas: 20n });
    expect(receipt).toMatchObject({ status: 'success', gasUsed: 20n });
    expect(ledger.accounts.balanceOf(CONTRACT)).toBe(300n);
    expect(ledger.accounts.balanceOf(addressAt(1))).toBe(TEST_BALANCE + 200n);
    send({ caller: CONTRACT });
    expect(slot(0)).toBe(word(CONTRACT));
  });

  test('behavior: a creation takes the next instance', () => {
    const data = hexToBytes(deploying(NOTE_CALLER));
    const { operation, receipt } = send({ caller: NOBODY, to: undefined, data });
    expect(receipt).toMatchObject({ status: 'success', contractAddress: CONTRACT });
    expect(operation.to).toBeUndefined();
    expect(ledger.accounts.contractIdAt(CONTRACT)).toBe(0);
    expect(bytesToHex(ledger.accounts.codeAt(CONTRACT))).toBe(NOTE_CALLER);
  });

  test('behavior: a revert is an outcome', () => {
    ledger.pool.submit(sign(ledger, [createContract(0, deploying('5f5ffd'))], [keyAt(0)]));
    const { receipt, operation } = send({ value: 5n });
    expect(receipt?.status).toBe('failure');
    expect(operation.block.feesCollected).toBe(0n);
    expect(ledger.accounts.balanceOf(CONTRACT)).toBe(0n);
  });

  test('error: more than the caller has, and unknown receivers', () => {
    deployNoting();
    const refusal = (parts: Partial<TestCall>) => {
      const before = rootByScan(store);
      let message = 'it was accepted';
      try {
        send(parts);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(rootByScan(store)).toEqual(before);
      return message;
    };
    const insufficient = `insufficient funds for gas * price + value: address ${toPrefixedHex(NOBODY)} have 0 want 1`;
    expect(refusal({ caller: NOBODY, value: 1n })).toBe(insufficient);
    expect(refusal({ caller: NOBODY, to: addressAt(0), value: 1n })).toBe(insufficient);
    expect(refusal({ to: NOBODY })).toBe(`there is no account or contract at ${toPrefixedHex(NOBODY)}`);
    expect(refusal({ to: evmAddressOf(keyAt(0).publicKey) })).toContain('send to that address');
    expect(refusal({ to: addressAt(0), data: Uint8Array.of(1) })).toContain('a transfer carries no data');
    expect(refusal({ gas: 19n })).toContain('below the minimum of 20');
    expect(refusal({ gas: 20_999n })).toContain('the operation needs at least 21000');
    expect(refusal({ gas: 16_777_217n })).toContain('more than the limit of 16777216');
  });
});

describe('permission', () => {
  test('error: a client submits it', () => {
    deployNoting();
    const head = ledger.blocks.head();
    const expiration = head.header.timestamp + 60;
    const refused = 'operation 0 is a test call and cannot be submitted';
    expect(() => ledger.pool.submit(unsignedTransaction(callOf({}), head, expiration))).toThrow(refused);
    expect(() => ledger.pool.submit(sign(ledger, [callOf({})], [keyAt(0)]))).toThrow(refused);
    const second = sign(ledger, [transfer(0, accountAt(1), 1n), callOf({})], [keyAt(0)]);
    expect(() => ledger.pool.submit(second)).toThrow('operation 1 is a test call and cannot be submitted');
    expect(() => ledger.pool.submit(sign(ledger, [callOf({})], [keyAt(0)]), 'node')).toThrow('signature 0');
  });

  test('error: on a chain of another genesis, also in a block of another node', async () => {
    const other = await openTestLedger({ genesis: realGenesis() });
    const head = other.ledger.blocks.head();
    const message = 'operation 0 is a test call, which only test chains have';
    const unsigned = unsignedTransaction(callOf({ to: addressAt(0) }), head, head.header.timestamp + 60);
    expect(() => other.ledger.pool.submit(unsigned, 'node')).toThrow(message);

    const twin = await openTestLedger({ genesis: realGenesis() });
    twin.ledger.miner.mine();
    const block = transported(twin.ledger, 1);
    const transaction = { ...unsigned, operationResults: [{ type: 'nothing' } as const], feesCollected: 0n };
    const given = (): unknown => other.ledger.chain.importBlock({ ...block, transactions: [transaction] });
    expect(given).toThrow(`block 1 rejected: transactions: ${message}`);
    other.ledger.chain.importBlock(block);
    await twin.store.close();
    await other.store.close();
  });

  test('behavior: a ledger of the same test chain accepts a block with one', async () => {
    deployNoting();
    send({ value: 7n });
    const other = await openTestLedger({ mining: 'none' });
    other.ledger.chain.importBlock(transported(ledger, 1));
    const block = transported(ledger, 2);
    const forged = {
      ...block,
      transactions: block.transactions.map((one) => ({ ...one, feesCollected: 1n })),
    };
    expect(() => other.ledger.chain.importBlock(forged)).toThrow(BlockRejectedError);
    other.ledger.chain.importBlock(block);
    expect(rootByScan(other.store)).toEqual(rootByScan(store));
    await other.store.close();
  });
});

test('behavior: a chain with test calls is sound, and a replay of it agrees', async () => {
  deployNoting(1_000n);
  send({ caller: CONTRACT, to: addressAt(2), value: 400n, gas: 20n });
  send({ caller: NOBODY });
  send({ caller: NOBODY, to: undefined, data: hexToBytes(deploying(NOTE_CALLER)) });
  await expect(verifyState(store)).resolves.toMatchObject({ head: 4 });
  const copy = openStore({ durable: false });
  await replayChain({ source: store, target: copy });
  await expect(compareChains(store, copy)).resolves.toBeUndefined();
  await copy.close();
});

test('behavior: blocks with test calls are reverted', () => {
  deployNoting(1_000n);
  const before = { root: rootByScan(store), count: ledger.accounts.operationCount(NOBODY) };
  send({ caller: NOBODY });
  send({ caller: CONTRACT, to: addressAt(2), value: 400n, gas: 20n });
  ledger.chain.revertTo(1);
  expect({ root: rootByScan(store), count: ledger.accounts.operationCount(NOBODY) }).toEqual(before);
  send({ caller: NOBODY });
  expect(slot(0)).toBe(word(NOBODY));
});

test('behavior: a pending test call can be queried, is included, and is charged no fee', async () => {
  const other = await openTestLedger({ mining: 'manual' });
  const head = other.ledger.blocks.head();
  const transaction = unsignedTransaction(callOf({ to: addressAt(0) }), head, head.header.timestamp + 60);
  const { hash } = other.ledger.pool.submit(transaction, 'node');
  expect(other.ledger.pool.findOperation(hash)).toMatchObject({ kind: 'pending', to: addressAt(0) });
  expect(() => other.ledger.pool.submit(transaction, 'node')).toThrow('already known');
  expect(other.ledger.miner.mine()).toMatchObject({ operationCount: 1, feesCollected: 0n });
  expect(other.ledger.pool.findOperation(hash)).toMatchObject({ kind: 'included' });
  await other.store.close();
});

describe('isTestGenesis', () => {
  test('default: a genesis of test mode, with any accounts and network', () => {
    expect(isTestGenesis(testGenesis())).toBe(true);
    const { network, hardfork, timestamp } = testGenesis();
    const none = {
      network,
      hardfork,
      timestamp,
      accounts: [],
      balance: 0n,
      producerKey: PRODUCER_KEY.publicKey,
    };
    expect(isTestGenesis(createTestGenesis(none))).toBe(true);
  });

  test('behavior: false for any other genesis', () => {
    const genesis = testGenesis();
    const [producer, first, ...rest] = genesis.accounts;
    if (producer === undefined || first === undefined) throw new Error('there are accounts');
    const others: Genesis[] = [
      realGenesis(),
      { ...genesis, producers: [accountAt(0)] },
      { ...genesis, producers: [...genesis.producers, accountAt(0)] },
      { ...genesis, registrar: accountAt(0) },
      { ...genesis, accounts: [producer, { ...first, name: 'somebody' }, ...rest] },
      { ...genesis, accounts: [producer, ...rest] },
      { ...genesis, accounts: [first, producer, ...rest] },
    ];
    for (const other of others) expect(isTestGenesis(other)).toBe(false);
  });
});

/** A genesis that test mode would not make. */
function realGenesis(): Genesis {
  const genesis = testGenesis();
  const accounts = genesis.accounts.map((account, index) =>
    index === 0 ? { ...account, name: 'producer' } : account,
  );
  return { ...genesis, accounts };
}
