/** The logs of the running transaction, in a buffer that the host reads at its end. */

import { LOGS_FULL } from './halt';
import { fail } from './host';
import * as layout from './layout';
import { traceLog } from './tracing';
import { copyBytes, copyWord, reverseLimbs, WORD_BYTES } from './word';

/** Address after the last log, and how many there are. */
export let logsEnd: usize = layout.LOGS;
export let logsCount: u32 = 0;

/** Restores a previous state of the buffer. */
export function setLogs(end: usize, count: u32): void {
  logsEnd = end;
  logsCount = count;
}

/** Appends a log; `topics` is the stack item of the first topic, the others are below it. */
export function appendLog(address: usize, topicCount: u32, topics: usize, data: usize, length: usize): void {
  const bytes = layout.LOG_HEADER_BYTES + <usize>topicCount * WORD_BYTES + <usize>((length + 7) & ~7);
  if (bytes > <usize>(layout.LOGS + layout.LOGS_BYTES) - logsEnd) fail(LOGS_FULL);
  const start = logsEnd;
  store<u32>(logsEnd, topicCount, layout.LOG_TOPIC_COUNT);
  store<u32>(logsEnd, length, layout.LOG_DATA_LENGTH);
  copyWord(logsEnd + layout.LOG_ADDRESS, address);
  let target = logsEnd + layout.LOG_HEADER_BYTES;
  for (let topic: u32 = 0; topic < topicCount; topic++) {
    reverseLimbs(target, topics - <usize>topic * WORD_BYTES);
    target += WORD_BYTES;
  }
  if (length) copyBytes(target, data, length);
  logsEnd += bytes;
  traceLog(start, logsCount);
  logsCount++;
}
