import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Knows which connections of a server have requests in flight, so that closing it need not wait for idle ones. */
export class Connections {
  /** Requests in flight by connection. */
  readonly #requests = new Map<Socket, number>();
  #closing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.#opened(socket));
    // Before the listener that answers: an answer may be complete when that one returns.
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#began(request.socket, response);
    });
  }

  /** Closes idle connections, and from now on every connection as soon as it is idle. */
  closeWhenIdle(): void {
    this.#closing = true;
    for (const [socket, requests] of this.#requests) if (requests === 0) socket.destroy();
  }

  /** Closes all connections, whatever is in flight. */
  closeAll(): void {
    for (const socket of this.#requests.keys()) socket.destroy();
  }

  #opened(socket: Socket): void {
    if (this.#closing) {
      socket.destroy();
      return;
    }
    this.#requests.set(socket, 0);
    socket.once('close', () => this.#requests.delete(socket));
  }

  #began(socket: Socket, response: ServerResponse): void {
    this.#count(socket, 1);
    response.once('close', () => {
      this.#count(socket, -1);
      if (this.#closing && this.#requests.get(socket) === 0) socket.destroySoon();
    });
  }

  #count(socket: Socket, change: number): void {
    const requests = this.#requests.get(socket);
    if (requests !== undefined) this.#requests.set(socket, requests + change);
  }
}
