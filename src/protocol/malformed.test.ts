import { describe, expect, test } from 'vitest';
import { AMOUNT_MAX, INSTANCE_MAX } from '../consensus.ts';
import { toPublicKey } from './bytes/bytes.ts';
import {
  type AccountId,
  type Authority,
  accountId,
  authorityCodec,
  type Codec,
  coreAmount,
  DecodeError,
  decode,
  encode,
  FormatError,
  fromJson,
  hexToBytes,
  operationCodec,
  parseAccountId,
  processedTransactionCodec,
  toSignature,
} from './index.ts';
import vectors from './native-vectors.testing.json' with { type: 'json' };
import type { Transfer } from './operations/operations.ts';
import { transactionCodec } from './transactions/transactions.ts';

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

/** Expects a DecodeError of this field and place, whose message says the reason. */
function expectDecodeError(
  codec: Codec<unknown>,
  hex: string,
  field: string,
  offset: number,
  reason: string,
) {
  const error = errorOf(() => decode(codec, hexToBytes(hex), 'input'));
  expect(error).toBeInstanceOf(DecodeError);
  expect(error).toMatchObject({ code: 'DECODE', name: 'DecodeError', field, offset, reason });
  expect((error as DecodeError).message).toBe(`${field} at byte ${offset}: ${reason}`);
}

function expectFormatError(run: () => unknown, field: string, reason: string | RegExp) {
  const error = errorOf(run);
  expect(error).toBeInstanceOf(FormatError);
  expect(error).toMatchObject({ code: 'FORMAT', field });
  expect((error as FormatError).reason).toMatch(reason);
  expect((error as FormatError).message).toBe(`${field}: ${(error as FormatError).reason}`);
}

const operation = operationCodec as Codec<unknown>;
const transaction = transactionCodec as Codec<unknown>;
const FEE = '140000000000000000';
const KEY = 'ab'.repeat(32);

describe('binary', () => {
  // A transfer: number, fee (8 bytes and asset), from, to, amount (8 bytes and asset), extensions.
  test.each<[what: string, hex: string, field: string, offset: number, reason: string]>([
    ['nothing', '', 'input', 0, 'needs 1 bytes, 0 are left'],
    ['trailing bytes', `00${FEE}1802${FEE}00ff`, 'input', 22, '1 bytes too many'],
    ['an unknown operation', `01${FEE}`, 'input', 0, 'unknown operation 1'],
    [
      'an operation number longer than needed',
      `8000${FEE}1802${FEE}00`,
      'input',
      0,
      'varint is longer than needed',
    ],
    [
      'an identifier longer than needed',
      `00${FEE}98001802${FEE}00`,
      'input.from',
      10,
      'varint is longer than needed',
    ],
    ['an endless varint', `00${FEE}${'ff'.repeat(9)}`, 'input.from', 10, 'varint is too long'],
    ['a varint that the input ends in', `00${FEE}98`, 'input.from', 11, 'needs 1 bytes, 0 are left'],
    [
      'an instance above the greatest',
      `00${FEE}8080808080804002${FEE}00`,
      'input.from',
      10,
      `${INSTANCE_MAX + 1} is above ${INSTANCE_MAX}`,
    ],
    [
      'a negative amount',
      `00ffffffffffffffff001802${FEE}00`,
      'input.fee.amount',
      1,
      `must be of 0 to ${AMOUNT_MAX}, not -1`,
    ],
    ['a cut amount', '0014', 'input.fee.amount', 1, 'needs 8 bytes, 1 are left'],
    ['extensions', `00${FEE}1802${FEE}01`, 'input.extensions', 21, 'must be empty'],
    ['a bool of 2', `20${FEE}18${FEE}000002`, 'input.eth_accuracy', 22, 'must be 0 or 1, not 2'],
    ['an optional of 2', `20${FEE}18${FEE}000200`, 'input.supported_asset_id', 21, 'must be 0 or 1, not 2'],
    ['text that is not UTF-8', `20${FEE}18${FEE}02c3280000`, 'input.code', 21, 'not valid UTF-8'],
    ['a surrogate in UTF-8', `20${FEE}18${FEE}03eda0800000`, 'input.code', 21, 'not valid UTF-8'],
    [
      'a text past the input',
      `20${FEE}18${FEE}ffffffff0f61`,
      'input.code',
      25,
      'needs 4294967295 bytes, 1 are left',
    ],
    [
      'more elements than bytes',
      `24${FEE}0618ffffffff0f00`,
      'input.amounts',
      12,
      '4294967295 elements do not fit the 1 bytes left',
    ],
    [
      'an EVM address of 21 bytes',
      `4a${FEE}1815${'00'.repeat(22)}`,
      'input.evm_address',
      11,
      'must have 20 bytes, not 21',
    ],
    [
      'a negative value of a test call',
      `81fe0114${'00'.repeat(20)}00${'ff'.repeat(8)}00${'00'.repeat(8)}`,
      'input.value',
      25,
      `must be of 0 to ${AMOUNT_MAX}, not -1`,
    ],
    [
      'data of a test call past the input',
      `81fe0114${'00'.repeat(20)}00${'00'.repeat(8)}05ff`,
      'input.data',
      33,
      '5 elements do not fit the 1 bytes left',
    ],
    [
      'a repeated account',
      `04${FEE}06010100000002010100010200000000`,
      'input.active.account_auths[1]',
      20,
      'repeated key',
    ],
    [
      'unsorted accounts',
      `04${FEE}06010100000002020100010200000000`,
      'input.active.account_auths[1]',
      20,
      'keys are not sorted',
    ],
    [
      'a repeated key',
      `04${FEE}0601010000000002${KEY}0100${KEY}0200000000`,
      'input.active.key_auths[1]',
      52,
      'repeated key',
    ],
    [
      'unsorted keys',
      `04${FEE}0601010000000002${KEY}010000${KEY.slice(2)}0200000000`,
      'input.active.key_auths[1]',
      52,
      'keys are not sorted',
    ],
  ])('error: %s', (_, hex, field, offset, reason) => {
    expectDecodeError(operation, hex, field, offset, reason);
  });

  test('error: the path leads through a transaction', () => {
    const head = `01000200000003000000`;
    const transfer = `00${FEE}1802${FEE}00`;
    expectDecodeError(
      transaction,
      `${head}02${transfer}00${FEE}18021400000000000000808080808080400000`,
      'input.operations[1].amount.asset_id',
      53,
      `${INSTANCE_MAX + 1} is above ${INSTANCE_MAX}`,
    );
    expectDecodeError(transaction, `${head}0105000000`, 'input.operations[0]', 11, 'unknown operation 5');
  });

  test('error: signatures cut short', () => {
    const hex = `010002000000030000000000${'02'}${'ab'.repeat(100)}`;
    const reason = 'needs 64 bytes, 36 are left';
    expectDecodeError(processedTransactionCodec as Codec<unknown>, hex, 'input.signatures[1]', 77, reason);
  });

  test('default: without a name, errors use the name of the codec for the input', () => {
    const error = errorOf(() => decode(transactionCodec, hexToBytes('01')));
    expect(error).toMatchObject({ field: 'transaction.ref_block_num', offset: 0 });
  });
});

describe('encoding', () => {
  const transfer: Transfer = {
    type: 'transfer',
    fee: coreAmount(20n),
    from: accountId(24),
    to: accountId(2),
    amount: coreAmount(5n),
  };

  test.each<[what: string, changes: Partial<Record<keyof Transfer, unknown>>, field: string, reason: RegExp]>(
    [
      ['a negative amount', { amount: coreAmount(-1n) }, 'input.amount.amount', /bigint of 0 to/],
      ['an amount above int64', { fee: coreAmount(AMOUNT_MAX + 1n) }, 'input.fee.amount', /bigint of 0 to/],
      ['an instance above the greatest', { to: (INSTANCE_MAX + 1) as AccountId }, 'input.to', /instance/],
      ['a fractional instance', { to: 0.5 as AccountId }, 'input.to', /instance/],
      ['a missing field', { fee: undefined }, 'input.fee', /object/],
      ['an unknown operation', { type: 'other' }, 'input', /unknown operation/],
    ],
  )('error: %s', (_, changes, field, reason) => {
    const value = { ...transfer, ...changes } as Transfer;
    expectFormatError(() => encode(operationCodec, value, 'input'), field, reason);
  });

  test('error: a text that cannot be encoded in UTF-8', () => {
    const value = {
      type: 'contractCreate',
      fee: coreAmount(1n),
      registrar: accountId(1),
      value: coreAmount(0n),
      code: 'a\ud800',
      ethAccuracy: false,
    } as const;
    expectFormatError(() => encode(operationCodec, value), 'operation.code', /Unicode/);
  });

  test('error: numbers and bytes of another size', () => {
    const base = { refBlockNum: 1, refBlockPrefix: 2, expiration: 3, operations: [] };
    const write = (changes: object) => () => encode(transactionCodec, { ...base, ...changes });
    expectFormatError(write({ refBlockNum: 0x10000 }), 'transaction.ref_block_num', /0 to 65535/);
    expectFormatError(write({ refBlockPrefix: -1 }), 'transaction.ref_block_prefix', /integer/);
    expectFormatError(write({ expiration: 2 ** 32 }), 'transaction.expiration', /integer/);
    expectFormatError(write({ operations: undefined }), 'transaction.operations', /array/);
    expectFormatError(() => toSignature(new Uint8Array(63)), 'signature', /expected 64 bytes, not 63/);
  });

  test('behavior: a failure does not affect the next call', () => {
    const before = encode(operationCodec, transfer);
    expect(() => encode(operationCodec, { ...transfer, to: -1 as AccountId })).toThrow(FormatError);
    expect(encode(operationCodec, transfer)).toStrictEqual(before);
  });

  const low = toPublicKey(new Uint8Array(32).fill(1));
  const high = toPublicKey(new Uint8Array(32).fill(2));

  test('behavior: maps are written sorted', () => {
    const sorted: Authority = {
      weightThreshold: 1,
      accountAuths: [
        [accountId(2), 1],
        [accountId(300), 2],
      ],
      keyAuths: [
        [low, 1],
        [high, 2],
      ],
    };
    const shuffled = {
      ...sorted,
      accountAuths: [...sorted.accountAuths].reverse(),
      keyAuths: [...sorted.keyAuths].reverse(),
    };
    expect(encode(authorityCodec, shuffled)).toStrictEqual(encode(authorityCodec, sorted));
    expect(shuffled.keyAuths[0]?.[0]).toBe(high);
  });

  test('error: a repeated key', () => {
    const value: Authority = {
      weightThreshold: 1,
      accountAuths: [],
      keyAuths: [
        [low, 1],
        [high, 1],
        [low, 2],
      ],
    };
    expectFormatError(() => encode(authorityCodec, value), 'authority.key_auths[1]', /repeated key/);
  });
});

describe('json', () => {
  const [transferVector] = vectors.operations;
  const body = transferVector?.json[1] as Record<string, unknown>;
  const parse = (changes: object) => () => fromJson(operationCodec, [0, { ...body, ...changes }], 'input');

  test.each<[what: string, changes: object, field: string, reason: RegExp]>([
    ['an unknown key', { memo: 1 }, 'input.memo', /unknown key/],
    ['the discriminator as a key', { type: 'transfer' }, 'input.type', /unknown key/],
    ['a key of the prototype', JSON.parse('{"__proto__x": {}}'), 'input.__proto__x', /unknown key/],
    ['a missing field', { fee: undefined }, 'input.fee', /object/],
    ['an array for an object', { fee: [] }, 'input.fee', /object/],
    ['extensions', { extensions: [1] }, 'input.extensions', /empty/],
    ['extensions that are no array', { extensions: {} }, 'input.extensions', /array/],
    ['an unsafe number', { fee: { amount: 2 ** 53, asset_id: '1.3.0' } }, 'input.fee.amount', /safe integer/],
    ['a fraction', { fee: { amount: 0.5, asset_id: '1.3.0' } }, 'input.fee.amount', /safe integer/],
    ['leading zeros', { fee: { amount: '020', asset_id: '1.3.0' } }, 'input.fee.amount', /decimal string/],
    ['a negative amount', { fee: { amount: '-1', asset_id: '1.3.0' } }, 'input.fee.amount', /decimal string/],
    ['hex', { fee: { amount: '0x14', asset_id: '1.3.0' } }, 'input.fee.amount', /decimal string/],
    [
      'too great an amount',
      { fee: { amount: '9223372036854775808', asset_id: '1.3.0' } },
      'input.fee.amount',
      /of 0 to/,
    ],
    ['an identifier of another type', { from: '1.3.24' }, 'input.from', /1\.2\.N/],
    ['an identifier with leading zeros', { from: '1.2.024' }, 'input.from', /1\.2\.N/],
    ['a number for an identifier', { from: 24 }, 'input.from', /string/],
  ])('error: %s', (_, changes, field, reason) => {
    expectFormatError(parse(changes), field, reason);
  });

  test('args: extensions may be absent, amounts may be numbers', () => {
    const changed = parse({ extensions: undefined, fee: { amount: 20, asset_id: '1.3.0' } });
    expect(changed()).toStrictEqual(parse({})());
  });

  test.each<[what: string, json: unknown]>([
    ['an unknown number', [1, {}]],
    ['a text for a number', ['0', {}]],
    ['no pair', [0, {}, {}]],
    ['an object', {}],
  ])('error: an operation that is %s', (_, json) => {
    expectFormatError(() => fromJson(operationCodec, json, 'input'), 'input', /unknown operation|array/);
  });

  test('error: a time that is none', () => {
    const base = { ref_block_num: 1, ref_block_prefix: 2, operations: [] };
    for (const expiration of [
      '2019-02-30T00:00:00',
      '2019-12-16T17:15:41Z',
      '2019-12-16 17:15:41',
      '1969-12-31T23:59:59',
      '2106-02-07T06:28:16',
      5,
    ]) {
      expectFormatError(
        () => fromJson(transactionCodec, { ...base, expiration }),
        'transaction.expiration',
        /must be/,
      );
    }
    const last = fromJson(transactionCodec, { ...base, expiration: '2106-02-07T06:28:15' });
    expect(last.expiration).toBe(2 ** 32 - 1);
  });

  test('error: unsorted and repeated members of an authority', () => {
    const json = (...members: unknown[]) => ({ weight_threshold: 1, account_auths: members, key_auths: [] });
    const parseAuthority =
      (...members: unknown[]) =>
      () =>
        fromJson(authorityCodec, json(...members));
    expectFormatError(parseAuthority(['1.2.3', 1], ['1.2.3', 2]), 'authority.account_auths[1]', /repeated/);
    expectFormatError(parseAuthority(['1.2.4', 1], ['1.2.3', 2]), 'authority.account_auths[1]', /not sorted/);
    expectFormatError(parseAuthority(['1.2.4']), 'authority.account_auths[0]', /two/);
    expect(parseAccountId('1.2.4')).toBe(4);
  });

  test('error: optional extensions must be absent', () => {
    const update = vectors.operations.find(({ name }) => name === 'account_update');
    const json = [4, { ...(update?.json[1] as object), extensions: [] }];
    expectFormatError(() => fromJson(operationCodec, json), 'operation.extensions', /absent/);
  });
});
