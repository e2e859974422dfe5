/**
 * Makes AssemblyScript of the tables of the EVM's instructions (`src/evm/assembly/instructions/`): the names, rules and
 * sequences (`build/evm/opcodes.ts`), and the run loop with its cases (`build/evm/run.ts`). `build.js` runs it.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUSIONS } from '../../src/evm/assembly/instructions/fusions.js';
import { INVALID, OPCODES } from '../../src/evm/assembly/instructions/opcodes.js';

export { FUSIONS, INVALID, OPCODES };

/** @typedef {import('../../src/evm/assembly/instructions/opcodes.js').Opcode} Opcode */
/** @typedef {import('../../src/evm/assembly/instructions/fusions.js').Fusion} Fusion */

const ASSEMBLY = 'src/evm/assembly';
const TEMPLATE = `${ASSEMBLY}/run.template.ts`;

/** Input files, by path from the project's folder. */
export const INSTRUCTION_INPUTS = [
  'scripts/wasm/instructions.js',
  `${ASSEMBLY}/instructions/opcodes.js`,
  `${ASSEMBLY}/instructions/fusions.js`,
  TEMPLATE,
];

/** Number of opcodes, including those that replace sequences in running code. */
const NUMBERS = 256;
/** First number of prefixes that are not sequences themselves. The engine has room for 256 of them. */
const FIRST_PREFIX = NUMBERS;

/**
 * Writes the sources that changed.
 *
 * @param {string} root the checkout
 * @throws {Error} where the tables cannot be made into sources
 */
export function writeInstructions(root) {
  mkdirSync(join(root, 'build/evm'), { recursive: true });
  writeChanged(join(root, 'build/evm/opcodes.ts'), opcodesSource());
  writeChanged(join(root, 'build/evm/run.ts'), runSource(readFileSync(join(root, TEMPLATE), 'utf8')));
}

/**
 * The number of each fused instruction: one that no opcode of any hard fork has. Where one brings an opcode with such a
 * number, the fused instruction gets another one.
 *
 * @param {readonly Pick<Opcode, 'number'>[]} opcodes
 * @param {readonly Pick<Fusion, 'sequence'>[]} fusions
 * @returns {Map<string, number>} by sequence
 * @throws {Error} where two opcodes have one number, or there are too few numbers
 */
export function numberFusions(opcodes, fusions) {
  const taken = new Set([INVALID, ...opcodes.map(({ number }) => number)]);
  if (taken.size !== opcodes.length + 1) throw new Error('two opcodes have the same number');
  const free = Array.from({ length: NUMBERS }, (_, number) => number).filter((number) => !taken.has(number));
  if (fusions.length > free.length) {
    throw new Error(
      `${fusions.length} fused instructions, but only ${free.length} numbers that no opcode has`,
    );
  }
  return new Map(free.slice(0, fusions.length).map((number, index) => [fusions[index].sequence, number]));
}

/** Names, and the tables that `opcode-rules.ts` and `fusion.ts` read. */
function opcodesSource() {
  const numbers = numberFusions(OPCODES, FUSIONS);
  const names = [
    ...OPCODES.map(({ name, number }) => constant(name, number)),
    constant('INVALID', INVALID),
    ...Array.from(numbers, ([sequence, number]) => constant(nameOf(sequence), number)),
  ];
  const rules = OPCODES.map(({ name, gas, pops, pushes, since }) =>
    [name, gas.replace(/\b[A-Z]/g, 'gas.$&'), pops, pushes, `hardfork.${since}`].join(', '),
  );
  return [
    '// Made by scripts/wasm/instructions.js.',
    `import * as gas from '../../${ASSEMBLY}/gas';`,
    `import * as hardfork from '../../${ASSEMBLY}/hardfork';`,
    ...names,
    ...table('OPCODES', 'number, gas, items popped, items pushed, first fork', rules),
    ...table('FUSIONS', 'number, first, second, gas beyond that of both', sequenceRows(numbers)),
    '',
  ].join('\n');
}

/** @type {(name: string, number: number) => string} */
const constant = (name, number) => `export const ${name}: u32 = 0x${number.toString(16)};`;

/** @type {(name: string, columns: string, rows: readonly string[]) => string[]} */
const table = (name, columns, rows) => {
  const rowBytes = `${columns.split(', ').length} * sizeof<u32>()`;
  return [
    `/** {${columns}} */`,
    `export const ${name}: usize = memory.data<u32>([`,
    ...rows.map((row) => `  ${row},`),
    ']);',
    `export const ${name}_ROW_BYTES: usize = ${rowBytes};`,
    `export const ${name}_END: usize = ${name} + ${rows.length} * ${name}_ROW_BYTES;`,
  ];
};

/**
 * A row for each two instructions that become one, or the beginning of one. The row of a first comes before.
 *
 * @param {ReadonlyMap<string, number>} numbers
 */
function sequenceRows(numbers) {
  const codes = new Map([
    ...OPCODES.map(({ name, number }) => /** @type {const} */ ([name, number])),
    ...numbers,
  ]);
  const rows = new Map();
  let prefix = FIRST_PREFIX;
  for (const { sequence } of FUSIONS) {
    const names = sequence.split(' ');
    for (let length = 2; length <= names.length; length++) {
      const [first, both] = [length - 1, length].map((count) => names.slice(0, count).join(' '));
      if (!codes.has(both)) codes.set(both, prefix++);
      const parts = [both, first, names[length - 1]].map((part) => codes.get(part));
      rows.set(both, [...parts, paysDestination(both) ? 'gas.JUMP_DESTINATION' : 0].join(', '));
    }
  }
  if (prefix > 2 * FIRST_PREFIX)
    throw new Error(`${prefix - FIRST_PREFIX} beginnings of sequences are too many`);
  return [...rows.values()];
}

/**
 * Returns true if a sequence always jumps to a known JUMPDEST, whose gas its rule then includes.
 *
 * @param {string} sequence
 */
function paysDestination(sequence) {
  return FUSIONS.some((fusion) => fusion.sequence === sequence && fusion.kind === 'jump');
}

/**
 * The template, with the names and a case for each opcode and each sequence.
 *
 * @param {string} template
 */
function runSource(template) {
  const fused = FUSIONS.map((fusion) => ({ name: nameOf(fusion.sequence), body: fusedBody(fusion) }));
  const cases = [...OPCODES, ...fused];
  return template
    .replaceAll("from './", `from '../../${ASSEMBLY}/`)
    .replace('// names', `import { ${cases.map(({ name }) => name).join(', ')} } from './opcodes';`)
    .replace('      // cases', casesSource(cases).join('\n'));
}

/**
 * Generates the cases of the loop; equal neighbours share a case. An instruction that can neither fail nor end skips
 * the check of gas and status.
 *
 * @param {readonly { name: string, body: string }[]} cases
 */
function casesSource(cases) {
  return cases.flatMap(({ name, body }, index) => {
    const label = `      case ${name}:`;
    if (cases[index + 1]?.body === body) return [label];
    const statements = body.split('\n').filter((line) => line.trim() !== '');
    const end = /\b(gas|status) =/.test(body) ? 'break;' : 'continue;';
    return [
      label,
      ...[...statements, end].map((line) => `        ${line.trim().replace(/(?<![;}])$/, ';')}`),
    ];
  });
}

/**
 * Returns the body of a sequence in the run loop; the program counter is behind its first byte.
 *
 * @param {Fusion} fusion
 */
function fusedBody({ sequence, kind, body, test }) {
  const opcodes = sequence.split(' ').map(opcodeOf);
  const pushes = opcodes.flatMap((opcode, index) => {
    const place = lengthOf(opcodes.slice(0, index));
    return dataBytes(opcode) > 0 ? [{ bytes: dataBytes(opcode), place }] : [];
  });
  const [own, stays] = [body, test].map((text) => text.replaceAll(/\bdata\b/g, `pc + ${pushes[0]?.place}`));
  const rest = lengthOf(opcodes) - 1;
  if (kind === 'straight') return /\bpc =/.test(own) ? own : `${own}\npc += ${rest}`;
  const { bytes, place } = pushes[pushes.length - 1];
  const target = bytes === 1 ? `load<u8>(pc, ${place})` : `fused.shortAt(pc + ${place})`;
  const jump = `pc = fused.after(${target})`;
  if (kind === 'jump') return `${own}\n${jump}`;
  const popped = opcodes.reduce((items, { pops, pushes }) => items + pops - pushes, 0);
  const lines = [`top -= ${popped} * WORD_BYTES`, `if (${stays}) { pc += ${rest}; continue; }`, jump];
  return [...lines, 'gas = charge(gas, JUMP_DESTINATION)'].join('\n');
}

/** @param {string} name */
function opcodeOf(name) {
  const found = OPCODES.find((opcode) => opcode.name === name);
  if (found === undefined) throw new Error(`no opcode is called ${name}`);
  return found;
}

/** @type {(opcode: Opcode) => number} Bytes after the opcode. */
const dataBytes = ({ name }) => Number(/^PUSH(\d+)$/.exec(name)?.[1] ?? 0);

/** @type {(opcodes: readonly Opcode[]) => number} Bytes of instructions in the code. */
const lengthOf = (opcodes) => opcodes.reduce((bytes, opcode) => bytes + 1 + dataBytes(opcode), 0);

/** @param {string} sequence */
const nameOf = (sequence) => sequence.replaceAll(' ', '_');

/** @type {(file: string, text: string) => void} */
function writeChanged(file, text) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
