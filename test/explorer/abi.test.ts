import fc from 'fast-check';
import { encodeAbiParameters, toFunctionSelector, type AbiParameter as ViemParameter } from 'viem';
import { describe, expect, test } from 'vitest';
import {
  AbiError,
  type AbiValue,
  checksumAddress,
  concat,
  decodeParameters,
  describeLog,
  encodeParameters,
  fromHex,
  nativeAddress,
  parseInteger,
  parseValue,
  readAddress,
  readInterface,
  readParameters,
  readType,
  reasonOf,
  showValue,
  toHex,
  visible,
} from '../../explorer/src/abi/index.ts';
import { SHOWN_VALUE_CHARACTERS_MAX } from '../../explorer/src/limits.ts';
import { type Sample, sample } from '../../src/solidity/samples.testing.ts';

/** A value of viem's as the page has it, by its type. */
function ours(type: string, components: readonly ViemParameter[], value: unknown): AbiValue {
  const [, item] = /^(.*)\[\d*\]$/.exec(type) ?? [];
  if (item !== undefined) return (value as unknown[]).map((one) => ours(item, components, one));
  if (type === 'tuple') {
    return (value as unknown[]).map((one, index) => {
      const member = components[index] as ViemParameter;
      return ours(member.type, componentsOf(member), one);
    });
  }
  if (type.startsWith('bytes')) return fromHex(value as string) ?? new Uint8Array();
  return value as AbiValue;
}

function componentsOf(parameter: ViemParameter): readonly ViemParameter[] {
  return 'components' in parameter ? parameter.components : [];
}

const valuesOf = (samples: readonly Sample[]): AbiValue[] =>
  samples.map(({ parameter, value }) => ours(parameter.type, componentsOf(parameter), value));

/** Converts a value to viem's form, which has numbers for small integers. */
function forViem(value: AbiValue): unknown {
  if (value instanceof Uint8Array) return toHex(value);
  return Array.isArray(value) ? value.map(forViem) : value;
}

/** Bytes as text, so that values can be compared. */
function plain(value: AbiValue): unknown {
  if (value instanceof Uint8Array) return toHex(value);
  return Array.isArray(value) ? value.map(plain) : value;
}

describe('the encoding of the page', () => {
  test('behavior: encoding matches viem, and decoding returns the original values', () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 4 }), (samples) => {
        const described = samples.map(({ parameter }) => parameter);
        const [parameters, values] = [readParameters(described), valuesOf(samples)];
        const encoded = encodeParameters(parameters, values);
        expect(toHex(encoded)).toBe(encodeAbiParameters(described, values.map(forViem)));
        expect(decodeParameters(parameters, encoded).map(plain)).toEqual(values.map(plain));
      }),
      { numRuns: 300 },
    );
  });

  test('behavior: a value is read again as it was shown', () => {
    fc.assert(
      fc.property(sample, ({ parameter, value }) => {
        const [{ type } = { type: readType('bool') }] = readParameters([parameter]);
        const one = ours(parameter.type, componentsOf(parameter), value);
        // A text by itself stands without quotation marks, in which alone there are escapes.
        fc.pre(type.kind !== 'string' || visible(String(one)) === one);
        const shown = showValue(type, one);
        // What is cut is not what it was: nothing else is so long and ends like this.
        if (shown.length > SHOWN_VALUE_CHARACTERS_MAX && shown.endsWith('…')) return;
        expect(plain(parseValue(type, shown, 'it'))).toEqual(plain(one));
      }),
      { numRuns: 300 },
    );
  });

  test('behavior: a value that is too long is truncated at the same length at any depth', () => {
    const [list, text] = readParameters([{ type: 'uint256[]' }, { type: 'string' }]);
    const shown = [
      showValue(
        list?.type ?? readType('bool'),
        Array.from({ length: 3_000 }, () => 7n),
      ),
      showValue(text?.type ?? readType('bool'), 'x'.repeat(5_000)),
    ];
    expect(shown.map((one) => [one.length, one.at(-1)])).toEqual(
      shown.map(() => [SHOWN_VALUE_CHARACTERS_MAX + 1, '…']),
    );
  });
});

describe('values as people type them', () => {
  test.each<[string, string, AbiValue]>([
    ['uint256', ' 1_000 ', 1_000n],
    ['uint256', '1.5e18', 1_500_000_000_000_000_000n],
    ['int8', '-128', -128n],
    ['uint8', '0xff', 255n],
    ['address', '1.2.1024', '0x0000000000000000000000000000000000000400'],
    ['address', '1.11.7', '0x0100000000000000000000000000000000000007'],
    ['uint8[]', '[]', []],
    ['uint8[2]', '[1, 0x2]', [1n, 2n]],
    ['(uint8,string)', '(1, "a, \\"b\\" ]")', [1n, 'a, "b" ]']],
    [
      '(uint8,bool)[]',
      '[(1, true), [2, false]]',
      [
        [1n, true],
        [2n, false],
      ],
    ],
    ['string', ' as it is ', ' as it is '],
  ])('behavior: %s of %s', (type, text, value) => {
    expect(parseValue(readType(type), text, 'it')).toEqual(value);
  });

  test('behavior: members by their names', () => {
    const [{ type } = { type: readType('bool') }] = readParameters([
      {
        type: 'tuple',
        components: [
          { name: 'to', type: 'address' },
          { name: 'amounts', type: 'uint8[]' },
        ],
      },
    ]);
    const value = parseValue(type, '{"amounts": [1, 2], to: 1.2.3}', 'order');
    expect(value).toEqual(['0x0000000000000000000000000000000000000003', [1n, 2n]]);
    expect(() => parseValue(type, '{to: 1.2.3}', 'order')).toThrow('order.amounts: there is no value');
    expect(() => parseValue(type, '{to: 1.2.3, x: 1}', 'order')).toThrow('order: there is no member "x"');
  });

  test.each<[string, string, string]>([
    ['uint8', '256', 'it: out of the range of uint8'],
    ['uint8', '', 'it: expected an integer, not ""'],
    ['int8', '128', 'it: out of the range of int8'],
    ['bool', 'yes', 'it: expected true or false'],
    ['bytes4', '0x01', 'it: expected 4 bytes, not 1'],
    ['bytes', '0x0', 'it: expected 0x and two hexadecimal digits for each byte'],
    ['address', '0x12', 'it: expected 0x and 40 digits, 1.2.N or 1.11.N'],
    ['uint8[2]', '[1]', 'it: expected 2 items, not 1'],
    ['(uint8,bool)[]', '[(1, true), (2, no)]', 'it[1][1]: expected true or false'],
    ['uint8[]', '[1', 'it: the text ends too soon, at character 3'],
    ['uint8[]', '[1] 2', 'it: "2" is not expected, at character 5'],
    ['uint8[]', '['.repeat(99), 'it: nested deeper than 16'],
    ['string[]', '["a', 'it: a text has no end'],
    ['uint8[]', `[${'1,'.repeat(5_000)}1]`, 'it: more than 4096 values'],
  ])('error: %s of %s', (type, text, message) => {
    expect(() => parseValue(readType(type), text, 'it')).toThrow(new AbiError('', message).message);
  });

  test('error: a wrong checksum', () => {
    const address = checksumAddress('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed');
    expect(address).toBe('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
    expect(readAddress(address)).toEqual({ address: address.toLowerCase() });
    expect(readAddress(address.replace('aA', 'Aa'))).toHaveProperty('problem');
  });

  test('behavior: identifiers and addresses', () => {
    expect(nativeAddress('1.2.1024')).toBe(`0x${'0'.repeat(37)}400`);
    expect(nativeAddress('1.11.281474976710655')).toBe(`0x01${'0'.repeat(26)}${'f'.repeat(12)}`);
    for (const text of ['1.2.281474976710656', '1.3.1', '1.2.01', '1.2.', '0x']) {
      expect(nativeAddress(text)).toBeUndefined();
    }
  });

  test.each(['', '-', '0x', '1.5', '1e99999', `1${'0'.repeat(500)}`, '1e-1', ' 1'])(
    'error: the integer %j',
    (text) => {
      expect(parseInteger(text)).toBeUndefined();
    },
  );
});

test('behavior: bidirectional, control and invisible characters are shown as escapes', () => {
  expect(visible('a\u202eb\u0000c\u200bd\te\nf')).toBe('a\\u202eb\\u0000c\\u200bd\te\nf');
  expect(showValue(readType('string[]'), ['\u2066x'])).toBe('["\\u2066x"]');
});

describe('readInterface', () => {
  test('behavior: functions have the selectors that viem computes', () => {
    const parsed = readInterface({
      abi: [
        {
          type: 'function',
          name: 'put',
          stateMutability: 'payable',
          inputs: [{ type: 'tuple[2]', components: [{ type: 'uint' }, { type: 'address[]' }] }],
        },
        { type: 'function', name: 'old', constant: true, inputs: [], outputs: [{ type: 'bool' }] },
      ],
    });
    expect(
      parsed.functions.map(({ signature, isRead, isPayable }) => [signature, isRead, isPayable]),
    ).toEqual([
      ['put((uint256,address[])[2])', false, true],
      ['old()', true, false],
    ]);
    expect(parsed.functions[0]?.selector).toBe(toFunctionSelector('put((uint256,address[])[2])'));
  });

  test('behavior: unreadable entries are reported, and the others are parsed', () => {
    const { functions, problems } = readInterface([
      7,
      { type: 'function', name: 'bad', inputs: [{ type: 'uint7' }] },
      { type: 'function', inputs: [] },
      { type: 'function', name: 'deep', inputs: [{ type: `uint8${'[]'.repeat(99)}` }] },
      { type: 'function', name: 'many', inputs: Array.from({ length: 300 }, () => ({ type: 'bool' })) },
      { type: 'function', name: 'good', inputs: [] },
      { type: 'unknown' },
    ]);
    expect(functions.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toEqual([
      'entry 0: expected an object',
      'entry 1: inputs[0]: unknown type "uint7"',
      'entry 2: expected a name',
      'entry 3: inputs[0]: nested deeper than 16',
      'entry 4: inputs[256]: more than 256 parameters',
    ]);
  });

  test('behavior: any JSON is read or refused', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        try {
          readInterface(JSON.parse(text));
        } catch (error) {
          expect(error).toBeInstanceOf(AbiError);
        }
      }),
    );
  });

  test('behavior: logs and reasons in words', () => {
    const { events, errors } = readInterface([
      {
        type: 'event',
        name: 'Told',
        inputs: [
          { name: 'who', type: 'address', indexed: true },
          { name: 'what', type: 'string', indexed: true },
          { name: 'amount', type: 'uint256' },
        ],
      },
      { type: 'error', name: 'Short', inputs: [{ name: 'have', type: 'uint256' }] },
    ]);
    const word = (value: bigint) => encodeParameters(readParameters([{ type: 'uint256' }]), [value]);
    const topics = [events[0]?.topic ?? '', toHex(word(5n)), toHex(word(6n))];
    expect(describeLog({ events }, topics, toHex(word(7n)))?.values).toEqual([
      { name: 'who', text: checksumAddress(`0x${'5'.padStart(40, '0')}`), isHashed: false },
      { name: 'what', text: toHex(word(6n)), isHashed: true },
      { name: 'amount', text: '7', isHashed: false },
    ]);
    expect(describeLog({ events }, topics.slice(0, 2), '0x')).toBeUndefined();
    const short = toHex(concat([fromHex(errors[0]?.selector ?? '') ?? new Uint8Array(), word(3n)]));
    expect(reasonOf(short, errors)).toBe('Short(have: 3)');
    expect(reasonOf(`0x4e487b71${toHex(word(0x12n)).slice(2)}`)).toBe('division or modulo by zero');
    expect(reasonOf('0x08c379a0ff')).toBeUndefined();
    expect(reasonOf('0x')).toBeUndefined();
  });
});
