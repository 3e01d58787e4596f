/**
 * One request of a connection at a time, in the order in which they came. RFC 9112 §9.3.2 asks for responses in that
 * order. Handling the requests one by one leaves a connection with at most one response: a peer that pipelines
 * and does not read costs one open file or one page of history, and Node announces that response's `close` whenever
 * the connection dies. Node announces nothing for responses that are still queued.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection that may wait. Browsers do not pipeline at all. */
const MAX_WAITING = 256;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** The requests of a connection; exists only while one is active. */
interface Line {
  active: Exchange;
  waiting: Exchange[];
  /** Runs after the last response: an upgrade, or the refusal of what could not be parsed. */
  afterwards: (() => void) | undefined;
  /** No further request is taken. */
  isSealed: boolean;
}

export class RequestOrder {
  readonly #lines = new WeakMap<Socket, Line>();
  /** Requests whose response was sent before their body arrived, while nothing else is under way on the connection. */
  readonly #answeredEarly = new WeakMap<Socket, IncomingMessage>();

  /**
   * Hands a request to `handle` after the responses to all requests before it; never, if the connection dies first. A
   * connection with too many of them is closed after the last one that was taken, so its client may repeat the rest.
   */
  handleInOrder(request: IncomingMessage, response: ServerResponse, handle: Exchange['handle']): void {
    // Node goes on parsing what it has read of a connection that has ended. No response would ever be sent or closed.
    if (!request.socket.writable) return;
    const exchange = { request, response, handle };
    const line = this.#lines.get(request.socket);
    if (!line) {
      this.#answeredEarly.delete(request.socket);
      const fresh = { active: exchange, waiting: [], afterwards: undefined, isSealed: false };
      this.#lines.set(request.socket, fresh);
      return this.#handle(exchange);
    }
    if (line.isSealed) return;
    if (line.waiting.length < MAX_WAITING) return void line.waiting.push(exchange);
    line.isSealed = true;
    line.waiting.at(-1)?.response.setHeader('connection', 'close');
  }

  /** Runs `next` after the responses to all requests of the connection: now, later, or never if it dies first. */
  afterAll(socket: Socket, next: () => void): void {
    const line = this.#lines.get(socket);
    if (!line) return next();
    if (line.isSealed) return;
    line.isSealed = true;
    // An upgrade takes Node's own listener away, and the response that is being sent would wait forever.
    const resume = () => {
      if (line.active.response.writableNeedDrain) line.active.response.emit('drain');
    };
    socket.on('drain', resume);
    line.afterwards = () => {
      socket.off('drain', resume);
      next();
    };
  }

  /**
   * Runs `refuse` in the place of the request that cannot be read to its end, be it a new one or the body of one that
   * was taken already. When that request has its response already, the connection is closed without another one, and
   * cut when the response has only begun.
   */
  refuseUnreadable(socket: Socket, refuse: () => void): void {
    if (this.#answeredEarly.get(socket)?.complete === false) return void socket.destroySoon();
    const line = this.#lines.get(socket);
    const last = line?.waiting.at(-1) ?? line?.active;
    if (!line || !last || last.request.complete) return this.afterAll(socket, refuse);
    if (line.isSealed) return;
    if (last !== line.active) {
      line.waiting.pop();
      return this.afterAll(socket, refuse);
    }
    if (last.response.headersSent) return void socket.destroy();
    line.isSealed = true;
    refuse();
  }

  isBusy(socket: Socket): boolean {
    return this.#lines.has(socket);
  }

  #handle({ request, response, handle }: Exchange): void {
    response.once('close', () => this.#goOn(request.socket));
    handle(request, response);
  }

  #goOn(socket: Socket): void {
    const line = this.#lines.get(socket);
    // A response that ends its connection has ended the writable side by now.
    if (!line || !socket.writable) return void this.#lines.delete(socket);
    const next = line.waiting.shift();
    if (!next) {
      this.#lines.delete(socket);
      if (!line.active.request.complete) this.#answeredEarly.set(socket, line.active.request);
      return line.afterwards?.();
    }
    line.active = next;
    this.#handle(next);
  }
}
