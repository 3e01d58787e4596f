/**
 * Reads pages over many keep-alive connections, each as fast as it gets them. The first command starts it, and the second
 * one ends it: it responds with what it got.
 */
import { createConnection, type Socket } from 'node:net';
import type { Pulled, PullPlan } from './puller.ts';

/** All connections read into it, one after the other. */
const RECEIVE_BUFFER = Buffer.allocUnsafeSlow(256 * 1024);
const HEADERS_END = '\r\n\r\n';
const MAX_HEAD = 4096;

const pulled: Pulled = { pages: 0, refused: 0, bytes: 0, slowestMs: 0 };
let isOver = false;

/** One connection, which asks for its next page when it has the one before. */
class Puller {
  readonly #plan: PullPlan;
  readonly #index: number;
  readonly #socket: Socket;
  #count = 0;
  #askedAt = 0;
  /** The head of a response, until it is complete. */
  #head = '';
  /** Bytes of the body that are to come; undefined: the head is. */
  #missing: number | undefined;
  #status = 0;

  constructor(plan: PullPlan, index: number) {
    this.#plan = plan;
    this.#index = index;
    this.#socket = createConnection({
      ...{ host: '127.0.0.1', port: plan.port, noDelay: true },
      localAddress: plan.from,
      onread: {
        buffer: RECEIVE_BUFFER,
        callback: (length) => this.#receive(RECEIVE_BUFFER.subarray(0, length)),
      },
    });
    this.#socket.on('error', (error) => {
      if (!isOver) throw error;
    });
    this.#ask();
  }

  close(): void {
    this.#socket.destroy();
  }

  #ask(): void {
    const { paths, tokens, pagesEach } = this.#plan;
    if (isOver || this.#count === pagesEach) return;
    const path = paths[(this.#index + this.#count++) % paths.length];
    const token = tokens[this.#index % tokens.length];
    this.#askedAt = performance.now();
    this.#socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}${HEADERS_END}`,
    );
  }

  #receive(bytes: Buffer): boolean {
    pulled.bytes += bytes.length;
    if (this.#missing === undefined) this.#readHead(bytes);
    else this.#missing -= bytes.length;
    if (this.#missing === undefined || this.#missing > 0) return true;
    this.#missing = undefined;
    this.#head = '';
    if (this.#status === 200) {
      pulled.pages++;
      pulled.slowestMs = Math.max(pulled.slowestMs, performance.now() - this.#askedAt);
    } else pulled.refused++;
    this.#ask();
    return true;
  }

  #readHead(bytes: Buffer): void {
    const before = this.#head.length;
    this.#head += bytes.toString('latin1', 0, MAX_HEAD);
    const end = this.#head.indexOf(HEADERS_END);
    if (end < 0) return;
    this.#status = Number(this.#head.slice(9, 12));
    const length = Number(/content-length: (\d+)/i.exec(this.#head)?.[1]);
    this.#missing = length - (bytes.length - (end + HEADERS_END.length - before));
  }
}

let pullers: Puller[] = [];
process.on('message', (plan: PullPlan | 'read' | 'end') => {
  if (plan === 'end') process.exit(0);
  if (plan === 'read') return void process.send?.(pulled);
  pullers = Array.from({ length: plan.connections }, (_, index) => new Puller(plan, index));
});
process.on('disconnect', () => {
  isOver = true;
  for (const puller of pullers) puller.close();
  process.exit(0);
});
