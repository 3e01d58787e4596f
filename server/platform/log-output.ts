/** Where log lines go: standard error, written in a way that can neither throw nor block. */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

const STDERR = 2;
/** Lines that wait while standard error takes none. Beyond this, new lines are dropped and counted. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** The first retry of a write that failed; the delay doubles up to the longest. */
const FIRST_RETRY_MS = 5;
const LONGEST_RETRY_MS = 1000;
/** How long the end of the process may wait for a reader that is slow but alive. */
const END_GRACE_MS = 250;
const END_PAUSE_MS = 5;

/**
 * A destination for pino. A line is written at once, so the last lines before a crash are not lost. When standard
 * error takes none (a stalled pipe, a full disk, a reader that is gone), lines wait in memory up to a limit and the
 * write is retried. Lines beyond the limit are dropped; their number is logged as soon as a line can be written.
 */
export class LogOutput {
  readonly #fd: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  #retryMs = FIRST_RETRY_MS;
  #retry: NodeJS.Timeout | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#waitingBytes + bytes.length > MAX_WAITING_BYTES) {
      this.#dropped += 1;
      return;
    }
    this.#enqueue(bytes);
    if (this.#retry === undefined) this.#flush();
  }

  /** Writes what waits before the process exits, and gives up after a quarter of a second. */
  end(): void {
    const deadline = performance.now() + END_GRACE_MS;
    const pause = new Int32Array(new SharedArrayBuffer(4));
    while (this.#drain() === 'EAGAIN' && performance.now() < deadline)
      Atomics.wait(pause, 0, 0, END_PAUSE_MS);
  }

  #enqueue(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  #flush(): void {
    this.#retry = undefined;
    const before = this.#waitingBytes;
    if (this.#drain() === undefined) {
      this.#retryMs = FIRST_RETRY_MS;
      return;
    }
    this.#retryMs =
      this.#waitingBytes < before ? FIRST_RETRY_MS : Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    this.#retry = setTimeout(() => this.#flush(), this.#retryMs).unref();
  }

  /** Writes as much as is taken; returns the error code of the write that failed, or undefined when all is written. */
  #drain(): string | undefined {
    while (this.#waitingBytes > 0) {
      const bytes = this.#waiting.length === 1 ? this.#waiting[0] : Buffer.concat(this.#waiting);
      if (bytes === undefined) break;
      this.#waiting = [bytes];
      try {
        const written = writeSync(this.#fd, bytes);
        this.#waiting = written < bytes.length ? [bytes.subarray(written)] : [];
        this.#waitingBytes -= written;
      } catch (error) {
        return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      }
      if (this.#waitingBytes === 0 && this.#dropped > 0) this.#enqueue(this.#takeDroppedNotice());
    }
    return undefined;
  }

  #takeDroppedNotice(): Buffer {
    const notice = {
      level: 40,
      time: new Date().toISOString(),
      pid: process.pid,
      dropped: this.#dropped,
      msg: 'log lines were dropped because standard error took none for a while',
    };
    this.#dropped = 0;
    return Buffer.from(`${JSON.stringify(notice)}\n`);
  }
}

/** A descriptor of standard error on which a write fails with EAGAIN instead of blocking. */
export function openStandardError(): number {
  // Creating the stream makes a pipe or a socket non-blocking. Its own errors are of no interest: nobody reads it.
  process.stderr.on('error', () => undefined);
  return isatty(STDERR) ? openTerminal() : STDERR;
}

/** Node writes to a terminal in blocking mode, so Ctrl-S would stop the process. A description of our own does not. */
function openTerminal(): number {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    const fd = openSync('/dev/fd/2', O_WRONLY | O_NONBLOCK | O_NOCTTY);
    if (fstatSync(fd).isCharacterDevice()) return fd;
    closeSync(fd);
  } catch {
    // No /dev/fd here, or the terminal belongs to another user: then a blocking descriptor has to do.
  }
  return STDERR;
}
