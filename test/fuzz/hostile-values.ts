import { type JsonText, raw } from './json-text.ts';
import type { Random } from './random.ts';

const DIGITS = '9'.repeat(400);

/** Numbers at and beyond the edges of the types that the node knows. */
const EDGES = [15n, 16n, 31n, 32n, 47n, 48n, 53n, 63n, 64n, 128n, 160n, 255n, 256n, 257n].flatMap((bits) =>
  [-1n, 0n, 1n].map((step) => 2n ** bits + step),
);

/** Values that often break programs, for any position. */
const VALUES: readonly JsonText[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 1e21, 5e-324],
  ...['-0', '1e400', '-1e400', '9007199254740993', DIGITS, `-${DIGITS}`, `0.${DIGITS}`, '1E+2'].map(raw),
  ...['', ' ', '0', '0x', '0x0', '0X1', '-0x1', '0x-1', '0xg', '0x1.8', '0x00000000000000000000', '0x 1'],
  ...[`0x${DIGITS}`, DIGITS, `0x${'0'.repeat(4_000)}1`, '1e1000', 'Infinity', 'null'],
  ...['latest', 'earliest', 'pending', 'safe', 'finalized', 'LATEST', 'latest\u0000'],
  ...['\u0000', '💥', '\u202e0x1', 'é', 'e\u0301', '\ufeff0x1', '０ｘ１', '%s%n', '../../etc/passwd', '\\'],
  ...['"\\ud800"', '"\\udfff\\ud800"', '"\\u0030x1"', '"0x\\u0031"'].map(raw),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...[
    '{"__proto__":{"polluted":true}}',
    '{"__proto__":null}',
    '{"constructor":{"prototype":{"polluted":1}}}',
  ].map(raw),
  ...[
    '{"toString":1,"valueOf":1}',
    '{"toJSON":"0x1"}',
    '{"length":5}',
    '{"then":{}}',
    '{"0":"0x1"}',
    '{}',
  ].map(raw),
  ...['[]', '[[]]', '[null]', '[[[[[[[[]]]]]]]]', '["0x1"]', '[{}]', '{"":""}'].map(raw),
  ...EDGES.map((edge) => `0x${edge.toString(16)}`),
  ...EDGES.map((edge) => raw(edge.toString())),
  ...[1, 19, 20, 21, 31, 32, 33, 64, 256].map((size) => `0x${'ff'.repeat(size)}`),
];

/** Nesting depths below, at and beyond the limit, within the limits of the rest of the request. */
const DEPTHS = [8, 60, 61, 62, 63, 64, 65, 1_000, 20_000];

/** A value that programs trip over; now and then a deep or a long one. */
export function hostileValue(random: Random): JsonText {
  if (random.oneIn(60)) return nested(random.pick(DEPTHS), random.oneIn(2));
  if (random.oneIn(120)) return 'x'.repeat(random.pick([65, 1_000, 100_000]));
  if (random.oneIn(120)) return `0x${'ab'.repeat(random.pick([1_000, 49_153, 100_000]))}`;
  if (random.oneIn(120)) return Array.from({ length: random.pick([65, 1_001]) }, () => '0x1');
  return random.pick(VALUES);
}

function nested(depth: number, isObject: boolean): JsonText {
  return isObject
    ? raw(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
    : raw('['.repeat(depth) + ']'.repeat(depth));
}
