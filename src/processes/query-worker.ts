import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { deserialize, serialize } from 'node:v8';
import { OPERATION_GAS_MAX } from '../consensus.ts';
import { notingResults, startWarmUp } from '../evm/index.ts';
import { LedgerReader, systemClock } from '../ledger/index.ts';
import { PREWARM_TIME_MS_MAX, TRACE_CHUNK_BYTES } from '../limits.ts';
import { JobRunner } from '../rpc/index.ts';
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

/**
 * The program of a process: it runs the jobs that come by its stream, one after the other, each from the newest block
 * there is, and ends with that stream.
 */
setPriority(NICENESS);
const { kind: processKind, storePath, limits, reportsExecutions } = readSettings();
const ledger = await LedgerReader.open(openStoreView(storePath), systemClock, reportsExecutions);
const answers = new JobRunner(ledger, limits);
/** Answers of calls that prewarm: each stands for an operation, whose gas alone is bounded. */
const prewarms = new JobRunner(ledger, {
  ...limits,
  callGasMax: OPERATION_GAS_MAX,
  callTimeMsMax: PREWARM_TIME_MS_MAX,
});

/** Frame that gathers pieces of a response, up to what the node reads at a time. */
const pieces = Buffer.allocUnsafeSlow(FRAME_HEAD_BYTES + TRACE_CHUNK_BYTES);
let piecesEnd = FRAME_HEAD_BYTES;

/** True while a call prewarms: its notifications come when the operation is executed. */
let isPrewarming = false;
const pass = (told: ExecutionReport): void => {
  if (!isPrewarming) send(writeFrame('told', serialize(told)));
};
if (reportsExecutions) {
  ledger.calls.listenToExecutions({
    console: (calls) => pass({ console: calls }),
    failed: (root) => pass({ failed: root }),
  });
}

function run({ number, kind, call, profile, acceptsStreams, timing, reorgCount }: SentJob): void {
  ledger.refresh(timing, reorgCount);
  if (kind !== 'prewarm') {
    send(writeResult(number, answers.run(call, profile, acceptsStreams === true ? sendPiece : undefined)));
    return;
  }
  isPrewarming = true;
  const { value, results } = notingResults(() => prewarms.run(call, profile));
  isPrewarming = false;
  for (const piece of results) send(writeFrame('results', piece));
  send(writeResult(number, value));
}

/** Sends a frame to the node, after the pieces before it. */
function send(frame: Buffer): void {
  sendPieces();
  write(frame);
}

/** Gathers bytes of a response, and sends them once they fill a frame. */
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

/** Waits until the system has taken a frame, so for as long as the client of a response does not read. */
function write(frame: Buffer): void {
  let position = 0;
  try {
    while (position < frame.length) position += writeSync(NODE_STREAM, frame, position);
  } catch {
    // The node is gone.
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
// The node is gone, which the stream's end tells.
stream.on('error', () => undefined);
// The node handles a signal to the whole group, such as Ctrl+C: it ends its processes last.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
send(writeFrame('ready'));
// Trace processes use other builds of the engine, each when it is needed.
if (processKind === 'query') startWarmUp(ledger.parameters.hardfork);
