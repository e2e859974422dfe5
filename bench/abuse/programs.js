/** Programs for the EVM that cost a node as much as their gas can buy. */

/** v, r and s of a signature by secp256k1, a word each: whatever hash it is of, somebody has signed that. */
const SIGNATURE = [
  '1c'.padStart(64, '0'),
  'd1d57470a244004782dc099dd57d37396f9604f80d0028c73dbb05af867e40fc',
  '30e3495a98133bb6b61d04b97fd1d6ef12cbad3ff3f1570b5050dc796edda877',
].join('');

/**
 * Copies hash and signature behind the program to memory, and recovers the signer of the hash, of the next hash, and so
 * on until the gas is used up.
 */
const RECOVER_FOR_EVER = '608060406000395b600051600101600052602060806080600060015afa50600756';

/** More hashes than the gas of one call can pay for. */
const HASHES = 1n << 32n;
let calls = BigInt(process.pid) << 64n;

/** Init code of a call that takes long for its gas: valid signatures, of which none was in a call before. */
export function slowCall() {
  calls += HASHES;
  return `0x${RECOVER_FOR_EVER.padEnd(128, '0')}${calls.toString(16).padStart(64, '0')}${SIGNATURE}`;
}

/** First topics of the two kinds of logs, and their second topics. */
const EVENTS = { even: '0xa1', odd: '0xb2' };
const VALUES = { even: '0xc3', odd: '0xd4' };

const word = (hex) => `0x${hex.slice(2).padStart(64, '0')}`;

/** Topics that half of all logs each have, and that no log has both of. */
export const DISJOINT_TOPICS = [word(EVENTS.even), word(VALUES.odd)];
/** The first topic of half of all logs. */
export const COMMON_TOPIC = word(EVENTS.even);

const log = (kind) => `60${VALUES[kind].slice(2)}60${EVENTS[kind].slice(2)}60006000a2`;
/** Writes logs of both kinds, alternating, until the gas is used up. */
const WRITE_LOGS = `5b${log('even')}${log('odd')}6113885a1160005700`;

/** Init code of a contract that does nothing but that. */
export const LOG_WRITER = `0x60${bytesOf(WRITE_LOGS)}600c60003960${bytesOf(WRITE_LOGS)}6000f3${WRITE_LOGS}`;

function bytesOf(code) {
  return (code.length / 2).toString(16).padStart(2, '0');
}
