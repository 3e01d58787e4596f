/**
 * One TCP connection: a socket that the server uses like a `net.Socket`, and the client's end, which receives what is
 * written to it. Bytes arrive in order, but may be late or lost. Each side may notice the end late, or never.
 */
import { Duplex } from 'node:stream';
import type { Owner, World } from './world.ts';

/** The events of the client's end. */
export interface FarEnd {
  readonly owner: Owner;
  received(bytes: Buffer): void;
  /** Nothing more will arrive. Clean when the other side closed the connection. */
  ended(): void;
  /** The connection is broken: what was on its way may still arrive, and this end may never notice. */
  broken(): void;
}

export interface Latency {
  minMs: number;
  maxMs: number;
}

export interface Way {
  latency: Latency;
  /** Bytes in transit that the kernel buffers before the writer must wait. */
  kernelBytes: number;
}

/** One direction. Parts arrive in order, none earlier than the part before it. */
class Lane {
  readonly #world: World;
  readonly #receiver: Owner;
  readonly #latency: Latency;
  #lastAt = 0;
  /** Anything that would arrive after this time is lost. */
  closesAt = Number.POSITIVE_INFINITY;
  stalledUntil = 0;

  constructor(world: World, receiver: Owner, latency: Latency) {
    this.#world = world;
    this.#receiver = receiver;
    this.#latency = latency;
  }

  carry(label: string, arrive: () => void): void {
    const { elapsedMs } = this.#world;
    const { minMs, maxMs } = this.#latency;
    const at = Math.max(this.#lastAt, this.stalledUntil, elapsedMs + this.#world.delay(minMs, maxMs));
    this.#lastAt = at;
    this.#world.scheduleAt(this.#receiver, label, at, () => {
      if (at <= this.closesAt) arrive();
    });
  }
}

export class ConnectionPair {
  readonly socket: ServerSocket;
  readonly #world: World;
  readonly #server: Owner;
  readonly #far: FarEnd;
  readonly #toServer: Lane;
  readonly #toClient: Lane;
  #isCut = false;
  #farEnded = false;

  constructor(world: World, server: Owner, far: FarEnd, { latency, kernelBytes }: Way) {
    this.#world = world;
    this.#server = server;
    this.#far = far;
    this.#toServer = new Lane(world, server, latency);
    this.#toClient = new Lane(world, far.owner, latency);
    this.socket = new ServerSocket(world, server, { lane: this.#toClient, far, kernelBytes });
    // `server/platform/net/open-sockets.ts` does the same for every connection that the server accepts.
    this.socket.on('error', () => this.socket.destroy());
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  send(bytes: Buffer): void {
    this.#toServer.carry(`up ${bytes.length}`, () => {
      if (!this.socket.destroyed) this.socket.push(bytes);
    });
  }

  /** The client has closed its side. */
  end(): void {
    this.#toServer.carry('up end', () => {
      if (!this.socket.destroyed) this.socket.push(null);
    });
  }

  /** Nothing passes for a while, then everything that was held up. */
  stall(forMs: number): void {
    const until = this.#world.elapsedMs + forMs;
    this.#toServer.stalledUntil = until;
    this.#toClient.stalledUntil = until;
  }

  /**
   * The connection breaks. Part of what is in transit still arrives, in either direction. Each side notices the break
   * after its time; with null it never does.
   */
  cut(noticed: { serverMs: number | null; clientMs: number | null }): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#far.broken();
    const { elapsedMs } = this.#world;
    this.#toServer.closesAt = elapsedMs + this.#world.delay(0, noticed.serverMs ?? 50);
    this.#toClient.closesAt = elapsedMs + this.#world.delay(0, noticed.clientMs ?? 50);
    if (noticed.serverMs !== null) {
      this.#world.schedule(this.#server, 'connection lost', noticed.serverMs, () => this.socket.destroy());
    }
    if (noticed.clientMs !== null) {
      this.#world.schedule(this.#far.owner, 'connection lost', noticed.clientMs, () => this.#endFar());
    }
  }

  #endFar(): void {
    if (this.#farEnded) return;
    this.#farEnded = true;
    this.#far.ended();
  }
}

/** The server's end: the part of `net.Socket` that the server and `ws` use. */
export class ServerSocket extends Duplex {
  readonly remoteAddress = '192.0.2.1';
  readonly #world: World;
  readonly #owner: Owner;
  readonly #lane: Lane;
  readonly #far: FarEnd;
  readonly #kernelBytes: number;
  #onTheWay = 0;
  #accepted = 0;
  #waiting: (() => void) | null = null;

  constructor(
    world: World,
    owner: Owner,
    { lane, far, kernelBytes }: { lane: Lane; far: FarEnd; kernelBytes: number },
  ) {
    super({ allowHalfOpen: true });
    this.#world = world;
    this.#owner = owner;
    this.#lane = lane;
    this.#far = far;
    this.#kernelBytes = kernelBytes;
  }

  /** Includes what is still queued, as in Node. */
  get bytesWritten(): number {
    return this.#accepted + this.writableLength;
  }

  setNoDelay(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const { length } = chunk;
    this.#onTheWay += length;
    const isAccepted = this.#onTheWay <= this.#kernelBytes;
    // What the kernel has accepted, it has copied; the rest it reads from the chunk later.
    const bytes = isAccepted ? Buffer.from(chunk) : chunk;
    this.#lane.carry(`down ${length}`, () => {
      this.#far.received(bytes);
      this.#world.schedule(this.#owner, 'sent', 0, () => this.#arrived(length));
    });
    const accept = () => {
      this.#accepted += length;
      done();
    };
    if (isAccepted) accept();
    else this.#waiting = accept;
  }

  override _final(done: () => void): void {
    this.#lane.carry('down end', () => this.#far.ended());
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.writableFinished) this.#lane.carry('down reset', () => this.#far.ended());
    done(error);
  }

  #arrived(length: number): void {
    this.#onTheWay -= length;
    if (this.#onTheWay > this.#kernelBytes) return;
    const accept = this.#waiting;
    this.#waiting = null;
    accept?.();
  }
}
