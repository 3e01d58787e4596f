/** Uploads many files by tus at the same time, each over a connection of its own. */
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Uploaded, UploaderCommand, UploadPlan } from './uploader.ts';

const TICK_MS = 50;
/** What is written at once while an upload goes as fast as it can. */
const SLICE = 64 * 1024;
const BYTES = Buffer.alloc(SLICE, 'not all bytes are zero');
const DELETED_AT_ONCE = 10;

let plan: UploadPlan | undefined;
let uploads: Upload[] = [];

class Upload {
  answerMs: number[] = [];
  readonly #plan: UploadPlan;
  readonly #index: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #path = '';

  constructor(uploadPlan: UploadPlan, index: number) {
    this.#plan = uploadPlan;
    this.#index = index;
  }

  async begin(): Promise<void> {
    const { path, bytes, isComplete } = this.#plan;
    const response = await this.#send('POST', path, 201, {
      'upload-length': bytes + (isComplete ? 0 : 1),
      'upload-metadata': `filename ${base64('load.bin')},room_id ${base64(String(this.#person.roomId))}`,
    });
    const location = response.headers.location ?? '';
    this.#path = new URL(location, `http://127.0.0.1:${this.#plan.port}`).pathname;
  }

  async send(): Promise<void> {
    const { bytes, part, bytesPerSecond, uploads: all } = this.#plan;
    // Slow lines know nothing of each other: their requests begin and end at moments of their own.
    if (bytesPerSecond !== undefined) await sleep((this.#index / all) * (part / bytesPerSecond) * 1000);
    for (let offset = 0; offset < bytes; offset += part)
      await this.#sendPart(offset, Math.min(part, bytes - offset));
  }

  async delete(): Promise<void> {
    await this.#send('DELETE', this.#path, 204, {});
    this.#agent.destroy();
  }

  get #person() {
    const { people } = this.#plan;
    const person = people[this.#index % people.length];
    if (!person) throw new Error('somebody must upload');
    return person;
  }

  async #sendPart(offset: number, length: number): Promise<void> {
    const [sent, answer] = this.#request('PATCH', this.#path, {
      'upload-offset': offset,
      'content-type': 'application/offset+octet-stream',
      'content-length': length,
    });
    await (this.#plan.bytesPerSecond === undefined
      ? writeFast(sent, length)
      : writeSlowly(sent, length, this.#plan.bytesPerSecond));
    const from = performance.now();
    sent.end();
    const response = await answer;
    this.answerMs.push(performance.now() - from);
    if (Number(response.headers['upload-offset']) !== offset + length)
      throw new Error(`PATCH: ${response.statusCode} ${response.headers['upload-offset']}`);
  }

  async #send(method: string, path: string, status: number, headers: Record<string, string | number>) {
    const [sent, answer] = this.#request(method, path, headers);
    sent.end();
    const response = await answer;
    if (response.statusCode !== status) throw new Error(`${method} ${path}: ${response.statusCode}`);
    return response;
  }

  #request(
    method: string,
    path: string,
    headers: Record<string, string | number>,
  ): [ClientRequest, Promise<IncomingMessage>] {
    const { token } = this.#person;
    const sent = request({
      ...{ agent: this.#agent, host: '127.0.0.1', port: this.#plan.port, method, path },
      headers: {
        'tus-resumable': '1.0.0',
        ...headers,
        ...(token !== '' && { authorization: `Bearer ${token}` }),
      },
    });
    sent.setNoDelay(true);
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response));
      });
    });
    return [sent, answer];
  }
}

async function writeFast(sent: ClientRequest, length: number): Promise<void> {
  // Node forgets the callback of a write when an early answer closes the socket.
  const closed = new Promise((resolve) => sent.once('close', resolve));
  for (let at = 0; at < length && !sent.destroyed; at += SLICE) {
    const slice = BYTES.subarray(0, Math.min(SLICE, length - at));
    await Promise.race([closed, new Promise((resolve) => sent.write(slice, resolve))]);
  }
}

async function writeSlowly(sent: ClientRequest, length: number, bytesPerSecond: number): Promise<void> {
  const from = performance.now();
  for (let at = 0; at < length; ) {
    await sleep(TICK_MS);
    const due = Math.min(length, Math.ceil(((performance.now() - from) / 1000) * bytesPerSecond));
    for (; at < due; at += Math.min(SLICE, due - at))
      sent.write(BYTES.subarray(0, Math.min(SLICE, due - at)));
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

async function begin(newPlan: UploadPlan): Promise<void> {
  plan = newPlan;
  uploads = Array.from({ length: newPlan.uploads }, (_, index) => new Upload(newPlan, index));
  for (const upload of uploads) await upload.begin();
}

async function sendAll(): Promise<Uploaded> {
  if (!plan) throw new Error('nothing was begun');
  const from = performance.now();
  const cpuFrom = process.cpuUsage();
  await Promise.all(uploads.map((upload) => upload.send()));
  const { user, system } = process.cpuUsage(cpuFrom);
  return {
    seconds: (performance.now() - from) / 1000,
    requests: uploads.reduce((sum, { answerMs }) => sum + answerMs.length, 0),
    answerMs: uploads.flatMap(({ answerMs }) => answerMs),
    cpu: (user + system) / 1e6,
  };
}

async function deleteAll(): Promise<void> {
  for (let at = 0; at < uploads.length; at += DELETED_AT_ONCE)
    await Promise.all(uploads.slice(at, at + DELETED_AT_ONCE).map((upload) => upload.delete()));
  uploads = [];
}

function run(command: UploaderCommand): Promise<unknown> {
  if (command.name === 'begin') return begin(command.plan);
  return command.name === 'send' ? sendAll() : deleteAll();
}

process.on('message', (command: UploaderCommand) => {
  run(command).then(
    (answer) => process.send?.({ answer }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));
