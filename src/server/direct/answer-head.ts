const SECOND_MS = 1_000;

/**
 * Writes the heads of responses that are JSON, or nothing, over connections that stay open: the same fields as the
 * full server writes.
 */
export class AnswerHeads {
  readonly #keepAliveSeconds: number;
  /** The second that the remembered fields are of. */
  #second = -1;
  #fields = '';

  /** @param keepAliveTimeoutMs milliseconds that an idle connection stays open */
  constructor(keepAliveTimeoutMs: number) {
    this.#keepAliveSeconds = Math.floor(keepAliveTimeoutMs / SECOND_MS);
  }

  /** The head of a response of so many bytes. */
  ofAnswer(bytes: number): string {
    return (
      'HTTP/1.1 200 OK\r\nvary: Origin\r\ncontent-type: application/json; charset=utf-8\r\n' +
      `content-length: ${bytes}${this.#lastFields()}`
    );
  }

  /** The head of no response, to a request that asked for none. */
  ofNothing(): string {
    return `HTTP/1.1 204 No Content\r\nvary: Origin${this.#lastFields()}`;
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
