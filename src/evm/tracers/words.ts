/** Receiver of JSON text of ASCII characters. */
export interface TextSink {
  add(text: string): void;
}

const WORD_BYTES = 32;
const PART_BYTES = 4;
const PART_DIGITS = 8;

/** A word, whose least significant byte comes first, as a QUANTITY. */
export function textOfWord(view: DataView, place: number): string {
  let text = '';
  for (let offset = WORD_BYTES - PART_BYTES; offset >= 0; offset -= PART_BYTES) {
    const part = view.getUint32(place + offset, true);
    if (text !== '') text += part === 0 ? '00000000' : part.toString(16).padStart(PART_DIGITS, '0');
    else if (part !== 0) text = `0x${part.toString(16)}`;
  }
  return text === '' ? '0x0' : text;
}

/** Memory, a whole number of words, as JSON texts of 32 bytes each. */
export function wordsOfMemory(memory: Uint8Array): string {
  const words: string[] = [];
  const bytes = Buffer.from(memory.buffer, memory.byteOffset, memory.length);
  for (let place = 0; place + WORD_BYTES <= bytes.length; place += WORD_BYTES) {
    words.push(`"0x${bytes.toString('hex', place, place + WORD_BYTES)}"`);
  }
  return words.join(',');
}
