import { describe, expect, test } from 'vitest';
import { concatBytes, hexToBytes, numberToBytes } from '../bytes/bytes.ts';
import { GROUP_ORDER } from '../curves/recovery.ts';
import { DecodeError, UnsupportedTransactionTypeError } from '../protocol-errors.ts';
import { parseEthereumTransaction } from './parse-transaction.ts';
import { encodeRlp, listOfRlp, type RlpItem } from './rlp.ts';

const TO = hexToBytes('35'.repeat(20));
const KEY = hexToBytes('11'.repeat(32));

/** Items by name, in the order of the encoding; those that a test changes stand for what they are replaced by. */
type Items = Record<string, RlpItem | undefined>;

function number(value: bigint): Uint8Array {
  return numberToBytes(value);
}

const LEGACY: Items = {
  nonce: number(9n),
  gasPrice: number(20n),
  gas: number(21_000n),
  to: TO,
  value: number(1n),
  data: hexToBytes('c0ffee'),
  v: number(37n),
  r: number(3n),
  s: number(4n),
};
const ACCESS_LIST: Items = {
  chainId: number(1n),
  nonce: number(9n),
  gasPrice: number(20n),
  gas: number(21_000n),
  to: TO,
  value: number(1n),
  data: hexToBytes('c0ffee'),
  accessList: [[TO, [KEY]]],
  yParity: number(1n),
  r: number(3n),
  s: number(4n),
};
const { gasPrice: _gasPrice, ...WITHOUT_PRICE } = ACCESS_LIST;
const { chainId, nonce, ...REST } = WITHOUT_PRICE;
const DYNAMIC_FEE: Items = {
  chainId,
  nonce,
  maxPriorityFeePerGas: number(2n),
  maxFeePerGas: number(20n),
  ...REST,
};

const FORMS = {
  legacy: ['', LEGACY],
  accessList: ['01', ACCESS_LIST],
  dynamicFee: ['02', DYNAMIC_FEE],
} as const;
type Form = keyof typeof FORMS;

function assemble(form: Form, changes: Items = {}): Uint8Array {
  const [type, items] = FORMS[form];
  const present = Object.values({ ...items, ...changes }).filter((item) => item !== undefined);
  return concatBytes(hexToBytes(type), encodeRlp(present));
}

function errorOf(raw: Uint8Array): unknown {
  try {
    return parseEthereumTransaction(raw);
  } catch (error) {
    return error;
  }
}

function expectRefusal(raw: Uint8Array, field: string, reason: string): void {
  const error = errorOf(raw);
  expect(error).toBeInstanceOf(DecodeError);
  const { message, offset } = error as DecodeError;
  expect(message.replace(/ at byte \d+/, '')).toBe(`${field}: ${reason}`);
  expect(offset).toBeLessThanOrEqual(raw.length);
}

const SIGNATURE = 'invalid transaction v, r, s values';
const LOW_S = 's must be from 1 to half the order';
const GOOD_R = 'r must be from 1 to the order less one';

test.each(Object.keys(FORMS) as Form[])('default: %s', (form) => {
  expect(parseEthereumTransaction(assemble(form))).toMatchObject({ type: form, nonce: 9n, r: 3n, s: 4n });
});

describe('fields', () => {
  test.each<[what: string, form: Form, changes: Items, field: string, reason: string]>([
    [
      'a zero before a number',
      'legacy',
      { nonce: hexToBytes('0009') },
      'nonce',
      'a number with zeros in front',
    ],
    ['a zero as a byte', 'legacy', { value: hexToBytes('00') }, 'value', 'a number with zeros in front'],
    ['the last nonce', 'legacy', { nonce: number(2n ** 64n - 1n) }, 'nonce', 'nonce has max value'],
    [
      'a nonce of 9 bytes',
      'dynamicFee',
      { nonce: number(2n ** 64n) },
      'nonce',
      'a number of 9 bytes, at most 8 are allowed',
    ],
    [
      'gas of 9 bytes',
      'legacy',
      { gas: number(2n ** 64n) },
      'gas',
      'a number of 9 bytes, at most 8 are allowed',
    ],
    [
      'a value of 33 bytes',
      'accessList',
      { value: number(2n ** 256n) },
      'value',
      'a number of 33 bytes, at most 32 are allowed',
    ],
    [
      'a fee of 33 bytes',
      'dynamicFee',
      { maxFeePerGas: number(2n ** 256n) },
      'maxFeePerGas',
      'a number of 33 bytes, at most 32 are allowed',
    ],
    ['a list for a number', 'legacy', { gasPrice: [] }, 'gasPrice', 'must be a string, not a list'],
    ['a receiver of 19 bytes', 'legacy', { to: TO.subarray(1) }, 'to', 'must have 20 bytes or none, not 19'],
    ['a receiver of a byte', 'dynamicFee', { to: number(1n) }, 'to', 'must have 20 bytes or none, not 1'],
    ['a receiver that is a word', 'accessList', { to: KEY }, 'to', 'must have 20 bytes or none, not 32'],
    ['a list for the data', 'legacy', { data: [TO] }, 'data', 'must be a string, not a list'],
    ['chain id 0', 'dynamicFee', { chainId: number(0n) }, 'chainId', 'must not be 0'],
    [
      'an access list that is none',
      'accessList',
      { accessList: TO },
      'accessList',
      'must be a list, not a string',
    ],
    [
      'an access that is none',
      'dynamicFee',
      { accessList: [TO] },
      'accessList[0]',
      'must be a list, not a string',
    ],
    [
      'an access without keys',
      'dynamicFee',
      { accessList: [[TO]] },
      'accessList[0].storageKeys',
      'is missing: too few items',
    ],
    [
      'an access with too much',
      'dynamicFee',
      {
        accessList: [
          [TO, []],
          [TO, [], []],
        ],
      },
      'accessList[1]',
      '1 bytes too many',
    ],
    [
      'an address of 21 bytes',
      'accessList',
      { accessList: [[concatBytes(TO, number(1n)), []]] },
      'accessList[0].address',
      'must have 20 bytes, not 21',
    ],
    [
      'a storage key of 31 bytes',
      'dynamicFee',
      { accessList: [[TO, [KEY, KEY.subarray(1)]]] },
      'accessList[0].storageKeys[1]',
      'must have 32 bytes, not 31',
    ],
    [
      'lists within lists',
      'dynamicFee',
      { accessList: [[TO, [[[[]]]]]] },
      'accessList[0].storageKeys[0]',
      'must be a string, not a list',
    ],
  ])('error: %s', (_what, form, changes, field, reason) => {
    expectRefusal(assemble(form, changes), `transaction.${field}`, reason);
  });
});

describe('signatures', () => {
  test.each<[what: string, form: Form, changes: Items, field: string, reason: string]>([
    ['r of 0', 'legacy', { r: number(0n) }, 'r', GOOD_R],
    ['r the order', 'dynamicFee', { r: number(GROUP_ORDER) }, 'r', GOOD_R],
    ['r with all bits', 'accessList', { r: number(2n ** 256n - 1n) }, 'r', GOOD_R],
    ['s of 0', 'dynamicFee', { s: number(0n) }, 's', LOW_S],
    ['a high s', 'legacy', { s: number(GROUP_ORDER / 2n + 1n) }, 's', LOW_S],
    ['s the order', 'accessList', { s: number(GROUP_ORDER) }, 's', LOW_S],
    ['v of 0', 'legacy', { v: number(0n) }, 'v', 'v of 0'],
    ['v of 26', 'legacy', { v: number(26n) }, 'v', 'v of 26'],
    ['v of 29', 'legacy', { v: number(29n) }, 'v', 'v of 29'],
    ['v of 34', 'legacy', { v: number(34n) }, 'v', 'v of 34'],
    ['v of chain id 0', 'legacy', { v: number(35n) }, 'v', 'v of 35'],
    ['v of chain id 0, odd', 'legacy', { v: number(36n) }, 'v', 'v of 36'],
    ['a parity of 2', 'accessList', { yParity: number(2n) }, 'yParity', 'yParity of 2'],
    ['a parity of 27', 'dynamicFee', { yParity: number(27n) }, 'yParity', 'yParity of 27'],
  ])('error: %s', (_what, form, changes, field, reason) => {
    expectRefusal(assemble(form, changes), `transaction.${field}`, `${SIGNATURE}: ${reason}`);
  });

  test('behavior: the greatest s that is low, and the greatest r', () => {
    const changes = { r: number(GROUP_ORDER - 1n), s: number(GROUP_ORDER / 2n) };
    expect(parseEthereumTransaction(assemble('dynamicFee', changes)).s).toBe(GROUP_ORDER / 2n);
  });

  test('error: an unsigned transaction', () => {
    const unsigned = { v: undefined, r: undefined, s: undefined };
    expectRefusal(assemble('legacy', unsigned), 'transaction.v', 'is missing: too few items');
    const changes = { yParity: undefined, r: undefined, s: undefined };
    expectRefusal(assemble('dynamicFee', changes), 'transaction.yParity', 'is missing: too few items');
  });
});

describe('RLP', () => {
  const legacy = assemble('legacy');
  test.each<[what: string, raw: Uint8Array, field: string, reason: string]>([
    ['no bytes', new Uint8Array(), '', 'has no bytes'],
    ['a string', hexToBytes('8180'), '', 'begins neither with a type nor with a list'],
    ['a type alone', hexToBytes('02'), '', 'is missing: too few items'],
    ['a type before a string', hexToBytes('0180'), '', 'must be a list, not a string'],
    ['an empty list', hexToBytes('c0'), '.nonce', 'is missing: too few items'],
    ['a byte behind the list', concatBytes(legacy, hexToBytes('00')), '', '1 bytes too many'],
    ['an item too many', assemble('legacy', { more: number(0n) }), '', '1 bytes too many'],
    [
      'a list that ends early',
      legacy.subarray(0, -1),
      '',
      `needs ${legacy.length - 1} bytes, ${legacy.length - 2} are left`,
    ],
    ['a length that ends early', hexToBytes('f9ff'), '', 'ends within its length'],
    [
      'a length of 8 bytes',
      hexToBytes(`ff${'ff'.repeat(8)}00`),
      '',
      'needs 18446744073709552000 bytes, 1 are left',
    ],
    ['a length with a zero', hexToBytes('f90001'), '', 'not canonical: a length with zeros in front'],
    ['a long form for a short list', hexToBytes('f80101'), '', 'not canonical: the long form for 1 bytes'],
    [
      'a long form for a short string',
      hexToBytes('c4b8020102'),
      '.nonce',
      'not canonical: the long form for 2 bytes',
    ],
    [
      'a string of a byte',
      hexToBytes('c28101'),
      '.nonce',
      'not canonical: a byte below 128 stands for itself',
    ],
    ['an item longer than its list', hexToBytes('01c28201'), '.chainId', 'needs 2 bytes, 1 are left'],
  ])('error: %s', (_what, raw, field, reason) => {
    expectRefusal(raw, `transaction${field}`, reason);
  });

  test('behavior: deep lists are not followed', () => {
    const nested = Array.from({ length: 3_000 }).reduce<Uint8Array>(
      (list) => listOfRlp([list]),
      new Uint8Array(),
    );
    expectRefusal(nested, 'transaction.nonce', 'must be a string, not a list');
  });
});

describe('types', () => {
  test.each([0, 5, 0x7f])('error: type %i is not supported', (type) => {
    const error = errorOf(concatBytes(Uint8Array.of(type), encodeRlp([])));
    expect(error).toBeInstanceOf(UnsupportedTransactionTypeError);
    expect(error).toMatchObject({
      code: 'TRANSACTION_TYPE',
      type,
      message: `transaction type not supported: ${type}`,
    });
  });
});
