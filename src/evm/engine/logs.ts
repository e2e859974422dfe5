import type { Hash } from '../../protocol/index.ts';
import * as layout from '../assembly/layout.ts';
import type { Log } from '../types.ts';
import type { WasmMemory } from '../wasm-memory.ts';

const TOPIC_BYTES = 32;

/** Copies so many logs out of the buffer, in their order. @param place of the first of them */
export function readLogs(memory: WasmMemory, count: number, place: number = layout.LOGS): Log[] {
  const logs: Log[] = [];
  let pointer = place;
  for (let index = 0; index < count; index++) {
    const topicCount = memory.readNumber(pointer + layout.LOG_TOPIC_COUNT);
    const length = memory.readNumber(pointer + layout.LOG_DATA_LENGTH);
    const address = memory.readAddress(pointer + layout.LOG_ADDRESS);
    pointer += layout.LOG_HEADER_BYTES;
    const topics: Hash[] = [];
    for (let topic = 0; topic < topicCount; topic++, pointer += TOPIC_BYTES)
      topics.push(memory.readHash(pointer));
    logs.push({ address, topics, data: memory.read(pointer, length) });
    pointer += (length + 7) & ~7;
  }
  return logs;
}
