/**
 * Asks clamd whether the bytes of a file are known to be harmful: it gets them over a socket of the operator's. The rules
 * of `platform/outgoing/` are for addresses that users give.
 */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { ClamdAddress } from '../../platform/config.ts';
import { within } from '../../platform/deadline.ts';
import type { Scanner, ScanVerdict } from './scanner.ts';

const CONNECT_MS = 5000;
/** For a chunk to be taken. */
const STALL_MS = 30_000;
/** For the answer about a file: by default clamd gives one up after two minutes. */
const SCAN_MS = 180_000;
/** For every other answer, which needs no work. */
const ANSWER_MS = 10_000;
const CHUNK_BYTES = 64 * 1024;
const ANSWER_BYTES = 4096;

export class Clamd implements Scanner {
  readonly #address: ClamdAddress;

  constructor(address: ClamdAddress) {
    this.#address = address;
  }

  async scan(path: string): Promise<ScanVerdict> {
    try {
      return verdictOf(await this.#ask('INSTREAM', (socket) => sendFile(socket, path)));
    } catch (error) {
      // It may have ended the connection because of this file: one that is too large, or one that kills a thread.
      if (error instanceof ClamdError || !(await this.isThere())) throw error;
      return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Whether it answers at all. */
  async isThere(): Promise<boolean> {
    return await this.#ask('PING').then(
      (answer) => answer === 'PONG',
      () => false,
    );
  }

  /** Its name and those of its signatures, with their day. */
  async version(): Promise<string> {
    return await this.#ask('VERSION');
  }

  async #ask(command: string, send?: (socket: Socket) => Promise<void>): Promise<string> {
    const socket = connect(this.#address);
    // What is lost is found when the answer is read.
    socket.on('error', () => undefined);
    try {
      await within(CONNECT_MS, once(socket, 'connect'), 'clamd does not answer');
      const answer = textOf(socket);
      // It is waited for below.
      answer.catch(() => undefined);
      socket.write(`z${command}\0`);
      // An answer that comes before all was sent is one, too.
      if (send) await Promise.race([answer, send(socket)]).catch(() => undefined);
      const text = await within(send ? SCAN_MS : ANSWER_MS, answer, 'clamd does not answer');
      if (text === '') throw new Error('clamd has ended the connection without an answer');
      return text;
    } finally {
      socket.destroy();
    }
  }
}

/** It answers, and not as clamd does. */
class ClamdError extends Error {}

async function sendFile(socket: Socket, path: string): Promise<void> {
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE((chunk as Buffer).length);
    socket.write(length);
    if (!socket.write(chunk)) await within(STALL_MS, once(socket, 'drain'), 'clamd takes no more bytes');
    if (socket.destroyed) return;
  }
  socket.write(Buffer.alloc(4));
}

async function textOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\0') || text.length > ANSWER_BYTES) break;
  }
  return text.split('\0', 1)[0]?.trim() ?? '';
}

function verdictOf(answer: string): ScanVerdict {
  const [, found] = /^stream: (.*) FOUND$/.exec(answer) ?? [];
  if (found !== undefined) return { kind: 'found', name: found };
  if (answer === 'stream: OK') return { kind: 'clean' };
  if (/size limit exceeded/i.test(answer)) return { kind: 'too_large' };
  if (/ERROR$/.test(answer)) return { kind: 'failed', reason: answer };
  throw new ClamdError(`clamd answers ${JSON.stringify(answer)}`);
}
