/** Changes of messages beside new ones: how many a room gets in a second, and what each costs the server. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_PREFIX } from '../../protocol/constants.ts';
import type { HistoryPage } from '../../protocol/rest/messages.ts';
import type { RunningContender } from '../contenders/contender.ts';
import { serverOptions } from '../contenders/contenders.ts';
import { roomful } from '../contenders/roomful.ts';
import { Load, span } from '../load/load.ts';
import { type ChangePlan, type Door, planRoom } from '../load/plan.ts';
import { median } from '../statistics.ts';
import { count, decimal } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { occupy, runTurn, runTurnOf } from './turn.ts';

const SENDERS = 10;
const WARM_UP_MS = 1000;
const FOX = encodeURIComponent('🦊');

/** A message of a user, which the user changes again and again. */
interface Own {
  /** Of the user, among the senders. */
  sender: number;
  roomId: number;
  id: number;
  path: string;
  port: number;
  token: string;
  revision: number;
}

/** How a row's changes get to the server. */
const BY_LINE: Readonly<Record<string, ChangePlan['kind']>> = { edits: 'edit', reactions: 'react' };

interface Rate {
  perSecond: number;
  deliveriesPerSecond: number;
  /** Of the server, for each message or change. */
  cpuUs: number;
}

interface Row {
  room: number;
  window: number;
  what: string;
  rates: Rate[];
}

/** The next change of a message: a request, and its status. */
type Change = (own: Own) => { method: string; path: string; body?: object };

const BY_REQUEST: Readonly<Record<string, Change>> = {
  'edits by requests': (own) => ({
    ...{ method: 'PUT', path: own.path },
    body: { content: `text ${own.revision + 1}`, base_revision: own.revision++ },
  }),
  'reactions by requests': (own) => ({
    ...{ method: own.revision++ % 2 === 0 ? 'PUT' : 'DELETE', path: `${own.path}/reactions/${FOX}` },
  }),
};

export async function measureChanges(bench: Bench): Promise<Result> {
  const rows: Row[] = [];
  for (const room of bench.options.rooms) rows.push(...(await measureRoom(bench, room)));
  const rateOf = (row: Row) => median(row.rates.map(({ perSecond }) => perSecond));
  return {
    title: 'Changes of messages',
    note:
      `${SENDERS} people in one room send messages over their lines, each with a window of them on the way. In turns with ` +
      'that, they change as many messages of their own over their lines, and by requests over connections that stay open.',
    table: {
      head: ['room', 'window', 'what', 'a second', 'deliveries/s', '× messages', 'server CPU µs each'],
      rows: rows.map((row) => {
        const messages = rows.find(
          ({ room, window, what }) => room === row.room && window === row.window && what === 'messages',
        );
        return [
          count(row.room),
          String(row.window),
          row.what,
          count(rateOf(row)),
          count(median(row.rates.map(({ deliveriesPerSecond }) => deliveriesPerSecond))),
          decimal(messages ? rateOf(row) / rateOf(messages) : Number.NaN),
          count(median(row.rates.map(({ cpuUs }) => cpuUs))),
        ];
      }),
    },
    data: rows,
  };
}

async function measureRoom(bench: Bench, room: number): Promise<Row[]> {
  bench.progress(`changes in a room of ${room}: the sockets are opened`);
  const running = await roomful.start(serverOptions(roomful, bench));
  const load = new Load(bench.cores.loadProcesses, bench.cores.load);
  try {
    const [doors = []] = await running.makeRooms(1);
    const plan = planRoom(doors, room, Math.min(SENDERS, room));
    // Each sender is another person.
    for (const socket of plan.sockets)
      if (socket.role.kind === 'sender') socket.door = socket.role.id % doors.length;
    await occupy(load, plan);
    const rows: Row[] = [];
    for (const window of bench.options.windows) {
      // One message for each change on the way.
      await load.post(window);
      const own = await ownMessages(doors, window);
      const stand = { running, load, isServerAlone: bench.cores.server !== null, copies: room };
      const ofWindow: Row[] = [...['messages', ...Object.keys(BY_LINE), ...Object.keys(BY_REQUEST)]].map(
        (what) => ({
          ...{ room, window, what, rates: [] },
        }),
      );
      for (let round = 1; round <= bench.options.rounds; round++) {
        for (const { what, rates } of ofWindow) {
          bench.progress(`room of ${room}, window ${window}, round ${round}: ${what}`);
          const { seconds } = bench.options;
          const [kind, change] = [BY_LINE[what], BY_REQUEST[what]];
          if (change) rates.push(await changeByRequests({ running, load, own, change }, seconds));
          else {
            if (kind) await readRevisions(own);
            const turn = kind
              ? await runTurnOf(stand, () => load.change(plansOf(own, kind), stand.isServerAlone), seconds)
              : await runTurn(stand, window, seconds);
            const { answersPerSecond: perSecond, deliveriesPerSecond } = turn;
            rates.push({ perSecond, deliveriesPerSecond, cpuUs: (turn.serverCpu / perSecond) * 1e6 });
          }
        }
      }
      rows.push(...ofWindow);
    }
    return rows;
  } finally {
    await load.stop();
    await running.stop();
  }
}

/** The latest `window` messages of each user. */
async function ownMessages(doors: readonly Door[], window: number): Promise<Own[]> {
  const [first] = doors;
  const roomId = /"room_id":(\d+)/.exec(first?.frame[0] ?? '')?.[1];
  const own: Own[] = [];
  for (const [sender, door] of doors.entries()) {
    const token = door.ticket?.accessToken ?? '';
    const headers = { authorization: `Bearer ${token}` };
    const get = async (path: string) =>
      await (await fetch(`http://127.0.0.1:${door.port}${API_PREFIX}${path}`, { headers })).json();
    const me = (await get('/me')) as { id: number };
    const { messages } = (await get(`/rooms/${roomId}/messages?limit=200`)) as HistoryPage;
    const mine = messages.filter(({ user_id }) => user_id === me.id).slice(-window);
    for (const { id, revision = 0 } of mine) {
      const path = `${API_PREFIX}/rooms/${roomId}/messages/${id}`;
      own.push({ sender, roomId: Number(roomId), id, path, port: door.port, token, revision });
    }
  }
  return own;
}

/** The other door has changed them meanwhile. */
async function readRevisions(own: readonly Own[]): Promise<void> {
  for (const one of own) {
    const headers = { authorization: `Bearer ${one.token}` };
    const response = await fetch(`http://127.0.0.1:${one.port}${one.path}`, { headers });
    one.revision = ((await response.json()) as { revision?: number }).revision ?? 0;
  }
}

function plansOf(own: readonly Own[], kind: ChangePlan['kind']): ChangePlan[] {
  const senders = [...new Set(own.map(({ sender }) => sender))];
  return senders.map((sender) => {
    const messages = own.filter((one) => one.sender === sender);
    return { sender, roomId: messages[0]?.roomId ?? 0, kind, messages };
  });
}

async function changeByRequests(
  { running, load, own, change }: { running: RunningContender; load: Load; own: Own[]; change: Change },
  seconds: number,
): Promise<Rate> {
  const agent = new Agent({ keepAlive: true });
  const { port } = running.process;
  let [isOver, answered] = [false, 0];
  await readRevisions(own);
  // Reactions count on the field of edits.
  const isReaction = change === BY_REQUEST['reactions by requests'];
  const fresh = own.map((one) => (isReaction ? { ...one, revision: 0 } : { ...one }));
  const working = fresh.map(async (one) => {
    while (!isOver) {
      await send(agent, port, one.token, change(one));
      answered++;
    }
    // The next turn finds no reaction.
    if (isReaction && one.revision % 2 === 1) await send(agent, port, one.token, change(one));
  });
  await sleep(WARM_UP_MS);
  const from = await load.mark(false);
  const [cpuFrom, answeredFrom] = [running.process.cpuSeconds(), answered];
  await sleep(seconds * 1000);
  const to = await load.mark(false);
  const [cpu, count] = [running.process.cpuSeconds() - cpuFrom, answered - answeredFrom];
  isOver = true;
  await Promise.all(working);
  agent.destroy();
  await sleep(WARM_UP_MS);
  const measured = span(from, to);
  return {
    perSecond: count / measured.seconds,
    deliveriesPerSecond: measured.frames / measured.seconds,
    cpuUs: (cpu / count) * 1e6,
  };
}

function send(agent: Agent, port: number, token: string, change: ReturnType<Change>): Promise<void> {
  const { method, path, body } = change;
  return new Promise((resolve, reject) => {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(json !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(json),
      }),
    };
    const sent = request({ agent, host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume();
      response.on('end', () =>
        (response.statusCode ?? 500) < 300
          ? resolve()
          : reject(new Error(`${method} ${path}: ${response.statusCode}`)),
      );
    });
    sent.on('error', reject);
    sent.end(json);
  });
}
