import { beforeAll, describe, expect, test } from 'vitest';
import { bytesToHex, keccak256 } from '../../protocol/index.ts';
import { assemble } from '../testing/assembler.testing.ts';
import {
  BLOCK,
  CONTRACT,
  createFixture,
  type Fixture,
  OTHER,
  pushed,
  SENDER,
} from '../testing/engine.testing.ts';
import { numberOf, word } from '../testing/memory-host.testing.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});

/** Returns the word that a program leaves on top of the stack. */
function topOf(source: string, data: Uint8Array = new Uint8Array(0)): bigint {
  const execution = fixture.run(`${source} RETURN_TOP`, { data });
  expect(execution.status).toBe('success');
  return numberOf(execution.output);
}

const MINUS_ONE = 2n ** 256n - 1n;
const negative = (value: bigint) => `0x${BigInt.asUintN(256, -value).toString(16)}`;

describe('arithmetic', () => {
  test.each([
    ['ADD', '3 4 ADD', 7n],
    ['ADD wraps', `1 ${negative(1n)} ADD`, 0n],
    ['MUL', '3 4 MUL', 12n],
    ['SUB', '3 4 SUB', 1n],
    ['DIV', '3 10 DIV', 3n],
    ['DIV by zero', '0 10 DIV', 0n],
    ['SDIV', `2 ${negative(7n)} SDIV`, 2n ** 256n - 3n],
    ['MOD', '3 10 MOD', 1n],
    ['SMOD', `3 ${negative(10n)} SMOD`, MINUS_ONE],
    ['ADDMOD of a sum over 256 bits', `10 2 ${negative(1n)} ADDMOD`, (MINUS_ONE + 2n) % 10n],
    [
      'MULMOD of a product over 256 bits',
      `7 ${negative(2n)} ${negative(1n)} MULMOD`,
      (MINUS_ONE * (MINUS_ONE - 1n)) % 7n,
    ],
    ['EXP', '10 2 EXP', 1024n],
    ['SIGNEXTEND', '0xff 0 SIGNEXTEND', MINUS_ONE],
  ])('default: %s', (_, source, result) => {
    expect(topOf(source)).toBe(result);
  });

  test('behavior: EXP charges 50 gas for each byte of the exponent', () => {
    const short = fixture.run('0xff 2 EXP STOP').gasUsed;
    expect(fixture.run('0xffff 2 EXP STOP').gasUsed - short).toBe(50n);
  });
});

describe('comparison and bits', () => {
  test.each([
    ['LT', '2 1 LT', 1n],
    ['GT', '2 1 GT', 0n],
    ['SLT', `1 ${negative(1n)} SLT`, 1n],
    ['SGT', `1 ${negative(1n)} SGT`, 0n],
    ['EQ', '5 5 EQ', 1n],
    ['ISZERO', '0 ISZERO', 1n],
    ['AND', '12 10 AND', 8n],
    ['OR', '12 10 OR', 14n],
    ['XOR', '12 10 XOR', 6n],
    ['NOT', '0 NOT', MINUS_ONE],
    ['BYTE', '0x1234 30 BYTE', 0x12n],
    ['SHL', '1 255 SHL', 2n ** 255n],
    ['SHR', '256 4 SHR', 16n],
    ['SAR', `${negative(16n)} 2 SAR`, 2n ** 256n - 4n],
  ])('default: %s', (_, source, result) => {
    expect(topOf(source)).toBe(result);
  });

  test('default: KECCAK256 of two words', () => {
    const bytes = new Uint8Array([...word(1n), ...word(2n)]);
    expect(topOf('1 0 MSTORE 2 32 MSTORE 64 0 KECCAK256')).toBe(numberOf(keccak256(bytes)));
  });
});

describe('environment', () => {
  test.each([
    ['ADDRESS', 'ADDRESS', numberOf(CONTRACT)],
    ['CALLER', 'CALLER', numberOf(SENDER)],
    ['ORIGIN', 'ORIGIN', numberOf(SENDER)],
    ['GASPRICE', 'GASPRICE', 1n],
    ['COINBASE', 'COINBASE', numberOf(BLOCK.coinbase)],
    ['TIMESTAMP', 'TIMESTAMP', BLOCK.timestamp],
    ['NUMBER', 'NUMBER', BLOCK.number],
    ['PREVRANDAO', 'PREVRANDAO', numberOf(BLOCK.randomness)],
    ['GASLIMIT', 'GASLIMIT', BLOCK.gasLimit],
    ['CHAINID', 'CHAINID', BLOCK.chainId],
    ['BASEFEE', 'BASEFEE', BLOCK.baseFee],
    ['BLOBHASH', '0 BLOBHASH', 0n],
    ['BLOBBASEFEE', 'BLOBBASEFEE', 1n],
    ['BALANCE of the sender', `${pushed(SENDER)} BALANCE`, 10n ** 18n],
    ['BALANCE of nobody', '0xdead BALANCE', 0n],
    ['SELFBALANCE', 'SELFBALANCE', 0n],
    ['CODESIZE', 'CODESIZE', 9n],
    ['PC', '1 POP PC', 3n],
    ['MSIZE grows by words', '1 33 MSTORE8 MSIZE', 64n],
    ['BLOCKHASH of the parent', '999 BLOCKHASH', (0xb10cn << 64n) | 999n],
    ['BLOCKHASH 256 blocks back', '744 BLOCKHASH', (0xb10cn << 64n) | 744n],
    ['BLOCKHASH 257 blocks back', '743 BLOCKHASH', 0n],
    ['BLOCKHASH of the running block', '1000 BLOCKHASH', 0n],
    ['EXTCODEHASH of nobody', '0xdead EXTCODEHASH', 0n],
    [
      'EXTCODEHASH of an account without code',
      `${pushed(SENDER)} EXTCODEHASH`,
      numberOf(keccak256(new Uint8Array(0))),
    ],
  ])('default: %s', (_, source, result) => {
    expect(topOf(source)).toBe(result);
  });

  test('default: CALLDATALOAD pads with zeros', () => {
    expect(topOf('1 CALLDATALOAD', Uint8Array.of(0xaa, 0xbb, 0xcc))).toBe(0xbbccn << 240n);
    expect(topOf(`${negative(1n)} CALLDATALOAD`, Uint8Array.of(1))).toBe(0n);
  });

  test('default: CALLDATACOPY and CODECOPY pad with zeros', () => {
    expect(topOf('3 1 30 CALLDATACOPY 0 MLOAD', Uint8Array.of(0xaa, 0xbb))).toBe(0xbb00n);
    const { output } = fixture.run('32 4 0 CODECOPY 32 0 RETURN');
    expect(bytesToHex(output)).toBe(`600039${bytesToHex(assemble('32 0 RETURN'))}`.padEnd(64, '0'));
  });

  test('default: code of another account by EXTCODESIZE, EXTCODECOPY and EXTCODEHASH', () => {
    const code = assemble('1 2 ADD');
    fixture.place(OTHER, code);
    expect(topOf(`${pushed(OTHER)} EXTCODESIZE`)).toBe(BigInt(code.length));
    expect(topOf(`${pushed(OTHER)} EXTCODEHASH`)).toBe(numberOf(keccak256(code)));
    expect(topOf(`32 1 0 ${pushed(OTHER)} EXTCODECOPY 0 MLOAD`)).toBe(numberOf(code.subarray(1)) << 224n);
  });
});

describe('stack, memory and flow', () => {
  test('default: PUSH1 to PUSH32 push as many bytes', () => {
    for (let size = 1; size <= 32; size++) {
      const data = Array.from({ length: size }, (_, index) => index + 0xd0);
      const bytes = Uint8Array.of(...data);
      const filler = '#7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff POP';
      expect(topOf(`${filler} #${(0x5f + size).toString(16)}${bytesToHex(bytes)}`)).toBe(numberOf(bytes));
    }
  });

  test('behavior: a PUSH at the end of the code reads zeros', () => {
    fixture.place(CONTRACT, '#7f01');
    expect(fixture.send().status).toBe('success');
    fixture.place(OTHER, '#7f01');
    expect(topOf(`1 0 0 0 0 0 ${pushed(OTHER)} GAS CALL`)).toBe(1n);
  });

  test('default: DUP1 to DUP16 and SWAP1 to SWAP16', () => {
    const items = Array.from({ length: 17 }, (_, index) => index + 1).join(' ');
    for (let depth = 1; depth <= 16; depth++) {
      expect(topOf(`${items} DUP${depth}`)).toBe(BigInt(18 - depth));
      expect(topOf(`${items} SWAP${depth}`)).toBe(BigInt(17 - depth));
      expect(topOf(`${items} SWAP${depth} ${'POP '.repeat(depth)}`)).toBe(17n);
    }
  });

  test('default: MSTORE, MSTORE8, MLOAD and MCOPY', () => {
    expect(topOf('0x1234 1 MSTORE 1 MLOAD')).toBe(0x1234n);
    expect(topOf('0x1234 31 MSTORE8 0 MLOAD')).toBe(0x34n);
    expect(topOf('0x1234 0 MSTORE 32 0 1 MCOPY 1 MLOAD')).toBe(0x1234n);
    expect(topOf('0x1234 32 MSTORE 32 32 0 MCOPY 0 MLOAD')).toBe(0x1234n);
  });

  test('default: JUMP and JUMPI', () => {
    expect(topOf('@over JUMP 1 RETURN_TOP :over 2')).toBe(2n);
    expect(topOf('1 @over JUMPI 1 RETURN_TOP :over 2')).toBe(2n);
    expect(topOf('0 @over JUMPI 1 RETURN_TOP :over 2')).toBe(1n);
  });

  test.each([
    ['stackUnderflow', 'ADD'],
    ['stackUnderflow', '1 SWAP1'],
    ['stackOverflow', ':again 1 @again JUMP'],
    ['invalidJump', '4 JUMP #5b'],
    ['invalidJump', '4 JUMP #605b'],
    ['invalidJump', `${negative(1n)} JUMP`],
    ['invalidOpcode', 'INVALID'],
    ['invalidOpcode', '#0c'],
    ['outOfGas', ':again @again JUMP'],
    ['outOfGas', `1 ${negative(1n)} MSTORE`],
    ['outOfGas', '0xffffffff 0 RETURN'],
    ['returnDataOutOfBounds', '1 0 0 RETURNDATACOPY'],
  ])('error: %s of %s consumes all gas', (halt, source) => {
    const execution = fixture.run(source, { gas: 1_000_000n });
    expect(execution).toMatchObject({ status: 'halt', halt, gasUsed: 1_000_000n });
    expect(execution.output).toHaveLength(0);
  });

  test('behavior: 1,024 items fit the stack', () => {
    expect(fixture.run('1 '.repeat(1_024)).status).toBe('success');
    expect(fixture.run('1 '.repeat(1_025))).toMatchObject({ halt: 'stackOverflow' });
  });

  test('behavior: gas of memory is quadratic', () => {
    const used = (end: number) =>
      fixture.run(`1 ${end - 32} MSTORE`).gasUsed - fixture.run('1 0 MSTORE').gasUsed;
    const costOf = (words: number) => BigInt(3 * words + Math.floor((words * words) / 512));
    expect(used(32_768)).toBe(costOf(1_024) - costOf(1));
  });
});

describe('logs and ends', () => {
  test('default: LOG0 to LOG4', () => {
    const { logs } = fixture.run('0xabcd 0 MSTORE 2 30 LOG0 4 3 2 1 32 0 LOG4');
    expect(logs).toEqual([
      { address: CONTRACT, topics: [], data: Uint8Array.of(0xab, 0xcd) },
      { address: CONTRACT, topics: [1n, 2n, 3n, 4n].map(word), data: word(0xabcdn) },
    ]);
  });

  test('behavior: a revert keeps its output and remaining gas, and discards its logs', () => {
    const execution = fixture.run('0 0 LOG0 7 REVERT_TOP');
    expect(execution).toMatchObject({ status: 'revert', output: word(7n), logs: [] });
    expect(execution.gasUsed).toBeLessThan(22_000n);
  });

  test('default: an account without code succeeds', () => {
    expect(fixture.send({ to: OTHER, value: 0n })).toMatchObject({ status: 'success' });
  });
});

describe('hard forks', () => {
  test.each([
    ['london', 'paris', 'shanghai', '#5f'],
    ['paris', 'london', 'shanghai', '#5f'],
    ['shanghai', 'paris', 'cancun', '0 TLOAD'],
    ['shanghai', 'london', 'cancun', '0 0 0 MCOPY'],
    ['shanghai', 'paris', 'cancun', '0 BLOBHASH'],
    ['paris', 'shanghai', 'cancun', 'BLOBBASEFEE'],
    ['cancun', 'prague', 'osaka', '1 CLZ'],
  ] as const)(
    'args: %s and %s do not support an instruction that %s adds: %s',
    async (one, another, has, source) => {
      for (const hardfork of [one, another]) {
        expect((await createFixture(hardfork)).run(source)).toMatchObject({ halt: 'invalidOpcode' });
      }
      expect((await createFixture(has)).run(source).status).toBe('success');
    },
  );

  test('behavior: PREVRANDAO is the randomness in every hard fork', async () => {
    const { run } = await createFixture('london');
    expect(run('PREVRANDAO RETURN_TOP').output).toEqual(BLOCK.randomness);
  });
});
