import { readFileSync } from 'node:fs';
import { startTestNode, type TestNode } from 'ledgerd';
import { type Operation, type OperationJson, PrivateKey, Transaction } from 'ledgerd/native';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import vectors from '../../src/protocol/native-vectors.testing.json' with { type: 'json' };

/** The exports of the package for signers: its single file, as a user's program imports it. */

const BLOCK = { hash: `0x${'00'.repeat(12)}${vectors.block.id}`, timestamp: '0x5df7ba9d' };
const TRANSFER = {
  type: 'transfer',
  fee: 20,
  from: '1.2.24',
  to: '1.2.596',
  amount: 5_000_000_000n,
} as const;

function create(operation: Operation, changes: object = {}): Transaction {
  return Transaction.create({ operations: [operation], referenceBlock: BLOCK, ...changes });
}

/** The bytes of the one operation of a transaction, between its head and what an unsigned one ends with. */
function operationBytes(transaction: Transaction): string {
  return transaction.toHex().slice('0x'.length + 2 * (2 + 4 + 4 + 1), -2 * 3);
}

describe('keys', () => {
  test.each(vectors.keys)('default: $publicKeyText in all its forms', ({ seed, wif, publicKeyText }) => {
    for (const text of [seed, `0x${seed}`, wif]) {
      const key = PrivateKey.parse(text);
      expect([key.publicKey, key.toHex(), key.toWif()]).toEqual([publicKeyText, `0x${seed}`, wif]);
    }
  });

  test('behavior: implicit string conversion does not reveal a private key', () => {
    const key = PrivateKey.generate();
    expect(JSON.stringify({ key }) + String(key)).not.toContain(key.toHex().slice(2));
  });

  test.each(['', '0x12', `${'1'.repeat(63)}g`, vectors.keys[0]?.publicKeyText ?? ''])(
    'error: the text %j',
    (text) => {
      expect(() => PrivateKey.parse(text)).toThrow(
        'private key: must be 64 hexadecimal digits, or in wallet import format',
      );
    },
  );
});

describe('transactions of the vectors', () => {
  test.each(vectors.transactions)(
    'default: $name',
    ({ json, signed, digest, signers, signatures, ...vector }) => {
      const unsigned = Transaction.fromJSON(json);
      expect(unsigned.digest(vectors.chainId)).toBe(`0x${digest}`);
      expect(unsigned.operationHashes).toEqual(vector.operationHashes.map((hash) => `0x${hash}`));
      const made = signers.reduce(
        (transaction, signer) =>
          transaction.sign(PrivateKey.parse(vectors.keys[signer]?.wif ?? ''), vectors.chainId),
        unsigned,
      );
      expect([made.toHex(), made.signatures]).toEqual([`0x${signed}`, signatures]);
      expect(made.id).toBe(unsigned.id);
      const read = Transaction.fromHex(signed);
      expect(read.toBytes()).toEqual(made.toBytes());
      expect(JSON.parse(JSON.stringify(read))).toEqual({
        ...json,
        signatures,
        signed_with_echorand_key: false,
      });
      expect(Transaction.fromJSON(read.toJSON()).toHex()).toBe(made.toHex());
    },
  );
});

describe('operations', () => {
  const byName = new Map(vectors.operations.map((vector) => [vector.name, vector]));
  const [alice = '', bob = '', carol = '', dave = ''] = vectors.keys.map(
    ({ publicKeyText }) => publicKeyText,
  );
  const active = { weightThreshold: 1, accountAuths: [], keyAuths: [[alice, 1]] } as const;
  const typed: [name: string, operation: Operation][] = [
    ['transfer', TRANSFER],
    [
      'account_create',
      {
        ...{
          type: 'accountCreate',
          fee: '100',
          registrar: '1.2.1024',
          name: 'alice-1',
          active,
          echorandKey: bob,
        },
        evmAddress: '0x07932e92ce3c075222f85901a686d76ffad09dfe',
        options: { delegatingAccount: '1.2.1024', delegateShare: 2_000 },
      },
    ],
    [
      'account_create_no_evm',
      {
        ...{ type: 'accountCreate', fee: 100, registrar: '1.2.1024', name: 'bob', echorandKey: dave },
        active: { weightThreshold: 2, accountAuths: [['1.2.1025', 1]], keyAuths: [[carol, 1]] },
        options: { delegatingAccount: '1.2.5', delegateShare: 0 },
      },
    ],
    [
      'account_update',
      {
        ...{ type: 'accountUpdate', fee: 20, account: '1.2.1030', echorandKey: undefined },
        active: { weightThreshold: 1, accountAuths: [], keyAuths: [[dave, 1]] },
      },
    ],
    [
      'contract_create',
      {
        ...{ type: 'contractCreate', fee: 200_000n, registrar: '1.2.1024' },
        ...{ value: { amount: 7n, assetId: '1.3.0' }, code: '0x6080604052600a600c565b' },
      },
    ],
    [
      'contract_create_asset',
      {
        ...{ type: 'contractCreate', fee: 200_000, registrar: '1.2.1024', code: '60006000f3' },
        ...{ supportedAssetId: '1.3.0', ethAccuracy: true },
      },
    ],
    [
      'contract_call',
      {
        ...{ type: 'contractCall', fee: 50_000, registrar: '1.2.1025', callee: '1.11.300' },
        code: `0xa9059cbb${'a'.padStart(64, '0')}${'1'.padStart(64, '0')}`,
      },
    ],
    [
      'evm_address_register',
      {
        ...{ type: 'evmAddressRegister', fee: 10, owner: '1.2.1025' },
        evmAddress: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      },
    ],
  ];

  test.each(typed)('default: %s, by its type and as JSON', (name, operation) => {
    const vector = byName.get(name);
    expect(operationBytes(create(operation))).toBe(vector?.bytes);
    expect(operationBytes(create(vector?.json as unknown as OperationJson))).toBe(vector?.bytes);
  });

  test.each<[title: string, operation: unknown, message: string]>([
    [
      'error: no type that there is',
      { ...TRANSFER, type: 'transfers' },
      'transaction.operations[0].type: must be one of transfer, accountCreate, accountUpdate, contractCreate, ' +
        'contractCall, evmAddressRegister',
    ],
    [
      'error: a field that there is not',
      { ...TRANSFER, memo: 'x' },
      'transaction.operations[0].memo: unknown key',
    ],
    [
      'error: an address for an account',
      { ...TRANSFER, from: `0x${'00'.repeat(20)}` },
      'transaction.operations[0].from: expected 1.2.N with a decimal N of 0 to 281474976710655',
    ],
    [
      'error: an amount with a fraction',
      { ...TRANSFER, amount: 0.5 },
      'transaction.operations[0].amount.amount: must be a safe integer or a decimal string of 0 to 9223372036854775807',
    ],
    [
      'error: an operation that the ledger itself makes',
      byName.get('contract_selfdestruct')?.json,
      'transaction.operations[0]: the ledger itself makes contractSelfdestruct, and takes none',
    ],
    ['error: a number that is unknown', [1, {}], 'transaction.operations[0]: unknown operation'],
    ['error: nothing', null, 'transaction.operations[0]: must be an object, or an array in the JSON form'],
  ])('%s', (_title, operation, message) => {
    expect(() => create(operation as Operation)).toThrow(message);
  });

  test('behavior: addresses in any case, unless their checksum is wrong (ERC-55)', () => {
    const to = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
    const payment = (text: string) =>
      create({ ...TRANSFER, type: 'transferToAddress', to: text as `0x${string}` }).toHex();
    const lower = payment(to.toLowerCase());
    expect([to, `0x${to.slice(2).toUpperCase()}`].map(payment)).toEqual([lower, lower]);
    expect(() => payment(to.replace('F', 'f'))).toThrow(
      'transaction.operations[0].to: is an address with a wrong checksum',
    );
  });

  test('error: none', () => {
    expect(() => Transaction.create({ operations: [], referenceBlock: BLOCK })).toThrow(
      'transaction.operations: must not be empty',
    );
  });
});

describe('reference block and expiration', () => {
  test('default: of a block that the interface answers, ten minutes after it', () => {
    const expected = {
      ref_block_num: 3_000,
      ref_block_prefix: 0x1bfde570,
      expiration: '2019-12-16T17:20:53',
    };
    expect(create(TRANSFER).toJSON()).toMatchObject(expected);
  });

  test.each([
    ['args: a hash', BLOCK.hash],
    ['args: an id', vectors.block.id],
    ['args: an id behind 0x', `0x${vectors.block.id}`],
  ])('%s', (_title, referenceBlock) => {
    const transaction = create(TRANSFER, { referenceBlock, expiration: '2019-12-16T17:20:53' });
    expect(transaction.toHex()).toBe(create(TRANSFER).toHex());
  });

  test.each([
    ['args: seconds', 1_700_000_000],
    ['args: a date', new Date(1_700_000_000_999)],
    ['args: a text', '2023-11-14T22:13:20'],
  ])('%s', (_title, expiration) => {
    expect(create(TRANSFER, { expiration }).expiration).toBe(1_700_000_000);
  });

  test.each([
    ['error: a text that is no time', { expiration: 'now' }, 'transaction.expiration: must be a time'],
    ['error: a time after 2106', { expiration: 2 ** 32 }, 'transaction.expiration: must be a time'],
    ['error: no number', { expiration: Number.NaN }, 'transaction.expiration: must be a time'],
    ['error: a hash alone', { referenceBlock: BLOCK.hash }, 'transaction.expiration: is needed where'],
    ['error: another hash', { referenceBlock: `0x${'11'.repeat(32)}` }, 'reference block: must be the hash'],
    ['error: no block', { referenceBlock: null }, 'reference block: must be the hash'],
    [
      'error: a block without a time',
      { referenceBlock: { ...BLOCK, timestamp: 'x' } },
      'reference block.timestamp: must be Unix seconds',
    ],
  ])('%s', (_title, changes, message) => {
    expect(() => create(TRANSFER, changes)).toThrow(message);
  });
});

describe('bytes', () => {
  test.each([
    ['error: no digits', '0xzz', 'transaction: not hex digits', 'FORMAT'],
    [
      'error: cut off',
      '0x0011',
      'transaction.ref_block_prefix at byte 2: needs 4 bytes, 0 are left',
      'DECODE',
    ],
  ])('%s', (_title, text, message, code) => {
    expect(() => Transaction.fromHex(text)).toThrow(expect.objectContaining({ message, code }));
  });

  test('error: a chain id that is none', () => {
    expect(() => create(TRANSFER).sign(PrivateKey.generate(), '0x11')).toThrow(
      'chain id: must have 32 bytes, not 1',
    );
  });
});

test('behavior: the file has no engine, no store, and opens no file', () => {
  const text = readFileSync(new URL('../../build/program/native.cjs', import.meta.url), 'utf8');
  const imported = [...text.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name);
  expect(imported.sort()).toEqual(['node:buffer', 'node:crypto']);
  expect(text.length).toBeLessThan(100_000);
});

describe('a node', () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await startTestNode();
  });
  afterAll(() => node.stop());

  test('default: a signed transaction is accepted only once', async () => {
    const { provider } = node;
    const { chainId } = (await provider.request({ method: 'ledger_getChain' })) as { chainId: string };
    const [account] = (await provider.request({ method: 'personal_listRawAccounts' })) as {
      privkey: string;
    }[];
    const block = await provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
    const operations = [{ ...TRANSFER, from: '1.2.1024', to: '1.2.1025' }];
    const transaction = Transaction.create({ operations, referenceBlock: block as typeof BLOCK });
    const send = (key: PrivateKey) => {
      const params = [transaction.sign(key, chainId).toHex()];
      return provider.request({ method: 'eth_sendRawTransaction', params }) as Promise<string>;
    };
    await expect(send(PrivateKey.generate())).rejects.toThrow(/signature/);
    const key = PrivateKey.parse(account?.privkey ?? '');
    const hash = await send(key);
    expect(hash.slice(-40)).toBe(transaction.operationHashes[0]?.slice(2));
    expect(transaction.pendingHashes[0]?.slice(-40)).toBe(hash.slice(-40));
    const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] });
    expect(receipt).toMatchObject({ status: '0x1' });
    await expect(send(key)).rejects.toThrow();
  });
});
