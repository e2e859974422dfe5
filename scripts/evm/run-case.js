/** Runs one case of a state test. */

import { Engine, isSince } from '../../dist/evm/index.js';
import { keccak256 } from '../../dist/protocol/index.js';
import { encodeRlp, toBytes, toHex, toNumber, toWord } from './encoding.js';
import { stateRoot } from './state-root.js';
import { describeStep } from './step.js';
import { prepare } from './transaction.js';
import { World } from './world.js';

/** Steps that a trace prints: the last ones before the end. */
const TRACED_STEPS = 40;

/** An engine for each hard fork and build, shared by all cases. */
const engines = new Map();

/** Returns the engine of a hard fork with empty tables and `world` as its host. */
async function engineFor(hardfork, world, trace) {
  const name = trace === undefined ? hardfork : `${hardfork} traced`;
  if (!engines.has(name)) {
    const current = { world, trace };
    const host = {
      account: (address) => current.world.account(address),
      storage: (address, slot) => current.world.storage(address, slot),
      mayHaveStorage: (address) => current.world.hasStorage(address),
      hasStorage: (address) => current.world.hasStorage(address),
      code: (hash) => current.world.code(hash),
      blockHash: (number) => current.world.blockHash(number),
      createAddress: (creator, nonce) => current.world.createAddress(creator, nonce),
    };
    const build = trace === undefined ? 'evm' : 'evm-steps';
    const engine = await Engine.create({ hardfork, host, build });
    if (trace !== undefined) engine.listener = { step: (frame) => current.trace(stepOf(frame)) };
    engines.set(name, { current, engine });
  }
  const { current, engine } = engines.get(name);
  current.world = world;
  current.trace = trace;
  engine.clear();
  return engine;
}

/** Copies the data of a step: the frame object changes with the next step. */
function stepOf(frame) {
  const { depth, programCounter, opcode, gas, stackHeight, memorySize } = frame;
  return { depth, programCounter, opcode, gas, stackHeight, memorySize, stackTop: frame.stackItem(0) };
}

/**
 * Runs a case and compares the state and the logs with the expected ones.
 *
 * @param {Record<string, any>} test the case as the file has it
 * @param {string} hardfork the engine's name of the hard fork
 * @param {Record<string, any>} post the expectation, with its `indexes`
 * @param {boolean} traced true to run the traced build
 * @returns {Promise<string[]>} the differences; none when the case passes
 */
export async function runCase(test, hardfork, post, traced) {
  const world = new World(test.pre);
  const prepared = prepare(test, hardfork, post.indexes, world);
  if (post.expectException !== undefined) {
    if (prepared.rejected === undefined) return [`is not rejected, expected ${post.expectException}`];
    return compareState(world, post);
  }
  if (prepared.rejected !== undefined) return [`is rejected: ${prepared.rejected}`];
  const engine = await engineFor(hardfork, world, traced ? () => {} : undefined);
  const execution = execute(engine, test, hardfork, prepared);
  const wrong = world.apply(engine.changes());
  const logs = toHex(hashLogs(execution.logs));
  if (`0x${logs}` !== post.logs) {
    wrong.push(`${execution.logs.length} logs with hash 0x${logs}, expected ${post.logs}`);
  }
  wrong.push(...compareState(world, post));
  if (wrong.length > 0) wrong.push(outcomeOf(execution, prepared.message));
  return wrong;
}

/** Runs a case with the traced build and returns its last steps. */
export async function traceCase(test, hardfork, post) {
  const world = new World(test.pre);
  const prepared = prepare(test, hardfork, post.indexes, world);
  if (prepared.rejected !== undefined) return [];
  const steps = [];
  let count = 0;
  const engine = await engineFor(hardfork, world, (step) => {
    steps[count++ % TRACED_STEPS] = step;
  });
  execute(engine, test, hardfork, prepared);
  const wrong = [...world.apply(engine.changes()), ...compareState(world, post)];
  const verdict = wrong.length === 0 ? ', and the traced build passes' : '';
  const first = count > TRACED_STEPS ? count % TRACED_STEPS : 0;
  const ordered = [...steps.slice(first), ...steps.slice(0, first)];
  return [`the last of ${count} steps${verdict}:`, ...ordered.map(describeStep)];
}

/** Runs the transaction, with the nonce of the sender before it and the fee of the coinbase after it. */
function execute(engine, test, hardfork, { message, baseFee, blobBaseFee, blobFee }) {
  const { env, config, transaction } = test;
  const coinbase = toBytes(env.currentCoinbase);
  const randomness = isSince(hardfork, 'paris') ? env.currentRandom : env.currentDifficulty;
  engine.setBlock({
    number: toNumber(env.currentNumber),
    timestamp: toNumber(env.currentTimestamp),
    coinbase,
    randomness: toWord(toNumber(randomness ?? env.currentDifficulty)),
    gasLimit: toNumber(env.currentGasLimit),
    chainId: toNumber(config?.chainid ?? '0x1'),
    baseFee,
    blobBaseFee,
  });
  engine.setNonce(message.caller, toNumber(transaction.nonce) + 1n);
  // Burned, and not part of the charge for gas.
  engine.debit(message.caller, blobFee);
  const hadCode = engine.accountState(coinbase)?.codeHash !== undefined;
  const execution = engine.execute(message);
  // A coinbase that destroyed itself loses the fee with the rest of its balance.
  const isDestroyed = hadCode && engine.accountState(coinbase) === undefined;
  if (!isDestroyed) engine.credit(coinbase, execution.gasUsed * (message.gasPrice - baseFee));
  return execution;
}

/** Compares accounts if the file has the whole state, otherwise the state root. */
function compareState(world, post) {
  if (post.state !== undefined) return world.differences(post.state);
  const root = `0x${toHex(stateRoot(world.accounts))}`;
  return root === post.hash ? [] : [`state root ${root}, expected ${post.hash}`];
}

function hashLogs(logs) {
  return keccak256(encodeRlp(logs.map(({ address, topics, data }) => [address, [...topics], data])));
}

function outcomeOf({ status, halt, gasUsed, logs }, { gas }) {
  const reason = halt === undefined ? '' : ` (${halt})`;
  return `the transaction: ${status}${reason}, gas ${gasUsed} of ${gas}, ${logs.length} logs`;
}
