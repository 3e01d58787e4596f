/** Answers go out in the order of the requests on their connection (RFC 9112 §9.3.2). */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Calls back when all requests before an upgrade, on its connection, are answered; never, if it is gone by then. */
export type AfterEarlierAnswers = (socket: Socket, goOn: () => void) => void;

/**
 * Node hands an upgrade over as soon as it has read it, while it may still owe answers to the requests before it: what is
 * written then comes too early, and a connection that is handed back to be parsed anew is never answered at all.
 */
export function watchAnswers(server: Server): AfterEarlierAnswers {
  /** The last answer that each connection was promised: they end in order. */
  const last = new WeakMap<Socket, ServerResponse>();
  server.prependListener('request', ({ socket }, response) => last.set(socket, response));
  return (socket, goOn) => {
    const before = last.get(socket);
    if (!before || before.writableFinished) return goOn();
    before.once('finish', () => {
      // Node's own listener has seen the end of the answer before, or closes the connection after it.
      setImmediate(() => (socket.writable ? goOn() : socket.destroy()));
    });
  };
}
