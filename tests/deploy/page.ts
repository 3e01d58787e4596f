/** What a page does that was opened at https://chat.example.org through a proxy: the headers are a browser's. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import type { Duplex } from 'node:stream';
import { loginResponse, ticketResponse } from '../../protocol/rest/accounts.ts';
import { parseJson } from '../support/http.ts';
import { PASSWORD, uniqueName } from '../support/users.ts';
import { type ProxyProcess, SERVER_NAME } from './proxy-process.ts';

export interface PageReply {
  status: number;
  json: unknown;
}

/** An upgrade's reply; with status 101 the first bytes of its frames are in `text`. */
export interface UpgradeReply extends PageReply {
  text: string;
}

export class Page {
  readonly #proxy: ProxyProcess;
  readonly #localAddress: string;

  constructor(proxy: ProxyProcess, localAddress = '127.0.0.1') {
    this.#proxy = proxy;
    this.#localAddress = localAddress;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<PageReply> {
    return await this.#ask({ path, headers });
  }

  async post(path: string, body: unknown, token?: string): Promise<PageReply> {
    const text = JSON.stringify(body);
    const headers = {
      origin: this.#proxy.origin,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    return await this.#ask({ path, method: 'POST', headers }, text);
  }

  /** Registers somebody new, signs in, and asks for a ticket of the user. */
  async ticket(): Promise<string> {
    const credentials = { username: uniqueName('user'), password: PASSWORD };
    await this.post('/api/v1/auth/register', credentials);
    const login = loginResponse.parse((await this.post('/api/v1/auth/login', credentials)).json);
    const issued = await this.post('/api/v1/ws/tickets', { scope: 'user' }, login.access_token);
    return ticketResponse.parse(issued.json).ticket;
  }

  /** Asks for a socket; waits for its first frame when it opens. */
  async open(ticket: string): Promise<UpgradeReply> {
    const headers = {
      origin: this.#proxy.origin,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      'sec-websocket-protocol': `chatroom.v2, ticket.${ticket}`,
    };
    const opening = request(this.#options({ path: '/ws', headers }));
    const upgraded = once(opening, 'upgrade') as Promise<[IncomingMessage, Duplex, Buffer]>;
    const answered = once(opening, 'response') as Promise<[IncomingMessage]>;
    upgraded.catch(() => undefined);
    answered.catch(() => undefined);
    opening.end();
    const [response, socket, head] = await Promise.race([upgraded, answered]);
    if (socket === undefined) return { ...(await read(response)), text: '' };
    const first = head && head.length > 0 ? head : ((await once(socket, 'data'))[0] as Buffer);
    socket.destroy();
    return { status: 101, json: undefined, text: first.toString('latin1') };
  }

  /** A request whose body is still to be written. */
  begin(options: RequestOptions): ClientRequest {
    return request(this.#options(options));
  }

  /** Ends a request with the rest of its body. */
  async end(asking: ClientRequest, body?: string | Uint8Array): Promise<PageReply> {
    const answered = once(asking, 'response') as Promise<[IncomingMessage]>;
    asking.end(body);
    return await read((await answered)[0]);
  }

  async #ask(options: RequestOptions, body?: string): Promise<PageReply> {
    return await this.end(this.begin(options), body);
  }

  #options(options: RequestOptions): RequestOptions {
    const host = `${SERVER_NAME}:${this.#proxy.port}`;
    return {
      ...options,
      host: '127.0.0.1',
      port: this.#proxy.port,
      servername: SERVER_NAME,
      rejectUnauthorized: false,
      agent: false,
      localAddress: this.#localAddress,
      headers: { host, ...(options.headers as Record<string, string>) },
    };
  }
}

async function read(response: IncomingMessage): Promise<PageReply> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, json: parseJson(Buffer.concat(chunks).toString('utf8')) };
}
