/** A contract whose functions fail at chosen lines. */
export interface GeneratedContract {
  readonly text: string;
  /** The failing line by the name of a function and the value that makes it fail. */
  readonly failures: readonly { readonly name: string; readonly value: number; readonly line: number }[];
}

const HEAD = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
error OverLimit(address who, uint256 wanted, uint256 limit);
error Plain();
library Checks {
    function check(uint256 k, uint256 bad) internal pure returns (uint256) {
        require(k != bad, "library"); // @Checks
        return k + 1;
    }
}
contract Generated { /* é */
    uint256 public total = 1;
    uint256[] internal list;
    constructor() { list.push(1); }
    modifier notNine(uint256 k) {
        require(k != 900, "nine"); // @notNine
        _;
    }
`;

/** Statements that fail if k has a value. */
const STATEMENTS: readonly ((value: number) => string)[] = [
  (value) => `if (k == ${value}) revert OverLimit(msg.sender, n, 5 ether);`,
  (value) => `require(k != ${value}, "too much");`,
  (value) => `require(k != ${value});`,
  (value) => `if (k == ${value}) revert Plain();`,
  (value) => `if (k == ${value}) { revert("text"); }`,
  (value) => `total = total + (k == ${value} ? type(uint256).max : 1);`,
  (value) => `assert(k != ${value});`,
  (value) => `list[k == ${value} ? 9 : 0] = n;`,
  (value) => `n = n / (k == ${value} ? 0 : 1);`,
  (value) => `for (uint256 i = 0; i < 3; i++) require(k != ${value} || i < 2, "loop");`,
  (value) => `if (n > 3) { n -= k == ${value} ? 10000 : 1; } else { n += 1; }`,
  (value) => `(bool ok${value}, ) = address(this).call(""); require(ok${value} == (k == ${value}), "call");`,
];

/** Generates a contract with functions of shuffled statements, of which many are equal. */
export function generateContract(seed: number, functions: number): GeneratedContract {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
  const lines = HEAD.trimEnd().split('\n');
  const failures: { name: string; value: number; line: number }[] = [];
  const lineOf = (mark: string): number => lines.findIndex((line) => line.endsWith(`// @${mark}`)) + 1;
  for (let index = 0; index < functions; index += 1) {
    const name = `f${index}`;
    const own = (indentation: string, value: number): void => {
      const statement = STATEMENTS[random(STATEMENTS.length)]?.(value);
      lines.push(`${indentation}${statement}`);
      failures.push({ name, value, line: lines.length });
    };
    lines.push(`    function f${index}(uint256 n, uint256 k) external notNine(k) returns (uint256) {`);
    failures.push({ name, value: 900, line: lineOf('notNine') });
    for (let value = 0; value < 5; value += 1) own('        ', value);
    lines.push(`        n += inner${index}(n, k);`);
    lines.push('        Checks.check(k, 800);');
    failures.push({ name, value: 800, line: lineOf('Checks') });
    for (let value = 10; value < 12; value += 1) own('        ', value);
    lines.push('        return n;', '    }');
    lines.push(`    function inner${index}(uint256 n, uint256 k) private returns (uint256) {`);
    for (let value = 20; value < 23; value += 1) own('        ', value);
    lines.push('        return n + k;', '    }');
  }
  return { text: `${lines.join('\n')}\n}\n`, failures };
}
