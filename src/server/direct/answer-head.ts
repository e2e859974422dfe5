import { STATUS_CODES } from 'node:http';
import { HEAD_FIELD } from '../head-fields.ts';
import { bodyBytesOf, type HttpAnswer } from '../http-answer.ts';

const SECOND_MS = 1_000;

/**
 * Writes the heads of responses that are JSON, or nothing, over connections that stay open: the same fields as the
 * full server writes.
 */
export class AnswerHeads {
  readonly #keepAliveSeconds: number;
  readonly #head: () => number;
  /** The second that the remembered fields are of. */
  #second = -1;
  #fields = '';
  /** The block that the remembered beginning of a response is of. */
  #block = -1;
  #beginning = '';

  /**
   * @param keepAliveTimeoutMs milliseconds that an idle connection stays open
   * @param head the number of the newest block
   */
  constructor(keepAliveTimeoutMs: number, head: () => number) {
    this.#keepAliveSeconds = Math.floor(keepAliveTimeoutMs / SECOND_MS);
    this.#head = head;
  }

  /** The head of a response of so many bytes. */
  ofAnswer(bytes: number): string {
    const block = this.#head();
    if (block !== this.#block) {
      this.#block = block;
      this.#beginning =
        `HTTP/1.1 200 OK\r\nvary: Origin\r\n${HEAD_FIELD}: ${block}\r\n` +
        'content-type: application/json; charset=utf-8\r\ncontent-length: ';
    }
    return `${this.#beginning}${bytes}${this.#lastFields()}`;
  }

  /** The head of a response that comes in pieces, each with its length in front. */
  ofPieces(): string {
    const field = `${HEAD_FIELD}: ${this.#head()}`;
    const type = 'content-type: application/json; charset=utf-8\r\nTransfer-Encoding: chunked';
    return `HTTP/1.1 200 OK\r\nvary: Origin\r\n${field}\r\n${type}${this.#lastFields()}`;
  }

  /** The head of no response, to a request that asked for none. */
  ofNothing(): string {
    return `HTTP/1.1 204 No Content\r\nvary: Origin\r\n${HEAD_FIELD}: ${this.#head()}${this.#lastFields()}`;
  }

  /** The head of what a request is answered that was refused. */
  ofRefusal(refusal: HttpAnswer): string {
    const fields = Object.entries({ ...refusal.fields, 'content-length': String(bodyBytesOf(refusal)) });
    const lines = fields.map(([name, value]) => `\r\n${name}: ${value}`).join('');
    const { status } = refusal;
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nvary: Origin${lines}${this.#lastFields()}`;
  }

  #lastFields(): string {
    const second = Math.floor(Date.now() / SECOND_MS);
    if (second !== this.#second) {
      this.#second = second;
      const date = new Date(second * SECOND_MS).toUTCString();
      const timeout = `timeout=${this.#keepAliveSeconds}`;
      this.#fields = `\r\nDate: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: ${timeout}\r\n\r\n`;
    }
    return this.#fields;
  }
}
