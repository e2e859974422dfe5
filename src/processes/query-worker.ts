import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { OPERATION_GAS_MAX } from '../consensus.ts';
import { notingResults, startWarmUp } from '../evm/index.ts';
import { LedgerReader, systemClock } from '../ledger/index.ts';
import { TRIAL_TIME_MS_MAX } from '../limits.ts';
import { QueryAnswers } from '../rpc/index.ts';
import { openStoreView } from '../store/index.ts';
import {
  FrameReader,
  readJob,
  type SentJob,
  type ToldExecution,
  writeFrame,
  writeResult,
  writeTold,
} from './frames.ts';
import { send, sendPiece } from './node-stream.ts';
import { JOB_STREAM, NICENESS, readSettings } from './worker-process.ts';

/**
 * The program of a process: it runs the jobs that come by its stream, one after the other, each from the newest block
 * there is, and ends with that stream.
 */
setPriority(NICENESS);
const { kind: processKind, storePath, limits, isTelling } = readSettings();
const ledger = await LedgerReader.open(openStoreView(storePath), systemClock, isTelling);
const answers = new QueryAnswers(ledger, limits);
/** What is tried is an operation, whose gas alone is bounded, and not a call. */
const trials = new QueryAnswers(ledger, {
  ...limits,
  callGasMax: OPERATION_GAS_MAX,
  callTimeMsMax: TRIAL_TIME_MS_MAX,
});

/** True while a call is tried: what it tells is told when it is carried out. */
let isTrying = false;
const pass = (told: ToldExecution): void => {
  if (!isTrying) send(writeTold(told));
};
if (isTelling) {
  ledger.listenToExecutions({
    console: (calls) => pass({ console: calls }),
    failed: (root) => pass({ failed: root }),
  });
}

function run({ number, kind, call, profile, takesRest, timing, epoch }: SentJob): void {
  ledger.refresh(timing, epoch);
  if (kind !== 'trial') {
    send(writeResult(number, answers.answer(call, profile, takesRest === true ? sendPiece : undefined)));
    return;
  }
  isTrying = true;
  const { value, results } = notingResults(() => trials.answer(call, profile));
  isTrying = false;
  for (const piece of results) send(writeFrame('results', piece));
  send(writeResult(number, value));
}

const stream = new Socket({ fd: JOB_STREAM });
const frames = new FrameReader(({ kind, content }) => {
  if (kind === 'ping') send(writeFrame('ready'));
  else run(readJob(content));
});
stream.on('data', (piece: Buffer) => frames.take(piece));
stream.on('close', () => process.exit());
// The node is gone, which the stream's end tells.
stream.on('error', () => undefined);
// A signal to the whole group, such as Ctrl+C, is the node's to answer: it ends its processes last.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
send(writeFrame('ready'));
// What makes traces runs other builds of the engine, each when it is needed.
if (processKind === 'query') startWarmUp(ledger.hardfork);
