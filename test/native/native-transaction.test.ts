import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BlockObject,
  errorOf,
  type ReceiptObject,
  type ResponseError,
  type TransactionObject,
} from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';
import { VECTOR_KEYS } from './keys.ts';
import {
  accountCreateBytes,
  operationHash,
  signedTransactionBytes,
  type TransactionFrame,
  type TransferFields,
  transferBytes,
} from './writer.ts';

/** Initial balance of the owner of the vectors' keys, far less than that of a test account. */
const ENDOWMENT = 1_000_000n;

/** Seconds that the transactions here may wait for their block. */
const PATIENCE_SECONDS = 60;

let program: Program;
let chainId = '';
/** The first test account; its key is 64 hex digits. */
let sponsor = { address: '', key: '' };
/** Accounts of the first two keys of the vectors. */
let alice = 0;
let bob = 0;

beforeAll(async () => {
  program = await startProgram();
  chainId = (await program.printed(/^Native chain +([0-9a-f]{64})$/m))[1] ?? '';
  const [, address = ''] = await program.printed(/^Accounts\n\(0\) +1\.2\.1024 +(0x[0-9a-f]{40}) /m);
  const [, key = ''] = await program.printed(/^Private keys\n\(0\) +0x([0-9a-f]{64})$/m);
  sponsor = { address, key };
  alice = await register('alice-1', 0);
  bob = await register('bob', 1);
  await program.call('eth_sendTransaction', {
    from: sponsor.address,
    to: addressOf(alice),
    value: hex(ENDOWMENT),
  });
});

afterAll(() => program.stop());

/** Registers an account for a key of the vectors, signed and paid by the first test account. */
async function register(name: string, keyIndex: 0 | 1): Promise<number> {
  const key = VECTOR_KEYS[keyIndex];
  const operation = accountCreateBytes({
    registrar: instanceOf(sponsor.address),
    name,
    activeKey: key.publicKey,
    consensusKey: key.publicKey,
  });
  const hash = await program.call(
    'eth_sendRawTransaction',
    raw(await frameNow(), [operation], [sponsor.key]),
  );
  const created = await program.call<TransactionObject>('eth_getTransactionByHash', hash);
  expect(created.from).toBe(sponsor.address);
  return instanceOf(created.to ?? '');
}

async function frameNow(): Promise<TransactionFrame> {
  const head = await program.call<BlockObject>('eth_getBlockByNumber', 'latest', false);
  const id = Buffer.from(head.hash.slice(2 + 24), 'hex');
  return {
    refBlockNum: Number(head.number) % 2 ** 16,
    refBlockPrefix: id.readUInt32LE(4),
    expiration: Number(head.timestamp) + PATIENCE_SECONDS,
  };
}

function raw(
  frame: TransactionFrame,
  operations: readonly Buffer[],
  seeds: readonly string[],
  chain = chainId,
) {
  return `0x${signedTransactionBytes(chain, frame, operations, seeds).toString('hex')}`;
}

/** A transfer of alice to bob, signed by alice. */
async function transfer(change: Partial<TransferFields> = {}, frame: Partial<TransactionFrame> = {}) {
  const operation = transferBytes({ from: alice, to: bob, amount: 1n, ...change });
  return raw({ ...(await frameNow()), ...frame }, [operation], [VECTOR_KEYS[0].seed]);
}

function addressOf(instance: number): string {
  return `0x${instance.toString(16).padStart(40, '0')}`;
}

function instanceOf(address: string): number {
  return Number(address);
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

async function balanceOf(instance: number): Promise<bigint> {
  return BigInt(await program.call<string>('eth_getBalance', addressOf(instance)));
}

/** Everything of the state that a refused transaction could have touched. */
async function visibleState(): Promise<unknown> {
  return [
    await program.call('eth_getBlockByNumber', 'latest', true),
    await program.call('eth_pendingTransactions'),
    await program.call('eth_getBalance', sponsor.address),
    await balanceOf(alice),
    await balanceOf(bob),
    await program.call('eth_getTransactionCount', addressOf(alice)),
  ];
}

/** Sends what must be refused, and makes sure that it left nothing behind. */
async function refused(bytes: string): Promise<ResponseError> {
  const before = await visibleState();
  const error = errorOf(await program.response('eth_sendRawTransaction', bytes));
  expect(await visibleState()).toEqual(before);
  return error;
}

test('default: a transfer that was signed elsewhere', async () => {
  const frame = await frameNow();
  const operation = transferBytes({ from: alice, to: bob, amount: 1_234n });
  const [aliceBefore, bobBefore] = [await balanceOf(alice), await balanceOf(bob)];
  const hash = await program.call<string>(
    'eth_sendRawTransaction',
    raw(frame, [operation], [VECTOR_KEYS[0].seed]),
  );
  expect(await balanceOf(bob)).toBe(bobBefore + 1_234n);
  expect(await balanceOf(alice)).toBe(aliceBefore - 1_234n - 20n);

  const head = await program.call<BlockObject>('eth_getBlockByNumber', 'latest', false);
  const position = `${Number(head.number).toString(16).padStart(8, '0')}${'0'.repeat(8)}`;
  expect(head.transactions).toEqual([`0x00000000${position}${operationHash(operation, frame)}`]);
  expect(await program.call('eth_getTransactionByHash', hash)).toMatchObject({
    hash: head.transactions[0],
    from: addressOf(alice),
    to: addressOf(bob),
    value: '0x4d2',
    gas: '0x14',
    gasPrice: '0x1',
    nonce: '0x0',
    input: '0x',
  });
  const receipt = await program.call<ReceiptObject>('eth_getTransactionReceipt', hash);
  expect(receipt).toMatchObject({ status: '0x1', gasUsed: '0x14', contractAddress: null, logs: [] });
});

test('behavior: only the actual charge is deducted, not the fee limit', async () => {
  const before = await balanceOf(alice);
  const hash = await program.call('eth_sendRawTransaction', await transfer({ fee: 5_000n, amount: 10n }));
  expect(await balanceOf(alice)).toBe(before - 10n - 20n);
  const transaction = await program.call<TransactionObject>('eth_getTransactionByHash', hash);
  const receipt = await program.call<ReceiptObject>('eth_getTransactionReceipt', hash);
  expect([transaction.gas, receipt.gasUsed]).toEqual(['0x1388', '0x14']);
});

test('behavior: several operations are several transactions of one block', async () => {
  const operations = [1n, 2n, 3n].map((amount) => transferBytes({ from: alice, to: bob, amount }));
  const before = await balanceOf(bob);
  await program.call('eth_sendRawTransaction', raw(await frameNow(), operations, [VECTOR_KEYS[0].seed]));
  expect(await balanceOf(bob)).toBe(before + 6n);
  const head = await program.call<BlockObject>('eth_getBlockByNumber', 'latest', false);
  expect(head.transactions.map((hash) => Number.parseInt(hash.slice(18, 26), 16))).toEqual([0, 1, 2]);
  expect(head.gasUsed).toBe('0x3c');
});

test('behavior: a transaction applies whole or not at all', async () => {
  const operations = [
    transferBytes({ from: alice, to: bob, amount: 1n }),
    transferBytes({ from: alice, to: bob, amount: 10n ** 15n }),
  ];
  const error = await refused(raw(await frameNow(), operations, [VECTOR_KEYS[0].seed]));
  expect(error.code).toBe(-32000);
});

test('behavior: the sum of the balances stays, fees go to the producer', async () => {
  const producer = await program.call<string>('eth_coinbase');
  const sum = async () =>
    (await balanceOf(alice)) + (await balanceOf(bob)) + (await balanceOf(instanceOf(producer)));
  const before = await sum();
  const fees = await balanceOf(instanceOf(producer));
  await program.call('eth_sendRawTransaction', await transfer({ amount: 77n }));
  expect(await sum()).toBe(before);
  expect(await balanceOf(instanceOf(producer))).toBe(fees + 20n);
});

test('error: signed by another key', async () => {
  const operation = transferBytes({ from: alice, to: bob, amount: 1n });
  const error = await refused(raw(await frameNow(), [operation], [VECTOR_KEYS[1].seed]));
  expect(error).toMatchObject({ code: -32000, message: expect.stringMatching(/sign|authorit/i) });
});

test('error: a signature too many', async () => {
  const operation = transferBytes({ from: alice, to: bob, amount: 1n });
  const seeds = [VECTOR_KEYS[0].seed, VECTOR_KEYS[2].seed];
  expect(await refused(raw(await frameNow(), [operation], seeds))).toMatchObject({
    code: -32000,
    message: expect.stringMatching(/signature/i),
  });
});

test('error: no signature', async () => {
  const operation = transferBytes({ from: alice, to: bob, amount: 1n });
  expect((await refused(raw(await frameNow(), [operation], []))).code).toBe(-32000);
});

test('error: signed for another chain', async () => {
  const operation = transferBytes({ from: alice, to: bob, amount: 1n });
  const error = await refused(raw(await frameNow(), [operation], [VECTOR_KEYS[0].seed], 'ab'.repeat(32)));
  expect(error).toMatchObject({ code: -32000, message: expect.stringMatching(/sign|authorit/i) });
});

test('error: expired, expiring too late, without its reference block, accepted before', async () => {
  const head = await program.call<BlockObject>('eth_getBlockByNumber', 'latest', false);
  const now = Number(head.timestamp);
  const expired = await refused(await transfer({}, { expiration: now }));
  expect(expired).toMatchObject({ code: -32000, message: expect.stringMatching(/expir/i) });
  const late = await refused(await transfer({}, { expiration: now + 24 * 60 * 60 + 1 }));
  expect(late).toMatchObject({ code: -32000, message: expect.stringMatching(/expir/i) });
  const adrift = await refused(await transfer({}, { refBlockPrefix: 0x12345678 }));
  expect(adrift).toMatchObject({
    code: -32000,
    message: expect.stringMatching(/reference block|ref_block/i),
  });
  const once = await transfer({ amount: 3n });
  await program.call('eth_sendRawTransaction', once);
  const twice = await refused(once);
  expect(twice).toMatchObject({ code: -32000, message: expect.stringMatching(/already|known|duplicate/i) });
  const messages = [expired, late, adrift, twice].map(({ message }) => message);
  expect(new Set(messages).size).toBe(messages.length);
});

test('behavior: the last second before the expiration limit is fine', async () => {
  const head = await program.call<BlockObject>('eth_getBlockByNumber', 'latest', false);
  const expiration = Number(head.timestamp) + 24 * 60 * 60;
  await program.call('eth_sendRawTransaction', await transfer({}, { expiration }));
});

test('error: an account that does not exist, as payer and as receiver', async () => {
  const payer = await refused(await transfer({ from: 99_999_999 }));
  const receiver = await refused(await transfer({ to: 99_999_999 }));
  expect(payer).toMatchObject({ code: -32000, message: expect.stringContaining('1.2.99999999') });
  expect(receiver).toMatchObject({ code: -32000, message: expect.stringContaining('1.2.99999999') });
});

test('error: more than the balance, a fee below the least, a negative amount, another asset', async () => {
  const balance = await balanceOf(alice);
  const poor = await refused(await transfer({ amount: balance }));
  expect(poor).toMatchObject({ code: -32000, message: expect.stringMatching(/insufficient|balance|funds/i) });
  const cheap = await refused(await transfer({ fee: 19n }));
  expect(cheap).toMatchObject({ code: -32000, message: expect.stringMatching(/fee|gas/i) });
  const negative = await refused(await transfer({ amount: -1n }));
  expect(negative.message).toMatch(/amount/i);
  const foreign = await refused(await transfer({ asset: 1 }));
  expect(foreign).toMatchObject({ code: -32000, message: expect.stringMatching(/asset/i) });
});

test('error: bytes that end early, at every length', async () => {
  const whole = await transfer();
  const before = await visibleState();
  for (let length = 2; length < whole.length; length += 2) {
    const error = errorOf(await program.response('eth_sendRawTransaction', whole.slice(0, length)));
    expect([-32000, -32602]).toContain(error.code);
    expect(error.message).toMatch(/^.*transaction\b.* at byte \d+: ./);
  }
  expect(await visibleState()).toEqual(before);
});

test('error: bytes after the end, a longer form of a number, an unknown or a virtual operation', async () => {
  const whole = await transfer();
  expect((await refused(`${whole}00`)).message).toMatch(/at byte \d+: .*too many/);
  const longer = Buffer.concat([Buffer.from(whole.slice(2, 22), 'hex'), Buffer.from([0x81, 0])]);
  const rest = Buffer.from(whole.slice(24), 'hex');
  expect((await refused(`0x${Buffer.concat([longer, rest]).toString('hex')}`)).message).toMatch(
    /at byte \d+: ./,
  );
  const frame = await frameNow();
  const unknown = await refused(raw(frame, [Buffer.from([0x7f])], []));
  expect(unknown.message).toMatch(/operation/i);
  const virtual = await refused(raw(frame, [internalCreation()], []));
  expect(virtual.message).toMatch(/virtual|operation/i);
});

test('error: any byte changed, in the transaction, in its signature or in the flag after it', async () => {
  const whole = Buffer.from((await transfer()).slice(2), 'hex');
  const before = await visibleState();
  for (let position = 0; position < whole.length; position += 1) {
    const changed = Buffer.from(whole);
    changed[position] = (changed[position] ?? 0) ^ (1 << (position % 7));
    const answer = await program.response('eth_sendRawTransaction', `0x${changed.toString('hex')}`);
    expect([position, [-32000, -32602].includes(errorOf(answer).code)]).toEqual([position, true]);
  }
  expect(await visibleState()).toEqual(before);
  await program.call('eth_sendRawTransaction', `0x${whole.toString('hex')}`);
});

test('error: not hexadecimal, an odd number of digits, no prefix, not a string', async () => {
  for (const bytes of ['0xzz', '0x123', 'ab', 5, null, {}]) {
    const error = errorOf(await program.response('eth_sendRawTransaction', bytes));
    expect(error.code).toBe(-32602);
  }
});

/** Operation 34, which only a block's own execution may bring about. */
function internalCreation(): Buffer {
  const [fee, caller, contract, value] = [
    '14000000000000000000'.slice(0, 18),
    '00',
    '01',
    '000000000000000000',
  ];
  return Buffer.from(`22${fee}${caller}${contract}${value}000000`, 'hex');
}
