import { STATUS_CODES } from 'node:http';
import type { Fields } from '../http-answer.ts';

const SECOND_MS = 1_000;

/** Writes the heads of responses. */
export class ResponseHeads {
  readonly #keepAliveSeconds: number;
  /** The second that the remembered fields are of. */
  #second = -1;
  #date = '';
  #keepAliveFields = '';
  /** The beginning of a head that is remembered, and what it is made of. */
  #beginning = '';
  #status = 0;
  #originFields: Fields = {};
  #fields: Fields = {};

  /** @param keepAliveTimeoutMs milliseconds that an idle connection stays open */
  constructor(keepAliveTimeoutMs: number) {
    this.#keepAliveSeconds = Math.floor(keepAliveTimeoutMs / SECOND_MS);
  }

  /**
   * Writes a head.
   *
   * @param originFields fields of every response to a request; those of the response come after them
   * @param framing the field that says where the body ends, with its line end; empty for none
   * @param closes true if the connection closes after the response
   */
  of(status: number, originFields: Fields, fields: Fields, framing: string, closes: boolean): string {
    if (status !== this.#status || originFields !== this.#originFields || fields !== this.#fields) {
      const lines = Object.entries({ ...originFields, ...fields }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      this.#beginning = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}`;
      this.#status = status;
      this.#originFields = originFields;
      this.#fields = fields;
    }
    this.#look();
    const end = closes ? `${this.#date}Connection: close\r\n\r\n` : this.#keepAliveFields;
    return `${this.#beginning}${framing}${end}`;
  }

  /** Brings the fields that depend on the time up to date. */
  #look(): void {
    const second = Math.floor(Date.now() / SECOND_MS);
    if (second === this.#second) return;
    this.#second = second;
    this.#date = `Date: ${new Date(second * SECOND_MS).toUTCString()}\r\n`;
    const timeout = `timeout=${this.#keepAliveSeconds}`;
    this.#keepAliveFields = `${this.#date}Connection: keep-alive\r\nKeep-Alive: ${timeout}\r\n\r\n`;
  }
}
