import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { deserialize, serialize } from 'node:v8';
import { OPERATION_GAS_MAX } from '../consensus.ts';
import { recordResults, startWarmUp } from '../evm/index.ts';
import { LedgerReader, systemClock } from '../ledger/index.ts';
import { JobRunner, TRACE_CHUNK_BYTES } from '../rpc/index.ts';
import { openStoreView } from '../store/index.ts';
import {
  type ExecutionReport,
  FRAME_HEAD_BYTES,
  FrameReader,
  type SentJob,
  writeFrame,
  writeFrameHead,
  writeResult,
} from './frames.ts';
import { JOB_STREAM, NICENESS, NODE_STREAM, readSettings } from './worker-process.ts';

/** Milliseconds of a prewarming call: fewer than those after which a worker counts as silent. */
const PREWARM_TIME_MS_MAX = 5_000;

/** The program of a process: runs the jobs of its stream in order, each at the newest block, until the stream ends. */
setPriority(NICENESS);
const { kind: processKind, storePath, limits, reportsExecutions } = readSettings();
const ledger = await LedgerReader.open(openStoreView(storePath), systemClock, reportsExecutions);
const queries = new JobRunner(ledger, limits);
/** Runner of prewarming calls, each of which has the gas of an operation. */
const prewarms = new JobRunner(ledger, {
  ...limits,
  callGasMax: OPERATION_GAS_MAX,
  callTimeMsMax: PREWARM_TIME_MS_MAX,
});

const pieces = Buffer.allocUnsafeSlow(FRAME_HEAD_BYTES + TRACE_CHUNK_BYTES);
let piecesEnd = FRAME_HEAD_BYTES;

/** True while a call prewarms: the node reports the execution of its operation instead. */
let isPrewarming = false;
const report = (execution: ExecutionReport): void => {
  if (!isPrewarming) send(writeFrame('execution', serialize(execution)));
};
if (reportsExecutions) {
  ledger.calls.listenToExecutions({
    console: (calls) => report({ console: calls }),
    failed: (root) => report({ failed: root }),
  });
}

function run({ number, kind, call, profile, acceptsStreams, timing, reorgCount }: SentJob): void {
  ledger.refresh(timing, reorgCount);
  if (kind !== 'prewarm') {
    send(writeResult(number, queries.run(call, profile, acceptsStreams === true ? sendPiece : undefined)));
    return;
  }
  isPrewarming = true;
  const { value, results } = recordResults(() => prewarms.run(call, profile));
  isPrewarming = false;
  for (const piece of results) send(writeFrame('results', piece));
  send(writeResult(number, value));
}

/** Sends a frame to the node, after the buffered pieces. */
function send(frame: Buffer): void {
  sendPieces();
  write(frame);
}

/** Buffers bytes of a response, and sends them once they fill a frame. */
function sendPiece(piece: Buffer): void {
  for (let start = 0; start < piece.length; ) {
    const copied = piece.copy(pieces, piecesEnd, start);
    start += copied;
    piecesEnd += copied;
    if (piecesEnd === pieces.length) sendPieces();
  }
}

function sendPieces(): void {
  if (piecesEnd === FRAME_HEAD_BYTES) return;
  const frame = writeFrameHead(pieces.subarray(0, piecesEnd), 'piece');
  piecesEnd = FRAME_HEAD_BYTES;
  write(frame);
}

/** Writes a frame to the node, and blocks while the client of the response does not read. */
function write(frame: Buffer): void {
  let position = 0;
  try {
    while (position < frame.length) position += writeSync(NODE_STREAM, frame, position);
  } catch {
    // The node has ended.
    process.exit();
  }
}

const stream = new Socket({ fd: JOB_STREAM });
const frames = new FrameReader(({ kind, content }) => {
  if (kind === 'ping') send(writeFrame('ready'));
  else run(deserialize(content));
});
stream.on('data', (piece: Buffer) => frames.take(piece));
stream.on('close', () => process.exit());
// Ignored, since `close` follows.
stream.on('error', () => undefined);
// On a signal to the process group, such as Ctrl+C, the node ends its processes last.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
send(writeFrame('ready'));
// Trace processes load other builds of the engine when they need them.
if (processKind === 'query') startWarmUp(ledger.parameters.hardfork);
