import { type Dispatcher, LimitError, type LongBody } from '../../rpc/index.ts';
import type { HttpRequest } from '../http-response.ts';

/** Bytes of a request to verify a contract (50 MiB). */
export const VERIFICATION_BODY_BYTES_MAX = 50 * 1024 * 1024;
/** Requests to verify a contract that are read at a time. */
const VERIFICATION_BODIES_MAX = 2;
/** Bytes of a body of several parts (5 MiB), which is read in one step. */
const MULTIPART_BYTES_MAX = 5 * 1024 * 1024;
/** Fields of a form. */
const FORM_FIELDS_MAX = 1_000;
/** Bytes of a form that are decoded in one step. */
const STEP_BYTES = 256 * 1024;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = /\+/g;
const ESCAPE = /%[0-9a-f]{2}/gi;

const FORM_TYPE = 'application/x-www-form-urlencoded';
export const MULTIPART_TYPE = 'multipart/form-data';

/** The fields of a form; values may be long. */
export type FormFields = ReadonlyMap<string, Buffer>;

/** Returns true for a request whose body is a form. */
export function isForm({ 'content-type': type = '' }: HttpRequest['headers']): boolean {
  return type.startsWith(FORM_TYPE) || type.startsWith(MULTIPART_TYPE);
}

/** Reads bodies in steps between which other tasks run, few at a time. */
export class VerificationBodies {
  readonly #dispatcher: Dispatcher;
  #count = 0;

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /**
   * Reads a body.
   * @returns undefined for a client that has disconnected
   * @throws LimitError for too many requests, and the errors of `steps`
   */
  async read<T>(
    { connection, body }: HttpRequest,
    steps: (bytes: Buffer) => Generator<void, T>,
  ): Promise<T | undefined> {
    const refusal = connection.admit?.();
    if (refusal !== undefined) throw refusal;
    if (this.#count >= VERIFICATION_BODIES_MAX) {
      throw new LimitError(`more than ${VERIFICATION_BODIES_MAX} requests to verify contracts at a time`);
    }
    this.#count += 1;
    connection.state = 'working';
    try {
      return await this.#dispatcher.schedule(connection, steps(wholeOf(body)));
    } finally {
      this.#count -= 1;
    }
  }
}

function wholeOf(body: Uint8Array | LongBody): Buffer {
  return 'pieces' in body
    ? body.slice(0, body.length)
    : Buffer.from(body.buffer, body.byteOffset, body.length);
}

/** Decodes a form in steps. @throws LimitError for too many fields */
export function* readForm(body: Buffer): Generator<void, FormFields> {
  const fields = new Map<string, Buffer>();
  for (let start = 0; start < body.length; ) {
    const found = body.indexOf(AMPERSAND, start);
    const end = found < 0 ? body.length : found;
    const equals = body.subarray(start, end).indexOf(EQUALS);
    const nameEnd = equals < 0 ? end : start + equals;
    const pieces: Buffer[] = [];
    for (let from = nameEnd + 1; from < end; ) {
      let to = Math.min(end, from + STEP_BYTES);
      // An escape is not divided.
      if (to < end) for (const back of [1, 2]) if (body[to - back] === PERCENT) to -= back;
      pieces.push(unescaped(body.subarray(from, to)));
      from = to;
      yield;
    }
    fields.set(unescaped(body.subarray(start, nameEnd)).toString(), Buffer.concat(pieces));
    if (fields.size > FORM_FIELDS_MAX)
      throw new LimitError(`the form has more than ${FORM_FIELDS_MAX} fields`);
    start = end + 1;
  }
  return fields;
}

function unescaped(part: Buffer): Buffer {
  const text = part.toString('latin1').replace(PLUS, ' ');
  const plain = text.replace(ESCAPE, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return Buffer.from(plain, 'latin1');
}

/** Reads a body of several parts. @throws LimitError for one that is too long, TypeError for a malformed one */
export async function readMultipart(body: Uint8Array | LongBody, contentType: string): Promise<FormFields> {
  if (body.length > MULTIPART_BYTES_MAX) {
    throw new LimitError(`a body of several parts exceeds the limit of ${MULTIPART_BYTES_MAX} bytes`);
  }
  const form = await new Response(new Uint8Array(wholeOf(body)), {
    headers: { 'content-type': contentType },
  }).formData();
  const texts = [...form].map(async ([name, value]) => {
    const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.from(await value.arrayBuffer());
    return [name, bytes] as const;
  });
  return new Map(await Promise.all(texts));
}
