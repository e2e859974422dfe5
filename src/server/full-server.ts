import type { FastifyInstance } from 'fastify';

/**
 * The full HTTP server, which is put together when something needs it for the first time: most clients never do, and
 * it takes longer to load than all else that a node starts with.
 */
export class FullServer {
  readonly #create: () => Promise<FastifyInstance>;
  #app: Promise<FastifyInstance> | undefined;
  #isReady = false;

  /** @param create gives a server that is ready */
  constructor(create: () => Promise<FastifyInstance>) {
    this.#create = create;
  }

  /** Does something that needs the server: at once, or as soon as there is one. */
  run(action: () => void): void {
    if (this.#isReady) action();
    else void this.#open().then(action);
  }

  /** Lets it serve nobody any more. */
  async close(): Promise<void> {
    await (await this.#app)?.close();
  }

  async #open(): Promise<void> {
    this.#app ??= this.#create();
    await this.#app;
    this.#isReady = true;
  }
}
