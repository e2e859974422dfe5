/**
 * The process of clients that subscribe and read: `node readers.js <port> <path> <count> <address>`. Its parent tells
 * it when each block was asked for, and the time itself again and again, which shows how late this process is; with
 * `end` it gets what they saw.
 */

import { now } from './clock.js';
import { Delays } from './delays.js';
import { subscribeAndRead } from './subscriber.js';

/** @typedef {ReturnType<typeof result>} Result */

/** Clients that connect at the same time. */
const AT_ONCE = 50;
const ANSWER = Buffer.from('"id":');
const LOG_INDEX = Buffer.from('"logIndex":"0x');
const BLOCK_OF_LOG = Buffer.from('"blockNumber":"0x');
const BLOCK_OF_HEAD = Buffer.from('"number":"0x');
const QUOTE = '"'.charCodeAt(0);
/** Bytes from the start of a response that contain its id. */
const ID_BYTES = 40;

const [port = '', path = '/', count = '0', from = '', address = ''] = process.argv.slice(2);
const place = { port: Number(port), path, from };
const subscriptions = [['newHeads'], ['logs', { address }]];

const delays = { heads: new Delays(), logs: new Delays() };
const lateness = new Delays();
/** Times at which blocks were requested, and readers that received a block before its time was known here. */
const askedAt = new Map();
/** @type {Map<number, [Delays, number][]>} */
const early = new Map();
const faults = { outOfOrder: 0, closed: 0, reason: '' };
let firstBlock = Infinity;
let logsPerBlock = 0;
/** @type {{ head: number, log: number }[]} How far each reader has come. */
const places = [];

/**
 * The number of hexadecimal digits up to a quotation mark.
 *
 * @param {Buffer} message
 * @param {Buffer} name before it
 */
function numberAfter(message, name) {
  let position = message.indexOf(name);
  if (position < 0) return undefined;
  position += name.length;
  let number = 0;
  for (let code = message[position]; code !== QUOTE && code !== undefined; code = message[++position]) {
    number = number * 16 + (code < 0x3a ? code - 0x30 : (code | 0x20) - 0x57);
  }
  return number;
}

/**
 * @param {Delays} kind
 * @param {number} block
 */
function note(kind, block) {
  const at = askedAt.get(block);
  if (at !== undefined) {
    kind.add(now() - at);
    return;
  }
  const waiting = early.get(block) ?? [];
  early.set(block, waiting);
  waiting.push([kind, now()]);
}

/**
 * A notification: each comes once and in order.
 *
 * @param {{ head: number, log: number }} reader
 * @param {Buffer} message
 */
function receive(reader, message) {
  const logIndex = numberAfter(message, LOG_INDEX);
  if (logIndex === undefined) {
    const block = numberAfter(message, BLOCK_OF_HEAD) ?? 0;
    if (reader.head !== 0 && block !== reader.head + 1) faults.outOfOrder += 1;
    reader.head = block;
    if (block >= firstBlock) note(delays.heads, block);
    return;
  }
  const block = numberAfter(message, BLOCK_OF_LOG) ?? 0;
  const ordinal = block * logsPerBlock + logIndex;
  if (reader.log !== 0 && ordinal !== reader.log + 1) faults.outOfOrder += 1;
  reader.log = ordinal;
  if (block >= firstBlock) note(delays.logs, block);
}

/** Opens one client; resolves when its subscriptions are confirmed. */
function openOne() {
  return new Promise((resolve, reject) => {
    const reader = { head: 0, log: 0 };
    places.push(reader);
    let unanswered = subscriptions.length;
    subscribeAndRead(
      place,
      subscriptions,
      (message) => {
        if (unanswered > 0 && message.subarray(0, ID_BYTES).includes(ANSWER)) {
          unanswered -= 1;
          if (message.includes('"error"')) reject(new Error(String(message)));
          else if (unanswered === 0) resolve(undefined);
        } else {
          receive(reader, message);
        }
      },
      (reason) => {
        faults.closed += 1;
        faults.reason = reason;
        reject(new Error(reason));
      },
    );
  });
}

async function openAll() {
  for (let opened = 0; opened < Number(count); opened += AT_ONCE) {
    const more = Math.min(AT_ONCE, Number(count) - opened);
    await Promise.all(Array.from({ length: more }, openOne));
  }
}

function result() {
  const [head, log] = [
    Math.max(...places.map(({ head }) => head)),
    Math.max(...places.map(({ log }) => log)),
  ];
  return {
    heads: delays.heads.summary(),
    logs: delays.logs.summary(),
    lateness: lateness.summary(),
    ...faults,
    head,
    /** Readers that have not got everything that another one got. */
    behind: places.filter((reader) => reader.head !== head || reader.log !== log).length,
  };
}

process.on('message', (/** @type {any} */ message) => {
  if (message.firstBlock !== undefined) {
    firstBlock = message.firstBlock;
    logsPerBlock = message.logsPerBlock;
  } else if (message.block !== undefined) {
    askedAt.set(message.block, message.at);
    for (const [kind, at] of early.get(message.block) ?? []) kind.add(at - message.at);
    early.delete(message.block);
  } else if (message.tick !== undefined) {
    lateness.add(now() - message.tick);
  } else if (message.end) {
    process.send?.(result());
  }
});
process.once('disconnect', () => process.exit());
await openAll();
process.send?.('opened');
