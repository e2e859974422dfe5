import { beforeEach, describe, expect, test } from 'vitest';
import { WEI_PER_UNIT } from '../consensus.ts';
import {
  type Address,
  type AssetAmount,
  createAddress,
  EthereumTransactionOperation,
  hexToBytes,
  keccak256,
  toAddress,
  ZERO_HASH,
} from '../protocol/index.ts';
import type { Store } from '../store/index.ts';
import { openStore } from '../store/index.ts';
import {
  ETHEREUM_BALANCE,
  ethereumAddress,
  ethereumGenesis,
  noncesOf,
  refusalBy,
  sendBy,
  signedBy,
} from './ethereum.testing.ts';
import { type Ledger, replayChain, submitEthereum, verifyState } from './index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  keyAt,
  openTestLedger,
  sign,
  TEST_BALANCE,
  testGenesis,
  transfer,
} from './ledger.testing.ts';

let ledger: Ledger;
let store: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger({ genesis: ethereumGenesis() }));
});

/** Init code that deploys `runtime`. */
const deploying = (runtime: string): Uint8Array => {
  const size = (runtime.length / 2).toString(16).padStart(2, '0');
  return hexToBytes(`60${size}600c60003960${size}6000f3${runtime}`);
};

const ETHER = 10n ** 18n;

describe('a transfer', () => {
  test('default: value, base fee and tip are paid in Wei, and the nonce rises', () => {
    const raw = signedBy(0, ledger, { value: ETHER + 1n });
    const hash = submitEthereum(ledger, raw, { allowUnprotected: false });
    expect(hash).toEqual(keccak256(raw));
    const spent = ETHER + 1n + 21_000n * 2n * WEI_PER_UNIT;
    expect(ledger.accounts.weiBalanceOf(ethereumAddress(0))).toBe(ETHEREUM_BALANCE * WEI_PER_UNIT - spent);
    expect(ledger.accounts.weiBalanceOf(ethereumAddress(1))).toBe(
      ETHEREUM_BALANCE * WEI_PER_UNIT + ETHER + 1n,
    );
    expect(ledger.accounts.balanceOf(ethereumAddress(1))).toBe(ETHEREUM_BALANCE + 10n ** 8n);
    expect([
      ledger.accounts.nonceOf(ethereumAddress(0)),
      ledger.accounts.nonceOf(ethereumAddress(1)),
    ]).toEqual([1n, 0n]);
    expect(ledger.blocks.receiptOf(1, 0)).toMatchObject({ status: 'success', gasUsed: 21_000n, logs: [] });
  });

  test('behavior: it is found by its Ethereum hash and by both native ones', () => {
    const hash = sendBy(0, ledger, { value: 7n });
    const found = ledger.pool.findOperation(hash);
    expect(found).toMatchObject({ kind: 'included', index: 0, to: ethereumAddress(1) });
    expect(found && ledger.pool.findOperation(found.hash)).toEqual(found);
    expect(ledger.blocks.operationOfSender(ethereumAddress(0), 0n)).toEqual(found);
    expect(ledger.blocks.operationOfSender(ethereumAddress(0), 1n)).toBeUndefined();
    ledger.chain.revertTo(0);
    expect(ledger.pool.findOperation(hash)).toBeUndefined();
    expect(ledger.blocks.operationOfSender(ethereumAddress(0), 0n)).toBeUndefined();
  });

  test('behavior: to a native account, and from one to a key', () => {
    sendBy(0, ledger, { to: addressAt(2), value: 5n * WEI_PER_UNIT });
    expect(ledger.accounts.balanceOf(addressAt(2))).toBe(TEST_BALANCE + 5n);
    const to = ethereumAddress(9);
    const operation = {
      type: 'transferToAddress',
      fee: core(20n),
      from: accountAt(2),
      to,
      amount: core(3n),
    } as const;
    ledger.pool.submit(sign(ledger, [operation], [keyAt(2)]));
    expect(ledger.accounts.weiBalanceOf(to)).toBe(3n * WEI_PER_UNIT);
    expect(ledger.accounts.nonceOf(to)).toBe(0n);
  });

  test('error: a native transfer to the address of an identifier that is not assigned, or to a contract', () => {
    const nobody = new Uint8Array(20);
    nobody[18] = 0xff;
    for (const to of [toAddress(nobody), toAddress(Buffer.from(`01${'00'.repeat(19)}`, 'hex'))]) {
      const operation = {
        type: 'transferToAddress',
        fee: core(20n),
        from: accountAt(2),
        to,
        amount: core(3n),
      } as const;
      expect(() => ledger.pool.submit(sign(ledger, [operation], [keyAt(2)]))).toThrow(
        'nothing can be transferred to it',
      );
    }
  });
});

describe('a contract', () => {
  test('default: its address follows from sender and nonce, and it has an instance', () => {
    sendBy(0, ledger);
    sendBy(0, ledger, { to: undefined, data: deploying('60015f5500'), gas: 200_000n });
    const address = createAddress(ethereumAddress(0), 1n);
    expect(ledger.blocks.receiptOf(2, 0)).toMatchObject({ status: 'success', contractAddress: address });
    expect(ledger.accounts.contractIdAt(address)).toBe(0);
    expect([ledger.accounts.nonceOf(ethereumAddress(0)), ledger.accounts.nonceOf(address)]).toEqual([2n, 1n]);
    sendBy(1, ledger, { to: address, gas: 100_000n });
    expect(ledger.accounts.storageAt(address, ZERO_HASH).at(-1)).toBe(1);
  });

  test('behavior: one that a contract creates has the address that Ethereum gives it, also by a native call', () => {
    // CREATE of empty code, with its address stored in slot 0.
    sendBy(0, ledger, { to: undefined, data: deploying('5f5f5ff05f5500'), gas: 200_000n });
    const factory = createAddress(ethereumAddress(0), 0n);
    sendBy(1, ledger, { to: factory, gas: 200_000n });
    const stored = (): Address => toAddress(ledger.accounts.storageAt(factory, ZERO_HASH).slice(12));
    expect(stored()).toEqual(createAddress(factory, 1n));
    const call = {
      type: 'contractCall',
      fee: core(200_000n),
      registrar: accountAt(0),
      value: core(0n),
      code: '',
      callee: ledger.accounts.contractIdAt(factory) ?? 0,
    } as const;
    ledger.pool.submit(sign(ledger, [call as never], [keyAt(0)]));
    expect(stored()).toEqual(createAddress(factory, 2n));
  });

  test('behavior: a native creation has the address of its instance', () => {
    sendBy(0, ledger, { to: undefined, data: deploying('00'), gas: 200_000n });
    ledger.pool.submit(sign(ledger, [createContract(0, '6001600c60003960016000f300')], [keyAt(0)]));
    const [created] = ledger.blocks.blockTransactions(2);
    expect(created?.result).toMatchObject({ type: 'object', id: { instance: 1 } });
    expect(ledger.blocks.receiptOf(2, 0)?.contractAddress?.[19]).toBe(1);
  });

  test('behavior: a failure is included, charged, and the nonce rises', () => {
    sendBy(0, ledger, { to: undefined, data: hexToBytes('5f5ffd'), gas: 100_000n });
    expect(ledger.blocks.receiptOf(1, 0)).toMatchObject({ status: 'failure' });
    expect(ledger.accounts.nonceOf(ethereumAddress(0))).toBe(1n);
    const gas = ledger.blocks.receiptOf(1, 0)?.gasUsed ?? 0n;
    expect(ledger.accounts.weiBalanceOf(ethereumAddress(0))).toBe(
      (ETHEREUM_BALANCE - 2n * gas) * WEI_PER_UNIT,
    );
  });

  test('behavior: contract code sees amounts in wei', () => {
    // SSTORE of CALLVALUE, GASPRICE, BASEFEE, SELFBALANCE and GASLIMIT in slots 0 to 4.
    const runtime = '345f553a6001554860025547600355456004 5500'.replaceAll(' ', '');
    sendBy(0, ledger, { to: undefined, data: deploying(runtime), gas: 400_000n });
    const contract = createAddress(ethereumAddress(0), 0n);
    sendBy(1, ledger, { to: contract, value: ETHER, gas: 400_000n });
    const slots = [0, 1, 2, 3, 4].map((slot) => {
      const key = new Uint8Array(32);
      key[31] = slot;
      return BigInt(`0x${Buffer.from(ledger.accounts.storageAt(contract, key as never)).toString('hex')}`);
    });
    expect(slots).toEqual([ETHER, 2n * WEI_PER_UNIT, WEI_PER_UNIT, ETHER, 45_000_000n]);
  });
});

describe('refused transactions', () => {
  test('error: with the messages that clients parse', () => {
    expect(refusalBy(0, ledger, { chainId: 1n })).toBe(
      `invalid chain id for signer: have 1 want ${ledger.parameters.network.chainId}`,
    );
    sendBy(0, ledger);
    expect(refusalBy(0, ledger, { nonce: 0n })).toMatch(/^nonce too low: address 0x.*, tx: 0 state: 1$/);
    expect(refusalBy(0, ledger, { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n })).toMatch(
      /^max fee per gas less than block base fee/,
    );
    expect(refusalBy(0, ledger, { maxPriorityFeePerGas: 3n * WEI_PER_UNIT })).toMatch(
      /^max priority fee per gas higher than max fee per gas/,
    );
    expect(refusalBy(0, ledger, { value: 2_000n * ETHER })).toMatch(
      /^insufficient funds for gas \* price \+ value: address 0x[0-9a-f]{40} have \d+ want \d+$/,
    );
    expect(refusalBy(9, ledger)).toMatch(/^insufficient funds for gas \* price \+ value/);
    expect(refusalBy(0, ledger, { gas: 20_999n })).toBe('intrinsic gas too low: have 20999, want 21000');
    expect(refusalBy(0, ledger, { data: new Uint8Array(100).fill(1), gas: 23_000n })).toMatch(
      /^insufficient gas for floor data gas cost: have 23000, want 25000/,
    );
    expect(refusalBy(0, ledger, { gas: 16_777_217n })).toBe(
      'transaction gas limit too high (cap: 16777216, tx: 16777217)',
    );
    expect(refusalBy(0, ledger, { data: new Uint8Array(131_073), gas: 16_000_000n })).toMatch(
      /^oversized data/,
    );
    expect(ledger.blocks.head().number).toBe(1);
    expect(ledger.pool.pendingCount).toBe(0);
  });

  test('error: bytes that are no transaction, and one that was altered', () => {
    const submit = (raw: Uint8Array) => submitEthereum(ledger, raw, { allowUnprotected: false });
    expect(() => submit(Uint8Array.of(3, 1, 2))).toThrow('transaction type not supported');
    expect(() => submit(new Uint8Array())).toThrow();
    const raw = signedBy(0, ledger, { value: 5n });
    expect(() => submit(Uint8Array.of(...raw, 0))).toThrow();
    expect(ledger.blocks.head().number).toBe(0);
  });

  test('error: a native transaction that is not in canonical form', async () => {
    const other = await openTestLedger({ genesis: ethereumGenesis(), mining: 'manual' });
    sendBy(0, other.ledger);
    const [transaction] = other.ledger.pool
      .pendingOperations()
      .map(({ hash }) => other.ledger.pool.findTransaction(hash));
    if (transaction === undefined) throw new Error('it waits');
    const [operation] = transaction.operations;
    if (operation?.type !== 'ethereumTransaction') throw new Error('it carries one');
    const changed = (fields: { sender?: Address; fee?: AssetAmount }) =>
      new EthereumTransactionOperation({ ...operation, ...fields });
    const variants = [
      { ...transaction, expiration: 5 },
      { ...transaction, refBlockNum: 1 },
      { ...transaction, operations: [operation, operation] },
      { ...transaction, operations: [changed({ sender: ethereumAddress(2) })] },
      { ...transaction, operations: [changed({ fee: core(5n) })] },
      { ...transaction, operations: [operation, transfer(0, accountAt(1), 1n)] },
    ];
    for (const variant of variants) {
      expect(() => ledger.pool.submit(variant)).toThrow('not the one native form of an Ethereum transaction');
    }
    ledger.pool.submit(transaction);
    expect(ledger.accounts.nonceOf(ethereumAddress(0))).toBe(1n);
  });

  test('error: on a chain that does not know Ethereum', async () => {
    const plain = await openTestLedger({ genesis: testGenesis({ ethereum: undefined }) });
    expect(refusalBy(0, plain.ledger)).toContain('ledgerd start --ethereum');
  });
});

describe('pending and queued transactions', () => {
  beforeEach(async () => {
    ({ ledger, store } = await openTestLedger({ genesis: ethereumGenesis(), mining: 'manual' }));
  });

  test('default: ordered by nonce, whatever the order of arrival', () => {
    for (const nonce of [2n, 0n, 3n]) sendBy(0, ledger, { nonce });
    expect(noncesOf(ledger.pool.pendingOperations())).toEqual([0n]);
    expect(noncesOf(ledger.pool.queuedOperations())).toEqual([2n, 3n]);
    expect(ledger.pool.pending.nonceOf(ethereumAddress(0))).toBe(1n);
    sendBy(0, ledger, { nonce: 1n });
    expect(noncesOf(ledger.pool.pendingOperations())).toEqual([0n, 1n, 2n, 3n]);
    expect(ledger.pool.pending.nonceOf(ethereumAddress(0))).toBe(4n);
    expect(ledger.miner.mine().operationCount).toBe(4);
    expect(ledger.pool.pendingCount).toBe(0);
  });

  test('behavior: one is replaced by another that offers 10 % more', () => {
    sendBy(0, ledger, { value: 1n });
    sendBy(0, ledger, { value: 2n });
    const fees = (percent: bigint) => ({
      nonce: 0n,
      maxFeePerGas: (2n * WEI_PER_UNIT * percent) / 100n,
      maxPriorityFeePerGas: (WEI_PER_UNIT * percent) / 100n,
    });
    expect(refusalBy(0, ledger, { ...fees(109n), value: 3n })).toMatch(
      /^replacement transaction underpriced/,
    );
    expect(noncesOf(ledger.pool.pendingOperations())).toEqual([0n, 1n]);
    const dropped: string[] = [];
    ledger.pool.onDropped(({ error }) => dropped.push(error.reason.code));
    const hash = sendBy(0, ledger, { ...fees(110n), value: 3n });
    expect(dropped).toEqual(['replaced']);
    expect(noncesOf(ledger.pool.pendingOperations())).toEqual([0n, 1n]);
    ledger.miner.mine();
    expect(ledger.pool.findOperation(hash)).toMatchObject({ kind: 'included', index: 0 });
    expect(ledger.accounts.weiBalanceOf(ethereumAddress(1))).toBe(ETHEREUM_BALANCE * WEI_PER_UNIT + 5n);
  });

  test('behavior: a repeated transaction is known already', () => {
    sendBy(0, ledger);
    expect(refusalBy(0, ledger, { nonce: 0n })).toMatch(/^already known/);
  });

  test('behavior: native and Ethereum operations share the pool', () => {
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 5n)], [keyAt(0)]));
    sendBy(0, ledger, { value: 9n, maxPriorityFeePerGas: 0n });
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 6n)], [keyAt(0)]));
    const block = ledger.miner.mine();
    expect(block.operationCount).toBe(3);
    expect(ledger.blocks.blockTransactions(1).map(({ operation }) => operation.type)).toEqual([
      'transfer',
      'ethereumTransaction',
      'transfer',
    ]);
  });

  test('behavior: a block takes no more gas than its limit, and the rest stays pending', () => {
    const gas = 16_000_000n;
    for (let index = 0; index < 4; index += 1) sendBy(0, ledger, { gas });
    const burning = { to: undefined, data: hexToBytes('5b5f56'), gas };
    for (let index = 1; index < 4; index += 1) sendBy(index, ledger, burning);
    ledger.miner.mine();
    const used = ledger.blocks
      .blockTransactions(1)
      .map((_, index) => ledger.blocks.receiptOf(1, index)?.gasUsed ?? 0n);
    expect(used.reduce((sum, one) => sum + one, 0n)).toBeLessThanOrEqual(45_000_000n);
    expect(ledger.pool.pendingCount).toBeGreaterThan(0);
    ledger.miner.mine();
    expect(ledger.pool.pendingCount).toBe(0);
    expect(ledger.accounts.nonceOf(ethereumAddress(0))).toBe(4n);
  });

  test('error: too many queued transactions of one sender behind a nonce gap', () => {
    for (let nonce = 1n; nonce <= 64n; nonce += 1n) sendBy(0, ledger, { nonce });
    expect(refusalBy(0, ledger, { nonce: 65n })).toMatch(/^txpool is full/);
    expect(ledger.pool.queuedOperations()).toHaveLength(64);
    sendBy(0, ledger, { nonce: 0n });
    ledger.pool.refreshPending(Number.POSITIVE_INFINITY);
    expect(ledger.pool.queuedOperations()).toHaveLength(0);
    expect(ledger.pool.pendingOperations()).toHaveLength(65);
  });

  test('behavior: they are present after the ledger is reopened', async () => {
    for (const nonce of [0n, 2n]) sendBy(0, ledger, { nonce });
    const again = await openTestLedger({ genesis: ethereumGenesis(), mining: 'manual', store });
    again.ledger.pool.refreshPending(Number.POSITIVE_INFINITY);
    expect(noncesOf(again.ledger.pool.pendingOperations())).toEqual([0n]);
    expect(noncesOf(again.ledger.pool.queuedOperations())).toEqual([2n]);
  });
});

test('behavior: with instant production, a queued transaction is included after the missing nonce', () => {
  sendBy(0, ledger, { nonce: 1n });
  expect([ledger.blocks.head().number, ledger.pool.pendingCount]).toEqual([0, 1]);
  sendBy(0, ledger, { nonce: 0n });
  expect([ledger.blocks.head().number, ledger.pool.pendingCount]).toEqual([2, 0]);
});

test('default: the state verifies, and a replay gives the same chain', async () => {
  sendBy(0, ledger, { value: 1n });
  sendBy(1, ledger, { to: undefined, data: deploying('5f5f5ff05f5500'), gas: 200_000n });
  sendBy(2, ledger, { to: createAddress(ethereumAddress(1), 0n), gas: 200_000n });
  ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 5n)], [keyAt(0)]));
  const target = openStore({ durable: false });
  try {
    await replayChain({ source: store, target });
    const [here, there] = [await verifyState(store), await verifyState(target)];
    expect(there).toEqual(here);
    expect(here.supply).toBe(4n * ETHEREUM_BALANCE + 4n * TEST_BALANCE + 1_000_000_000n);
  } finally {
    await target.close();
  }
});

test('behavior: contracts of the genesis can be called, natively and by Ethereum', async () => {
  const address = toAddress(keccak256(Buffer.from('contract')).slice(12));
  const contracts = [{ address, code: hexToBytes('60015f5500') }];
  const { ledger: other } = await openTestLedger({ genesis: ethereumGenesis({ contracts }) });
  expect([other.accounts.nonceOf(address), other.accounts.contractIdAt(address)]).toEqual([1n, 0]);
  sendBy(0, other, { to: address, gas: 100_000n });
  expect(other.accounts.storageAt(address, ZERO_HASH).at(-1)).toBe(1);
});
