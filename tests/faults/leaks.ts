/** G4: connections that die at any moment leave nothing behind, and never take the process along. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ClientFolder, LARGE_FILE } from '../support/client-files.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { openFiles } from '../support/linux.ts';
import { type Patch, PatchedServer } from '../support/patched-server.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { connectRaw, get, h2cUpgrade, wsUpgrade } from '../support/raw-requests.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { offering, tryUpgrade, upgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, type Login, signUp } from '../support/users.ts';
import { attack, type Prey } from './hostile-connection.ts';
import type { Holdings } from './leak-probe.ts';
import type { Finding } from './trial.ts';

const PROBE = pathToFileURL(join(import.meta.dirname, 'leak-probe.js')).href;
const SOCKETS_PER_ADDRESS = 30;
/** Objects of a kind that may be left, as the log or a worker may be at work in the moment of the report. */
const SPARE_OBJECTS = 3;
const SPARE_HEAP_MIB = 16;
/** Above every time limit of the server, the 20 s of a connection at a standstill. */
const SETTLED_WITHIN_MS = 60_000;
/** A report stops the server for several collections of garbage, so it needs time between two of them. */
const REPORT_EVERY_MS = 1000;
const SERIOUS = 50;

export interface LeakOptions {
  connections: number;
  atOnce: number;
  seed: number;
  /** The server's entry, if not this build's. */
  main?: string;
}

/** With the client files that are open, as the system sees it. */
type AllHoldings = Holdings & { files: number };

export interface LeakFinding extends Finding {
  figures: Record<string, number | string>;
  /** What is held longer than its connection, in words; empty when all is well. */
  faults: string[];
}

export async function attackAndCompare({
  connections,
  atOnce,
  seed,
  main,
}: LeakOptions): Promise<LeakFinding> {
  const reports = await mkdtemp(join(tmpdir(), 'roomful-leaks-'));
  await using client = await ClientFolder.make();
  await using server = await ServerProcess.start({
    execArgv: ['--no-warnings', '--import', PROBE],
    env: {
      LEAK_REPORT: join(reports, 'holdings.json'),
      CLIENT_DIR: client.path,
      MESSAGES_PER_SECOND: '0',
      SOCKETS_PER_ADDRESS: String(SOCKETS_PER_ADDRESS),
    },
    ...(main === undefined ? {} : { main }),
  });
  try {
    const trial = new LeakTrial(server, client.path, join(reports, 'holdings.json'));
    return await trial.run(connections, atOnce, seededRandom(seed));
  } finally {
    await rm(reports, { recursive: true });
  }
}

/** Runs a short trial against a server with these bugs, and says what it found. */
export async function attackPatched(patches: readonly Patch[], connections = 1000): Promise<string> {
  await using patched = await PatchedServer.make(patches);
  const { faults } = await attackAndCompare({ connections, atOnce: 50, seed: 5, main: patched.main });
  return faults.join('\n');
}

class LeakTrial {
  readonly #server: ServerProcess;
  readonly #clientDir: string;
  readonly #report: string;
  readonly #faults: string[] = [];
  readonly #figures: Record<string, number | string> = {};

  constructor(server: ServerProcess, clientDir: string, report: string) {
    this.#server = server;
    this.#clientDir = clientDir;
    this.#report = report;
  }

  async run(connections: number, atOnce: number, random: Random): Promise<LeakFinding> {
    await this.#attackAndLook(connections, atOnce, random);
    if (!this.#server.isRunning && this.#figures['stop s'] === undefined)
      this.#faults.push('the process ended');
    const serious = this.#server.logs.filter(({ level }) => Number(level) >= SERIOUS);
    for (const { msg, err } of serious.slice(0, 5))
      this.#faults.push(`logged: ${msg} ${JSON.stringify(err).slice(0, 200)}`);
    return { figures: this.#figures, faults: this.#faults };
  }

  async #attackAndLook(connections: number, atOnce: number, random: Random): Promise<void> {
    const prey = await this.#prepare();
    // The first ones fill caches and compile code.
    await this.#attack(prey, Math.ceil(connections / 10), atOnce, random);
    await sleep(1500);
    if (!this.#server.isRunning) return;
    const before = await this.#holdings();
    const began = performance.now();
    await this.#attack(prey, connections, atOnce, random);
    this.#figures.connections = connections;
    this.#figures.seconds = Math.round((performance.now() - began) / 1000);
    if (!this.#server.isRunning) return;
    await this.#compare(before);
    await this.#tryLimits(prey);
    await this.#stop();
  }

  async #prepare(): Promise<Prey & { login: Login; roomId: number }> {
    const login = await signUp(this.#server);
    const roomId = (await createRoom(this.#server, login)).id;
    const speaker = await RoomLine.enter(this.#server, login, roomId);
    await Promise.all(Array.from({ length: 200 }, () => speaker.post('x'.repeat(3900))));
    await speaker.close();
    return {
      port: this.#server.port,
      historyPath: `/api/v1/rooms/${roomId}/messages?limit=200`,
      accessToken: login.accessToken,
      ticket: () => issueTicket(this.#server, login, roomId).catch(() => 'none'),
      ...{ login, roomId },
    };
  }

  async #attack(prey: Prey, connections: number, atOnce: number, random: Random): Promise<void> {
    let left = connections;
    const attacker = async () => {
      while (left-- > 0 && this.#server.isRunning) await attack(prey, random);
    };
    await Promise.all(Array.from({ length: atOnce }, attacker));
  }

  async #holdings(): Promise<AllHoldings> {
    await rm(this.#report, { force: true });
    process.kill(this.#server.pid, 'SIGUSR2');
    const text = await eventually('a report', () => readFile(this.#report, 'utf8').catch(() => undefined));
    const files = await openFiles(this.#server.pid);
    return {
      ...(JSON.parse(text) as Holdings),
      files: files.filter((path) => path.startsWith(this.#clientDir)).length,
    };
  }

  /** Waits until nothing more is held than before, or notes what still is. */
  async #compare(before: AllHoldings): Promise<void> {
    const most = (name: keyof AllHoldings) => {
      if (name === 'files') return 0;
      return before[name] + (name === 'heapMiB' ? SPARE_HEAP_MIB : SPARE_OBJECTS);
    };
    const swollen = async () => {
      const now = await this.#holdings();
      const names = Object.keys(now) as (keyof AllHoldings)[];
      for (const name of names)
        this.#figures[name] = `${Math.round(before[name])} to ${Math.round(now[name])}`;
      return names.filter((name) => now[name] > most(name));
    };
    const settled = await eventually(
      'settled',
      async () => ((await swollen()).length === 0 ? true : sleep(REPORT_EVERY_MS, undefined)),
      SETTLED_WITHIN_MS,
    ).catch(() => false);
    if (settled) return;
    for (const name of await swollen()) this.#faults.push(`${name}: ${this.#figures[name]}`);
  }

  /** Counters show their leaks at their limits: all slots are free, and what is unread is forgotten. */
  async #tryLimits(prey: Prey & { login: Login; roomId: number }): Promise<void> {
    const page = await send(this.#server, prey.historyPath, { token: prey.accessToken });
    if (page.status !== 200) this.#faults.push(`a page of history: ${page.status}`);
    const path = `/ws?room_id=${prey.roomId}`;
    const open = async () => upgrade(this.#server, path, { protocols: offering(await prey.ticket()) });
    const replies = await Promise.all(Array.from({ length: SOCKETS_PER_ADDRESS }, open));
    const opened = replies.filter(({ status }) => status === 101).length;
    if (opened !== SOCKETS_PER_ADDRESS)
      this.#faults.push(`${opened} of ${SOCKETS_PER_ADDRESS} slots are free`);
    const beyond = await tryUpgrade(this.#server, path, { protocols: offering(await prey.ticket()) });
    if (beyond.status !== 429) this.#faults.push(`beyond the slots: ${beyond.status}`);
    for (const { socket } of replies) socket?.destroy();
  }

  /** A stop ends with 0 while connections of every kind are held. */
  async #stop(): Promise<void> {
    const held: Socket[] = [];
    const file = get(LARGE_FILE);
    for (const bytes of [
      file,
      file.repeat(13) + wsUpgrade(),
      file + h2cUpgrade(),
      `${file}\0garbage\r\n\r\n`,
    ]) {
      const socket = await connectRaw(this.#server);
      socket.write(bytes);
      held.push(socket);
    }
    await send(this.#server, '/healthz');
    const began = performance.now();
    const { code } = await this.#server.stop();
    this.#figures['stop s'] = ((performance.now() - began) / 1000).toFixed(1);
    if (code !== 0) this.#faults.push(`SIGTERM ended it with ${code}`);
    for (const socket of held) socket.destroy();
  }
}
