/**
 * Measures keys, signatures and their verification beside @noble/curves with the same hash, alternating. See
 * ../README.md for the flags.
 */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eddsa } from '@noble/curves/abstract/edwards.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha3_512 } from '@noble/hashes/sha3.js';
import { createKeyPair, toSeed, verifySignature } from '../../dist/protocol/index.js';
import { readFlags } from '../harness/flags.js';
import { load, machine, print, quantile, table } from '../harness/report.js';
import { measured } from '../harness/rounds.js';

const flags = readFlags({ rounds: 30, starts: 15 });

/** Calls of one round, ours and theirs. */
const CALLS = 400;
const THEIR_CALLS = 40;
const MESSAGE_BYTES = 32;

const noble = eddsa(ed25519.Point, sha3_512, {
  adjustScalarBytes(bytes) {
    bytes[0] &= 0xf8;
    bytes[31] = (bytes[31] & 0x7f) | 0x40;
    return bytes;
  },
});

const seed = toSeed(Uint8Array.from({ length: 32 }, (_, index) => index));
const message = Uint8Array.from({ length: MESSAGE_BYTES }, (_, index) => 7 * index);
const pair = createKeyPair(seed);
const signature = pair.sign(message);

/** The measured operations; each returns a truthy value. */
const OPERATIONS = [
  {
    name: 'key pair of a seed',
    ours: () => createKeyPair(seed).publicKey.length === 32,
    theirs: () => noble.getPublicKey(seed).length === 32,
  },
  {
    name: 'signature',
    ours: () => pair.sign(message).length === 64,
    theirs: () => noble.sign(message, seed).length === 64,
  },
  {
    name: 'verification',
    ours: () => verifySignature(pair.publicKey, message, signature),
    theirs: () => noble.verify(signature, message, pair.publicKey, { zip215: false }),
  },
];

/** Microseconds of one call. */
function timeOf(action, calls) {
  const { taken } = measured(() => {
    for (let call = 0; call < calls; call++) if (!action()) throw new Error('wrong result');
  });
  return (taken.ms * 1_000) / calls;
}

function measure({ name, ours, theirs }) {
  timeOf(ours, 10 * CALLS);
  timeOf(theirs, 10 * THEIR_CALLS);
  const times = Array.from({ length: flags.rounds }, () => ({
    our: timeOf(ours, CALLS),
    their: timeOf(theirs, THEIR_CALLS),
  }));
  const show = (microseconds) => `${microseconds.toFixed(microseconds < 100 ? 1 : 0)} µs`;
  const cells = [0, 0.5].flatMap((share) => {
    const our = quantile(
      times.map((pairOfTimes) => pairOfTimes.our),
      share,
    );
    const their = quantile(
      times.map((pairOfTimes) => pairOfTimes.their),
      share,
    );
    return [show(our), show(their), (their / our).toPrecision(3)];
  });
  return [name, ...cells];
}

function measureStarts() {
  const script = fileURLToPath(new URL('start.js', import.meta.url));
  const starts = Array.from({ length: flags.starts }, () =>
    JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' })),
  );
  const row = (name, key) => {
    const times = starts.map((start) => start[key]);
    return [name, ...[0, 0.5].map((share) => `${quantile(times, share).toPrecision(2)} ms`)];
  };
  return [
    row('compiling and instantiating the module', 'loading'),
    row('the first key pair, with the tables', 'firstKey'),
  ];
}

print(`${machine()}, load ${load()}\n`);
print(`## Messages of ${MESSAGE_BYTES} bytes, ${flags.rounds} rounds\n`);
const head = ['', 'ledgerd: fastest', 'noble', 'ratio', 'ledgerd: median', 'noble', 'ratio'];
print(table([head, ...OPERATIONS.map(measure)]));
print(`\n## Start, ${flags.starts} processes\n`);
print(table([['', 'fastest', 'median'], ...measureStarts()]));
