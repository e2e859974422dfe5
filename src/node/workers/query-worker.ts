import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { OPERATION_GAS_MAX } from '../../consensus.ts';
import { notingResults, startWarmUp } from '../../evm/index.ts';
import { LedgerReader, systemClock } from '../../ledger/index.ts';
import { TRIAL_TIME_MS_MAX } from '../../limits.ts';
import { QueryAnswers } from '../../rpc/index.ts';
import { openStoreView } from '../../store/index.ts';
import {
  FrameReader,
  READY,
  readQuestion,
  type ToldExecution,
  WORKER_STREAM,
  writeAnswer,
  writeReady,
  writeResults,
  writeTold,
} from './frames.ts';
import { readOrder } from './order.ts';
import { tellNode, tellPiece } from './trace-stream.ts';

/** Where processors are few, the node goes first: what it answers itself takes no time. */
const NICENESS = 5;

/**
 * The program of a worker: it answers the questions that come by the stream between it and its node, one after the
 * other, each from the newest block there is, and ends with that stream.
 */
setPriority(NICENESS);
const [, , orderText = ''] = process.argv;
const { storePath, limits, isTracing, isTelling } = readOrder(orderText);
const ledger = await LedgerReader.open(openStoreView(storePath), systemClock, isTelling);
const answers = new QueryAnswers(ledger, limits);
/** What is tried is an operation, whose gas alone is bounded, and not a call. */
const trials = new QueryAnswers(ledger, {
  ...limits,
  callGasMax: OPERATION_GAS_MAX,
  callTimeMsMax: TRIAL_TIME_MS_MAX,
});

const stream = new Socket({ fd: WORKER_STREAM });
/** What goes while a trace is made has to go at once: nothing else happens in this process meanwhile. */
const tell = isTracing ? tellNode : (frame: Buffer): void => void stream.write(frame);
/** What is tried is told of when it is carried out. */
let isTrying = false;
const pass = (told: ToldExecution): void => {
  if (!isTrying) tell(writeTold(told));
};
if (isTelling) {
  ledger.listenToExecutions({
    console: (calls) => pass({ console: calls }),
    failed: (root) => pass({ failed: root }),
  });
}
const frames = new FrameReader((frame) => {
  const { number, timing, epoch, isTrial, takesRest, profile, request } = readQuestion(frame);
  if (number === READY) {
    tell(writeReady());
    return;
  }
  ledger.refresh(timing, epoch);
  if (!isTrial) {
    tell(writeAnswer(number, answers.answer(request, profile, takesRest ? tellPiece : undefined)));
    return;
  }
  isTrying = true;
  const { value, results } = notingResults(() => trials.answer(request, profile));
  isTrying = false;
  for (const piece of results) tell(writeResults(piece));
  tell(writeAnswer(number, value));
});
stream.on('data', (piece: Buffer) => frames.take(piece));
stream.on('close', () => process.exit());
// The node is gone, which the stream's end tells.
stream.on('error', () => undefined);
// A signal to the whole group, such as Ctrl+C, is the node's to answer: it ends its workers last.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
tell(writeReady());
// What makes traces runs other builds of the engine, each when it is needed.
if (!isTracing) startWarmUp(ledger.hardfork);
