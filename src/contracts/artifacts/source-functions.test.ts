import { expect, test } from 'vitest';
import { functionAt, functionsIn } from './source-functions.ts';

const SOURCE = `// function comment() { }
string constant TEXT = "function text() {";
/* modifier é { } */
contract C is D {
    function(uint256) internal returns (uint256) internal later;
    struct S { uint256 a; }
    modifier only(uint256 a) { require(a > 0); _; }
    constructor() D(1) { later = one; }
    function abstractOne() external virtual;
    function one(uint256 a) internal only(a) returns (uint256) {
        function(uint256) internal f = one;
        unchecked { assembly { function inner() { } } }
        return a;
    }
    receive() external payable { }
}
function free() pure { }
`;

test('default: functions, modifiers and constructors with their whole text', () => {
  const bytes = Buffer.from(SOURCE);
  const found = functionsIn(bytes);
  expect(found.map(({ name, isModifier }) => [name, isModifier])).toEqual([
    ['only', true],
    ['constructor', false],
    ['one', false],
    ['receive', false],
    ['free', false],
  ]);
  const texts = found.map(({ start, end }) => bytes.toString('utf8', start, end));
  expect(texts.map((text) => text.at(-1))).toEqual(['}', '}', '}', '}', '}']);
  expect(texts[2]).toMatch(/^function one(.*\n)*.*return a;\n {4}\}$/);
  expect(found[2]?.header).toContain('only(a)');
  expect(functionAt(found, bytes.indexOf('return a'))?.name).toBe('one');
  expect(functionAt(found, bytes.indexOf('later'))).toBeUndefined();
});

test.each([
  '',
  '}',
  'function f(',
  'function f() {',
  '{{{',
  'contract C { function f() { "',
  '/*',
  '\u{1f600} }}',
])('error: unfinished text: %j', (text) => {
  expect(functionsIn(Buffer.from(text))).toEqual([]);
});
