/**
 * The server's runtime, simulated: timers, clocks, randomness, and WebCrypto's HMAC, which would otherwise run on
 * another thread and finish at any time. All of it belongs to the current world. The server's code is not changed.
 */
import crypto, { createHmac, timingSafeEqual } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { loadExcerpts } from '../../client/rooms/excerpts.ts';
import { describeError, type SimulatedEvent, type World } from './world.ts';

/** The longest delay of a setImmediate callback, so that other events can run before it. */
const IMMEDIATE_MAX_MS = 0.5;

let world: World | null = null;

function present(): World {
  if (world === null) throw new Error('nothing is simulated now');
  return world;
}

/** Runs `task` with everything simulated. `enter` sets the current world. */
export async function simulated<T>(task: (enter: (next: World) => void) => Promise<T>): Promise<T> {
  // The first page of a process would wait for it, and the same seed would give another trace later.
  await loadExcerpts();
  const restore = [...replacements()].map(([target, name, value]) => replace(target, name, value));
  syncBuiltinESMExports();
  process.on('unhandledRejection', blame);
  process.on('uncaughtException', blame);
  try {
    return await task((next) => {
      world = next;
    });
  } finally {
    process.off('unhandledRejection', blame);
    process.off('uncaughtException', blame);
    for (const one of restore) one();
    syncBuiltinESMExports();
    world = null;
  }
}

/** Reports an error that nothing catches. It would end a real process. */
function blame(error: unknown): void {
  world?.violation(`${world.current.name}: nobody caught ${describeError(error)}`);
}

function replace(target: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { configurable: true, writable: true, value });
  return () => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  };
}

function* replacements(): Generator<[target: object, name: string, value: unknown]> {
  yield [globalThis, 'setTimeout', setTimer];
  yield [globalThis, 'clearTimeout', clearTimer];
  yield [globalThis, 'setInterval', setTicker];
  yield [globalThis, 'clearInterval', clearTimer];
  yield [globalThis, 'setImmediate', setImmediateSimulated];
  yield [globalThis, 'clearImmediate', clearTimer];
  yield [globalThis, 'Date', SimulatedDate];
  yield [performance, 'now', () => present().elapsedMs];
  yield [Math, 'random', () => present().random.next()];
  yield [AbortSignal, 'timeout', abortAfter];
  yield [
    timersPromises,
    'setTimeout',
    (delayMs: number) => new Promise((resolve) => setTimer(resolve, delayMs)),
  ];
  yield [timersPromises, 'setImmediate', () => new Promise((resolve) => setImmediateSimulated(resolve))];
  yield [crypto, 'randomBytes', (size: number) => fill(Buffer.alloc(size))];
  yield [crypto, 'randomUUID', () => fill(Buffer.alloc(16)).toString('hex')];
  yield [globalThis.crypto, 'getRandomValues', fill];
  yield [globalThis.crypto, 'subtle', { importKey, sign, verify }];
}

function fill<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const { random } = present();
  for (let index = 0; index < bytes.length; index++) bytes[index] = random.integer(0, 255);
  return bytes;
}

/** The part of Node's timer interface that the code under test uses. */
class Timer {
  readonly #start: () => SimulatedEvent;
  #event: SimulatedEvent;

  constructor(start: () => SimulatedEvent) {
    this.#start = start;
    this.#event = start();
  }

  refresh(): this {
    this.clear();
    this.#event = this.#start();
    return this;
  }

  clear(): void {
    this.#event.isCancelled = true;
  }

  unref(): this {
    return this;
  }
}

type Callback = (...args: unknown[]) => void;

function setTimer(run: Callback, delayMs = 0, ...args: unknown[]): Timer {
  const { current } = present();
  return new Timer(() => present().schedule(current, 'timer', Math.max(1, delayMs), () => run(...args)));
}

function setTicker(run: Callback, delayMs = 0, ...args: unknown[]): Timer {
  const timer = setTimer(() => {
    timer.refresh();
    run(...args);
  }, delayMs);
  return timer;
}

function setImmediateSimulated(run: Callback, ...args: unknown[]): Timer {
  return new Timer(() => {
    const { current, elapsedMs } = present();
    current.immediateAt = Math.max(current.immediateAt, elapsedMs + present().delay(0, IMMEDIATE_MAX_MS));
    return present().scheduleAt(current, 'immediate', current.immediateAt, () => run(...args));
  });
}

function clearTimer(timer: Timer | undefined): void {
  timer?.clear();
}

/** Never aborts: the simulated network ends every request by itself. */
function abortAfter(): AbortSignal {
  return new AbortController().signal;
}

const RealDate = Date;
class SimulatedDate extends RealDate {
  constructor(...args: [] | [value: string | number]) {
    super(args.length === 0 ? present().wallMs : args[0]);
  }

  static override now(): number {
    return present().wallMs;
  }
}

/** A key like that of WebCrypto, with its bytes accessible. */
interface HmacKey {
  bytes: Uint8Array;
}

async function importKey(
  _format: 'raw',
  bytes: Uint8Array,
  { hash }: { hash: string },
  extractable: boolean,
  usages: string[],
): Promise<HmacKey> {
  const algorithm = { name: 'HMAC', hash: { name: hash }, length: bytes.length * 8 };
  const key = { type: 'secret', extractable, algorithm, usages, bytes, [Symbol.toStringTag]: 'CryptoKey' };
  return key;
}

async function sign(_algorithm: unknown, { bytes }: HmacKey, data: Uint8Array): Promise<Uint8Array> {
  return createHmac('sha256', bytes).update(data).digest();
}

async function verify(
  algorithm: unknown,
  key: HmacKey,
  signature: Uint8Array,
  data: Uint8Array,
): Promise<boolean> {
  const right = await sign(algorithm, key, data);
  return right.length === signature.length && timingSafeEqual(right, signature);
}
