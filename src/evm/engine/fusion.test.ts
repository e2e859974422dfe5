import { beforeAll, describe, expect, test } from 'vitest';
import { FUSIONS } from '../../../scripts/wasm/instructions.js';
import { Engine, type Execution } from '../index.ts';
import { assemble } from '../testing/assembler.testing.ts';
import {
  BLOCK,
  CONTRACT,
  createFixture,
  type Fixture,
  SENDER,
  TRANSACTION_GAS,
} from '../testing/engine.testing.ts';

/** Every fused sequence; ? is the offset of a JUMPDEST after it. */
const SEQUENCES = [
  ...['#60? JUMP', '#6100? JUMP', '#60? JUMPI', '#6100? JUMPI', 'ISZERO #6100? JUMPI', 'DUP1 #6100? JUMPI'],
  ...['DUP1 #60? JUMPI', 'LT #6100? JUMPI', 'GT #6100? JUMPI', 'EQ #6100? JUMPI', 'POP JUMP', 'SWAP1 JUMP'],
  ...['DUP1 #6300000007 EQ #6100? JUMPI', 'DUP1 #6300000008 EQ #6100? JUMPI', '#60ff JUMP', '#61ffff JUMPI'],
  ...['1 2', '5 ADD', '5 SWAP1 SUB', '5 SHL', '5 SHR', '64 MLOAD', '300 MLOAD', '64 MSTORE', '300 MSTORE'],
  ...['9 DUP2', '9 DUP2 MSTORE', '9 ADD MLOAD', 'POP POP', 'DUP2 MSTORE', 'SWAP1 SUB', 'ISZERO ISZERO'],
  ...['LT ISZERO', 'GT ISZERO', 'DUP2 LT', 'DUP2 GT', 'DUP2 EQ', 'DUP1 MLOAD', 'DUP2 MLOAD', 'DUP3 MLOAD'],
  ...['ISZERO #60? JUMPI', 'DUP2 #60? JUMPI', 'DUP2 #6100? JUMPI', 'DUP3 #60? JUMPI', 'DUP3 #6100? JUMPI'],
  ...[
    'SUB #60? JUMPI',
    'SUB #6100? JUMPI',
    'SLT ISZERO #6100? JUMPI',
    '#61ffff #6100? JUMP',
    '9 ADD #60? JUMP',
  ],
  ...['LT ISZERO #60? JUMPI', 'LT ISZERO #6100? JUMPI', 'GT ISZERO #60? JUMPI', 'GT ISZERO #6100? JUMPI'],
  ...['#60? POP POP JUMP', '#60? SWAP1 POP JUMP', '#60? 8 SWAP2 SWAP1 POP JUMP', '#60? 8 9 POP SWAP1 JUMP'],
  ...[
    '9 ADD #6100? JUMP',
    '9 ADD #6000 JUMP',
    '9 SWAP1',
    '9 DUP2 SWAP1',
    '9 DUP2 SWAP1 SHR',
    '65 DUP2 SWAP1 SHL',
  ],
  ...[3, 64, 160, 192, 255].map((bits) => `1 1 ${bits} SHL SUB`),
  ...[3, 64, 160, 192, 255].map((bits) => `255 129 ${bits} SHL SUB AND`),
  ...['9 DUP3', '#5f 9', '9 NOT', 'DUP1 9 ADD', '#5f MSTORE', 'SWAP1 MSTORE', 'SWAP2 SWAP1', 'SWAP1 SWAP2'],
  ...[
    'DUP2 AND',
    'DUP1 SWAP2 SUB SWAP1',
    'SWAP1 DUP2 MSTORE',
    'DUP2 MSTORE 9 ADD',
    '3 MOD',
    '16 MOD',
    '16 DIV',
  ],
  ...[1, 2, 3, 4, 5].map((depth) => `SWAP${depth} POP`),
  ...[1, 2, 3, 4, 5, 6].map((depth) => `DUP${depth} ADD`),
  ...[1, 2, 3].flatMap((first) => [1, 2, 3, 4].map((second) => `DUP${first} DUP${second}`)),
];
const GREAT = `0x${'ff'.repeat(32)}`;
/** Initial stacks of a sequence; the last item is the topmost. */
const STACKS = [
  ...['', '0', '1', '7', '7 7', '7 8', '8 7', '0 0', `${GREAT} 7`, `7 ${GREAT}`, '2 9', '1 0 0', '3 64 7'],
  ...['1 2 3 4 5 6 7', '90 80 70 60 50 40', `9 9 9 9 ${GREAT} ${GREAT}`, '0x10000000000000000 0x8000 7 4'],
];
/** Stores the topmost item, and returns it with the memory before it. */
const REPORT = [0, 1, 2, 3].map((item) => `${512 + 32 * item} MSTORE`).join(' ');

let plain: Fixture;
let traced: Engine;

beforeAll(async () => {
  plain = await createFixture('osaka');
  traced = await Engine.create({ hardfork: 'osaka', host: plain.host, build: 'evm-steps' });
  traced.setBlock(BLOCK);
});

/** Returns a program that runs a sequence on a stack, between two JUMPDESTs, past which no sequence continues. */
function programOf(stack: string, sequence: string, end: string): Uint8Array {
  const start = `99 99 99 :start ${stack} :sequence`;
  const before = assemble(`${start} ${sequence.replace('?', '00')}`).length;
  const place = before.toString(16).padStart(2, '0');
  return assemble(`${start} ${sequence.replace('?', place)} :end ${end}`);
}

/** Runs a program with the plain build, which fuses, and with the traced one, which does not. */
function outcomes(program: Uint8Array, gas: bigint): readonly [Execution, Execution] {
  const fused = plain.run(`#${Buffer.from(program).toString('hex')}`, { gas });
  traced.clear();
  const message = { gasPrice: 1n, payForGas: false, value: 0n, data: new Uint8Array(0) };
  const single = traced.execute({ ...message, caller: SENDER, to: CONTRACT, gas });
  return [fused, single];
}

/** Returns the names of the opcodes of a sequence as in the engine's table. */
function opcodesOf(sequence: string): string {
  const names = sequence.split(' ').map((word) => {
    if (word.startsWith('#')) return `PUSH${Number.parseInt(word.slice(1, 3), 16) - 0x5f}`;
    return /^\d/.test(word) ? `PUSH${Number(word) < 256 ? 1 : 2}` : word;
  });
  return names.join(' ');
}

test('default: these tests cover every fused instruction of the table', () => {
  const tested = SEQUENCES.map(opcodesOf);
  const untested = FUSIONS.filter(({ sequence }) => !tested.some((names) => names.includes(sequence)));
  expect(untested).toEqual([]);
});

describe('fused instructions are the same as their instructions', () => {
  test.each(SEQUENCES)('behavior: %s', (sequence) => {
    for (const stack of STACKS) {
      const program = programOf(stack, sequence, `${REPORT} 640 0 RETURN`);
      const [fused, single] = outcomes(program, 1_000_000n);
      expect(fused, stack).toEqual(single);
    }
  });

  test.each(SEQUENCES)('behavior: %s matches single instructions at every gas limit', (sequence) => {
    const program = programOf('1 2 3 4 5 64', sequence, 'STOP');
    for (let gas = TRANSACTION_GAS; gas < TRANSACTION_GAS + 70n; gas++) {
      const [fused, single] = outcomes(program, gas);
      expect(fused, `${gas}`).toEqual(single);
    }
  });

  test.each(SEQUENCES)('behavior: %s on a stack that is empty or full', (sequence) => {
    for (const items of [0, 1, 2, 1021, 1022, 1023, 1024]) {
      const program = assemble(`${'7 '.repeat(items)} :sequence ${sequence.replace('?', '00')} STOP`);
      const [fused, single] = outcomes(program, 1_000_000n);
      expect(fused, `${items}`).toEqual(single);
    }
  });
});
