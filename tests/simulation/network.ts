/** The network between pages and the servers: connections and requests are delayed, lost, duplicated or cut. */
import type { WebSocketConstructor } from '../../client/connection/web-socket.ts';
import { ConnectionPair } from './connection-pair.ts';
import { NO_WITNESS, PageSocket, type Witness } from './page-socket.ts';
import type { Weather } from './plan.ts';
import type { Answer, ServerProcess } from './server-process.ts';
import { newOwner, type Owner, type World } from './world.ts';

/** The network's view of a page. */
export interface Station {
  readonly owner: Owner;
  /** Nothing passes until then. */
  offlineUntil: number;
}

interface Link {
  readonly station: Station;
  readonly server: ServerProcess;
  readonly pair: ConnectionPair;
}

interface OpenRequest {
  readonly server: ServerProcess;
  readonly fail: () => void;
}

const REQUEST_TIMEOUT_MS = 15_000;
const IS_HISTORY = /\/messages\?/;
const TOO_MANY: Answer = { status: 429, body: { error: 'too many requests' }, retryAfterMs: 1000 };
/** The weather without faults. */
const FAIR = { requestLoss: 0, answerLoss: 0, duplicates: 0, refusals: 0 };

export class Network {
  /** The processes behind the server's address. */
  servers: readonly ServerProcess[] = [];
  readonly #world: World;
  readonly #weather: Weather;
  readonly #witness: (station: Station) => Witness;
  #faults: Pick<Weather, 'requestLoss' | 'answerLoss' | 'duplicates' | 'refusals'>;
  #links: Link[] = [];
  readonly #requests = new Set<OpenRequest>();
  readonly #spent = new Set<string>();

  constructor(world: World, weather: Weather, witness: (station: Station) => Witness) {
    this.#world = world;
    this.#weather = weather;
    this.#faults = weather;
    this.#witness = witness;
  }

  /** Ends all faults. */
  heal(): void {
    this.#faults = FAIR;
  }

  /** The WebSocket of a page. */
  webSocketOf(station: Station): WebSocketConstructor {
    const connect = (url: string, protocols: string[]) => this.#connect(station, url, protocols);
    // A call with `new` gets the object that the function returns.
    return function open(url: string, protocols: string[]) {
      return connect(url, protocols);
    } as unknown as WebSocketConstructor;
  }

  /** The fetch of a page. */
  fetchOf(station: Station): typeof fetch {
    return (input, init) => this.#fetch(station, String(input), init ?? {});
  }

  cut(station: Station, noticed: { serverMs: number | null; clientMs: number | null }): void {
    for (const link of this.#links) if (link.station.owner === station.owner) link.pair.cut(noticed);
    this.#links = this.#links.filter((link) => !link.pair.isCut);
  }

  stall(station: Station, forMs: number): void {
    for (const link of this.#links) if (link.station.owner === station.owner) link.pair.stall(forMs);
  }

  /**
   * A process has ended. Its connections end, and its requests get no response. With `isSilent`, as after a power cut,
   * the other side gets no notice.
   */
  died(server: ServerProcess, isSilent: boolean): void {
    for (const link of this.#links) {
      if (link.server !== server) continue;
      link.pair.cut({ serverMs: null, clientMs: isSilent ? null : this.#world.delay(0, 20) });
    }
    this.#links = this.#links.filter((link) => !link.pair.isCut);
    for (const request of this.#requests) if (request.server === server && !isSilent) request.fail();
  }

  /** The process that the balancer picks for a request or a connection; null: none listens. */
  pick(): ServerProcess | null {
    const listening = this.servers.filter(({ isListening }) => isListening);
    const picked = listening.length > 1 ? this.#world.random.integer(0, listening.length - 1) : 0;
    return listening[picked] ?? null;
  }

  #connect(station: Station, url: string, protocols: readonly string[]): PageSocket {
    const letIn = () => this.#letIn(protocols);
    const socket = new PageSocket(station.owner, this.#witness(station), letIn);
    this.#world.schedule(this.#world.beyond, 'connecting', this.#latency(), () => {
      const server = this.#serverFor(station);
      if (server === null) {
        // Either the connection is refused at once, or nothing responds and the page gives up by itself.
        if (this.#world.chance(0.7)) this.#tell(station, 'refused', () => socket.ended());
        return;
      }
      this.#open(station, socket, { server, url, protocols });
      // A middlebox sends the handshake twice; the second response is lost.
      if (this.#world.chance(this.#faults.duplicates)) {
        const nobody: Station = { owner: newOwner('nobody'), offlineUntil: 0 };
        const other = new PageSocket(nobody.owner, NO_WITNESS, letIn);
        this.#open(nobody, other, { server: this.pick() ?? server, url, protocols });
        this.#world.schedule(this.#world.beyond, 'middlebox forgets', this.#world.delay(10, 3000), () =>
          this.cut(nobody, { serverMs: 0, clientMs: null }),
        );
      }
    });
    return socket;
  }

  /** Checks that a ticket, the last of the protocols, opens only one connection. */
  #letIn(protocols: readonly string[]): void {
    const ticket = protocols.at(-1) ?? '';
    if (this.#spent.has(ticket)) this.#world.violation('a ticket opened two connections');
    this.#spent.add(ticket);
  }

  #open(
    station: Station,
    socket: PageSocket,
    { server, url, protocols }: { server: ServerProcess; url: string; protocols: readonly string[] },
  ): void {
    const pair = new ConnectionPair(this.#world, server.owner, socket, this.#weather);
    socket.connected(pair);
    this.#links.push({ station, server, pair });
    const { pathname, search } = new URL(url);
    this.#world.schedule(server.owner, `handshake of ${station.owner.name}`, 0, () =>
      server.upgrade(pathname + search, protocols, pair.socket),
    );
  }

  #fetch(station: Station, url: string, init: RequestInit): Promise<Response> {
    return new Promise((resolve, reject) => {
      const label = `${init.method} ${new URL(url).pathname}`;
      const give = (answer: Answer) => {
        timeout.isCancelled = true;
        resolve(responseOf(answer));
      };
      const fail = () => {
        timeout.isCancelled = true;
        reject(new TypeError('fetch failed'));
      };
      const timeout = this.#world.schedule(station.owner, `timeout of ${label}`, REQUEST_TIMEOUT_MS, fail);
      this.#world.schedule(this.#world.beyond, label, this.#latency(), () => {
        const server = this.#serverFor(station);
        if (server === null) return this.#tell(station, `no ${label}`, fail);
        if (this.#world.chance(this.#faults.requestLoss)) return;
        if (IS_HISTORY.test(url) && this.#world.chance(this.#faults.refusals))
          return this.#tell(station, `429 ${label}`, () => give(TOO_MANY));
        this.#ask(server, {
          ...{ label, url, init },
          fail: () => this.#tell(station, `cut ${label}`, fail),
          give: (answer) => this.#tell(station, `${answer.status} ${label}`, () => give(answer)),
        });
        if (this.#world.chance(this.#faults.duplicates))
          this.#ask(this.pick() ?? server, { ...{ label, url, init }, fail: () => {}, give: () => {} });
      });
    });
  }

  #ask(
    server: ServerProcess,
    request: {
      label: string;
      url: string;
      init: RequestInit;
      fail: () => void;
      give: (answer: Answer) => void;
    },
  ): void {
    const { label, url, init, fail, give } = request;
    const open = { server, fail };
    this.#requests.add(open);
    this.#world.schedule(server.owner, label, 0, () => {
      const { Authorization: authorization = '' } = init.headers as Record<string, string>;
      const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
      void server.answer(String(init.method), url, authorization, body).then((answer) => {
        this.#requests.delete(open);
        if (!this.#world.chance(this.#faults.answerLoss)) give(answer);
      });
    });
  }

  #serverFor(station: Station): ServerProcess | null {
    return station.offlineUntil <= this.#world.elapsedMs ? this.pick() : null;
  }

  #tell(station: Station, label: string, run: () => void): void {
    this.#world.schedule(station.owner, label, this.#latency(), run);
  }

  #latency(): number {
    return this.#world.delay(this.#weather.latency.minMs, this.#weather.latency.maxMs);
  }
}

/** The part of a response that the SDK reads. */
function responseOf({ status, body, retryAfterMs }: Answer): Response {
  const headers = new Map<string, string>();
  if (retryAfterMs !== undefined) headers.set('Retry-After', String(Math.ceil(retryAfterMs / 1000)));
  const text = JSON.stringify(body);
  return {
    ok: status < 300,
    status,
    headers: { get: (name: string) => headers.get(name) ?? null },
    json: async () => JSON.parse(text),
  } as unknown as Response;
}
