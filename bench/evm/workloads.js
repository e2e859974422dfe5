/** The workloads: {name, world, to, data, isCurve}. A world is created when its workload is used. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compile, shipped } from '../harness/contracts.js';
import { toHex, word } from '../harness/words.js';
import { countdown, precompileLoop } from './programs.js';
import { PROGRAM, prepareWorld, SENDER, World } from './world.js';

const A = `0x${'f3'.repeat(32)}`;
const B = `0x${'a7'.repeat(31)}35`;
const PRIME = '0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47';
const bytesOf = (hex) => Uint8Array.from(Buffer.from(hex.replace(/^0x/, ''), 'hex'));

const SOLIDITY = new URL('Workloads.sol', import.meta.url);

/** @param {import('../harness/contracts.js').Contract} contract */
function callOf({ selectors }, signature, parameters) {
  return bytesOf(selectors[signature] + parameters);
}

/** Folder of the public benchmark files, if they exist. */
const FOLDER = join(import.meta.dirname, '..', '..', '..', 'shared', 'evm', 'benchmarks');
const FILES = pathToFileURL(`${FOLDER}/`);

const EC_RECOVER_INPUT = [
  '456e9aea5e197a1f1af7a3e85a3212fa4049a3ba34c2289b4c860fc0b0c64ef3',
  '000000000000000000000000000000000000000000000000000000000000001c',
  '9242685bf161793cc25603c231bc2f568eb630ea16aa137d2664ac8038825608',
  '4f8ae3bd7535248d0bd448298cc2e2071e56992d0774dc340c368ae950852ada',
].join('');
/** The generator of the second group of bn254. */
const SECOND_GENERATOR = [
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2',
  '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed',
  '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b',
  '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa',
].join('');
const PAIRING_INPUT = [
  word(1) + word(2) + SECOND_GENERATOR,
  word(1) + word(BigInt(PRIME) - 2n) + SECOND_GENERATOR,
].join('');

/** Slots from 1 on that programs with `stored` in their name find set. */
const STORED_SLOTS = 5_000;

/** @type {[name: string, program: Uint8Array, rounds: number, input?: string][]} Loops in bytecode. */
const PROGRAMS = [
  ['arithmetic loop', countdown('DUP1 0x3 ADD DUP2 XOR 0x5 SHL DUP2 SUB 0xffff AND POP'), 200_000],
  ['256-bit mul', countdown(`${A} ${B} MUL ${A} MUL DUP1 MUL POP`), 100_000],
  [
    '256-bit div',
    countdown(
      `0x${'77'.repeat(24)} ${A} DIV POP 0x${'a7'.repeat(16)} ${A} DIV POP 0x${'a7'.repeat(8)} ${A} DIV POP`,
    ),
    60_000,
  ],
  ['256-bit mulmod', countdown(`${PRIME} ${A} ${PRIME} ${B} DUP1 MULMOD MULMOD POP`), 60_000],
  ['256-bit exp', countdown(`${A} ${B} EXP POP`), 4_000],
  ['keccak 32 B', countdown('0x20 0x0 KECCAK256 POP'), 50_000],
  ['keccak 136 B', countdown('0x88 0x0 KECCAK256 POP'), 30_000],
  ['keccak 1 KiB', countdown('0x400 0x0 KECCAK256 POP'), 8_000],
  ['memory copy 1 KiB', countdown('0x400 0x20 0x0 MCOPY'), 100_000],
  ['SLOAD sweep', countdown('DUP1 SLOAD POP'), 20_000],
  ['SSTORE sweep', countdown('DUP1 DUP1 SSTORE'), 10_000],
  ['SLOAD of stored slots', countdown('DUP1 SLOAD POP'), STORED_SLOTS],
  ['SSTORE of stored slots', countdown('DUP1 0x7 ADD DUP2 SSTORE'), STORED_SLOTS],
  ['bn254 pairing', precompileLoop('0x8'), 5, PAIRING_INPUT],
  ['ecrecover', precompileLoop('0x1'), 100, EC_RECOVER_INPUT],
];
const CURVES = new Set(['bn254 pairing', 'ecrecover']);

/** All workloads, in the order of the table. */
export function workloads() {
  return [...PROGRAMS.map(programWorkload), ...contractWorkloads(), ...fileWorkloads()];
}

function programWorkload([name, code, count, input = '']) {
  const world = async () => {
    const made = new World();
    made.put(SENDER, { balance: 10n ** 30n, nonce: 0n });
    const slots = name.includes('stored') ? STORED_SLOTS : 0;
    const storage = new Map(Array.from({ length: slots }, (_, index) => [word(index + 1), word(index + 1)]));
    made.put(PROGRAM, { code, storage });
    return { world: made, to: PROGRAM };
  };
  return { name, isCurve: CURVES.has(name), world, data: bytesOf(word(count) + input) };
}

function contractWorkloads() {
  const contracts = compile(SOLIDITY, 'cancun');
  const run = (name, count) => callOf(contracts[name], 'run(uint256)', word(count));
  const deployed =
    (name, after = (_send, _to) => {}) =>
    async () => {
      let to;
      const world = await prepareWorld((send) => {
        to = send(undefined, bytesOf(contracts[name].bytecode)).contractAddress;
        after(send, to);
      });
      return { world, to };
    };
  const openPair = (send, to) => {
    const { bytecode } = shipped('@uniswap/v2-core/build/UniswapV2Factory.json');
    const { contractAddress } = send(undefined, bytesOf(bytecode + word(0)));
    send(to, callOf(contracts.Swapper, 'open(address)', word(BigInt(toHex(contractAddress)))));
  };
  return [
    { name: 'ERC-20 transfers', world: deployed('Payer'), data: run('Payer', 1000) },
    { name: 'calls between contracts', world: deployed('Caller'), data: run('Caller', 20_000) },
    { name: 'ten thousand hashes', world: deployed('Hasher'), data: run('Hasher', 10_000) },
    { name: 'Uniswap v2 swap', world: deployed('Swapper', openPair), data: run('Swapper', 200) },
  ];
}

/** A token balance: a small call without a loop. */
export async function balanceOf() {
  const { Token } = compile(SOLIDITY, 'cancun');
  let to;
  const world = await prepareWorld((send) => {
    to = send(undefined, bytesOf(Token.bytecode + word(10n ** 24n))).contractAddress;
  });
  return { world, to, data: callOf(Token, 'balanceOf(address)', word(BigInt(toHex(SENDER)))) };
}

/** The public files; none where the folder is absent. */
function fileWorkloads() {
  if (!existsSync(FILES)) return [];
  return ['main/', 'micro/'].flatMap((folder) => {
    const path = new URL(folder, FILES);
    return readdirSync(path)
      .sort()
      .flatMap((file) => readBenchmark(new URL(file, path), file.replace('.json', '')));
  });
}

export const hasFiles = existsSync(FILES);

function readBenchmark(path, file) {
  return Object.values(JSON.parse(readFileSync(path, 'utf8'))).flatMap(
    ({ pre, transaction, post, _info }) => {
      const indexes = new Set(Object.values(post)[0].map((entry) => entry.indexes.data));
      const world = async () => ({ world: worldOf(pre), to: bytesOf(transaction.to) });
      return [...indexes].map((index) => {
        const label = _info?.labels?.[index] ?? index;
        return { name: `${file}/${label}`, world, data: bytesOf(transaction.data[index]) };
      });
    },
  );
}

function worldOf(pre) {
  const world = new World();
  for (const [address, { balance, nonce, code, storage }] of Object.entries(pre)) {
    const slots = Object.entries(storage).map(
      ([key, value]) => /** @type {const} */ ([word(key), word(value)]),
    );
    world.put(bytesOf(address), {
      balance: BigInt(balance),
      nonce: BigInt(nonce),
      code: bytesOf(code),
      storage: new Map(slots),
    });
  }
  world.put(SENDER, { balance: 10n ** 30n, nonce: 0n });
  return world;
}
