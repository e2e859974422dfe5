import { Socket } from 'node:net';
import { startWarmUp } from '../../evm/index.ts';
import { LedgerReader, systemClock } from '../../ledger/index.ts';
import { QueryAnswers } from '../../rpc/index.ts';
import { openStoreView } from '../../store/index.ts';
import { FrameReader, READY, readQuestion, WORKER_STREAM, writeAnswer, writeReady } from './frames.ts';
import { readOrder } from './order.ts';

/**
 * The program of a worker: it answers the questions that come by the stream between it and its node, one after the
 * other, each from the newest block there is, and ends with that stream.
 */
const [, , orderText = ''] = process.argv;
const { storePath, limits } = readOrder(orderText);
const ledger = await LedgerReader.open(openStoreView(storePath), systemClock);
const answers = new QueryAnswers(ledger, limits);

const stream = new Socket({ fd: WORKER_STREAM });
const frames = new FrameReader((frame) => {
  const { number, timing, epoch, profile, request } = readQuestion(frame);
  if (number === READY) {
    stream.write(writeReady());
    return;
  }
  ledger.refresh(timing, epoch);
  stream.write(writeAnswer(number, answers.answer(request, profile)));
});
stream.on('data', (piece: Buffer) => frames.take(piece));
stream.on('close', () => process.exit());
// The node is gone, which the stream's end tells.
stream.on('error', () => undefined);
// A signal to the whole group, such as Ctrl+C, is the node's to answer: it ends its workers last.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
stream.write(writeReady());
startWarmUp(ledger.hardfork);
