import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RESTART_GRACE_MS } from '../../../../protocol/limits.ts';
import { type Announced, Cluster, FAIR, MAX_ENTRIES } from './testing/cluster.ts';

const ROOM = 7;
const ANN = 1;
const SECOND = 1000;
/** Until a process that died is missed, or one that has stopped is forgotten. */
const SETTLED_MS = RESTART_GRACE_MS + 6 * SECOND;

/** Time passes in steps, and what waits for promises runs after each. */
const STEP_MS = 50;
const PROMISES_IN_A_ROW = 12;

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    vi.advanceTimersByTime(Math.min(left, STEP_MS));
    for (let count = 0; count < PROMISES_IN_A_ROW; count++) await undefined;
  }
}

/** Waits for work that itself waits for time to pass. */
async function done<T>(work: Promise<T>): Promise<T> {
  await pass(3 * SECOND);
  return await work;
}

async function clusterOf(size: number, seed = 1, weather = FAIR) {
  // Those of an earlier cluster.
  vi.clearAllTimers();
  const cluster = new Cluster(dice(seed), weather);
  const names: string[] = [];
  for (let index = 0; index < size; index++) names.push(await done(cluster.start()));
  return { cluster, names };
}

/** A linear congruential generator. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

beforeEach(() => {
  const ofTimers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const;
  vi.useFakeTimers({ toFake: [...ofTimers, 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const kinds = (announced: Announced[], process: string) =>
  announced.filter((one) => one.process === process).map(({ kind }) => kind);

describe('presence of several processes', () => {
  it('a process that starts knows at once who came since the others stored their rosters', async () => {
    const { cluster, names } = await clusterOf(1);
    cluster.enter(names[0] ?? '', ROOM, ANN);
    const late = await done(cluster.start());
    expect(cluster.view(late)).toEqual([`${ROOM} ${ANN}`]);
    // Its first sockets come after the start.
    const since = cluster.announced.length;
    await pass(SETTLED_MS);
    expect(cluster.announced.slice(since)).toEqual([]);
  });

  it('a user with sockets in two processes joins once and leaves once, everywhere', async () => {
    const { cluster, names } = await clusterOf(3);
    const [first = '', second = ''] = names;
    cluster.enter(first, ROOM, ANN);
    cluster.enter(second, ROOM, ANN);
    await pass(SECOND);
    for (const name of names) expect(cluster.view(name)).toEqual([`${ROOM} ${ANN}`]);
    cluster.leave(first, ROOM, ANN);
    await pass(SECOND);
    for (const name of names) expect(kinds(cluster.announced, name)).toEqual(['join']);
    cluster.leave(second, ROOM, ANN);
    await pass(SECOND);
    for (const name of names) expect(kinds(cluster.announced, name)).toEqual(['join', 'leave']);
  });

  it('a process that starts has the rosters of all others before it listens', async () => {
    const { cluster, names } = await clusterOf(2);
    cluster.enter(names[0] ?? '', ROOM, ANN);
    await pass(6 * SECOND);
    const late = await done(cluster.start());
    expect(cluster.view(late)).toEqual([`${ROOM} ${ANN}`]);
    expect(kinds(cluster.announced, late)).toHaveLength(1);
  });

  it('a process that starts does not wait for one that was killed', async () => {
    const { cluster, names } = await clusterOf(3);
    cluster.kill(names[0] ?? '');
    const startedAt = performance.now();
    const started = cluster.start().then(() => performance.now() - startedAt);
    expect(await done(started)).toBeLessThan(SECOND / 2);
  });

  it('more entries than the rosters are made for are reported once, and nothing else changes', async () => {
    const { cluster, names } = await clusterOf(1);
    const [name = ''] = names;
    for (let userId = 1; userId <= MAX_ENTRIES; userId++) cluster.enter(name, ROOM, userId);
    await pass(12 * SECOND);
    expect(cluster.reported).toEqual([]);
    cluster.enter(name, ROOM, MAX_ENTRIES + 1);
    await pass(12 * SECOND);
    expect(cluster.reported).toEqual([MAX_ENTRIES + 1]);
    const second = await done(cluster.start());
    expect(cluster.processes.get(second)?.presence.online(ROOM)).toBe(MAX_ENTRIES + 1);
  });

  it('users of a killed process leave within 15 s, and those who came back elsewhere do not', async () => {
    const { cluster, names } = await clusterOf(3);
    const [first = '', second = '', witness = ''] = names;
    for (const userId of [ANN, 2]) cluster.enter(first, ROOM, userId);
    await pass(SECOND);
    cluster.kill(first);
    await pass(SECOND);
    cluster.enter(second, ROOM, ANN);
    await pass(8 * SECOND);
    expect(cluster.view(witness)).toEqual([`${ROOM} ${ANN}`, `${ROOM} 2`]);
    await pass(8 * SECOND);
    for (const name of [second, witness]) {
      expect(cluster.view(name)).toEqual([`${ROOM} ${ANN}`]);
      const left = cluster.announced.filter(({ process, kind }) => process === name && kind === 'leave');
      expect(left).toEqual([{ process: name, kind: 'leave', roomId: ROOM, userId: 2 }]);
    }
  });

  it('a planned stop announces nobody who comes back within 15 s, and all others then', async () => {
    const { cluster, names } = await clusterOf(3);
    const [first = '', second = '', witness = ''] = names;
    for (const userId of [ANN, 2]) cluster.enter(first, ROOM, userId);
    await pass(SECOND);
    await done(cluster.stop(first));
    await pass(10 * SECOND);
    cluster.enter(second, ROOM, ANN);
    await pass(2 * SECOND);
    expect(cluster.announced.filter(({ kind }) => kind === 'leave')).toEqual([]);
    await pass(5 * SECOND);
    expect(cluster.view(witness)).toEqual([`${ROOM} ${ANN}`]);
    const left = cluster.announced.filter(({ kind }) => kind === 'leave').map(({ userId }) => userId);
    expect(left).toEqual([2, 2]);
  });

  it('when all processes stop and start again within 15 s, nobody leaves or joins', async () => {
    const { cluster, names } = await clusterOf(2);
    const [first = '', second = ''] = names;
    cluster.enter(first, ROOM, ANN);
    await pass(SECOND);
    await Promise.all([done(cluster.stop(first)), cluster.stop(second)]);
    const successor = await done(cluster.start());
    cluster.announced.length = 0;
    cluster.enter(successor, ROOM, ANN);
    await pass(60 * SECOND);
    expect(cluster.announced).toEqual([]);
    expect(cluster.view(successor)).toEqual([`${ROOM} ${ANN}`]);
  });

  it('while the exchange is away presence stands still, and nobody leaves or joins when it is back', async () => {
    const { cluster, names } = await clusterOf(3);
    for (const [index, name] of names.entries()) cluster.enter(name, ROOM, index + 1);
    await pass(SECOND);
    cluster.announced.length = 0;
    for (const { end } of cluster.processes.values()) end.isCut = true;
    await pass(60 * SECOND);
    cluster.exchange.forgetAll();
    cluster.enter(names[0] ?? '', ROOM, 4);
    for (const { end } of cluster.processes.values()) end.isCut = false;
    await pass(60 * SECOND);
    expect(cluster.announced.map(({ kind, userId }) => `${kind} ${userId}`)).toEqual(
      names.map(() => 'join 4'),
    );
  });

  it('a process that was cut off alone keeps its view; the others miss it, and have it again at once', async () => {
    const { cluster, names } = await clusterOf(2);
    const [first = '', second = ''] = names;
    cluster.enter(first, ROOM, ANN);
    cluster.enter(second, ROOM, 2);
    await pass(SECOND);
    const { end } = cluster.processes.get(first) ?? {};
    if (end) end.isCut = true;
    await pass(30 * SECOND);
    expect(cluster.view(first)).toEqual([`${ROOM} ${ANN}`, `${ROOM} 2`]);
    expect(cluster.view(second)).toEqual([`${ROOM} 2`]);
    if (end) end.isCut = false;
    await pass(SECOND);
    expect(cluster.view(second)).toEqual([`${ROOM} ${ANN}`, `${ROOM} 2`]);
  });

  it('rosters that vanish are stored again within 5 s', async () => {
    const { cluster, names } = await clusterOf(2);
    cluster.enter(names[0] ?? '', ROOM, ANN);
    await pass(6 * SECOND);
    cluster.exchange.forgetAll();
    await pass(6 * SECOND);
    expect(cluster.view(await done(cluster.start()))).toEqual([`${ROOM} ${ANN}`]);
    expect(cluster.announced.filter(({ kind }) => kind === 'leave')).toEqual([]);
  });

  it('whatever gets lost, all processes agree in the end, and joins and leaves alternate in each', async () => {
    const step = fc.oneof(
      {
        weight: 20,
        arbitrary: fc.record({ act: fc.constant('visit' as const), who: fc.nat(5), room: fc.nat(2) }),
      },
      { weight: 4, arbitrary: fc.record({ act: fc.constantFrom('kill', 'stop', 'start', 'cut', 'empty') }) },
    );
    const course = fc.array(fc.tuple(step, fc.nat(3), fc.nat(4 * SECOND)), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(course, fc.nat(), async (steps, seed) => {
        const weather = { loss: 0.2, doubling: 0.1, maxDelayMs: 400 };
        const { cluster } = await clusterOf(3, seed, weather);
        const sockets = new Set<string>();
        for (const [{ act, ...visit }, which, waitMs] of steps) {
          const names = [...cluster.processes.keys()];
          const name = names[which % names.length] ?? '';
          if ('who' in visit) {
            const socket = `${name} ${visit.room} ${visit.who}`;
            if (!sockets.delete(socket)) sockets.add(socket);
            if (sockets.has(socket)) cluster.enter(name, visit.room, visit.who);
            else cluster.leave(name, visit.room, visit.who);
          }
          if (act === 'kill' && names.length > 1) cluster.kill(name);
          if (act === 'stop' && names.length > 1) void cluster.stop(name);
          if (act === 'start' && names.length < 4) void cluster.start();
          const end = cluster.processes.get(name)?.end;
          if (act === 'cut' && end) end.isCut = !end.isInDoubt;
          if (act === 'empty') cluster.exchange.forgetAll();
          await pass(waitMs);
        }
        cluster.exchange.weather = FAIR;
        for (const { end } of cluster.processes.values()) end.isCut = false;
        await pass(2 * SETTLED_MS);
        const union = cluster.union();
        for (const name of cluster.processes.keys()) expect(cluster.view(name)).toEqual(union);
        expectAlternating(cluster.announced);
      }),
      { numRuns: 60 },
    );
  });

  it('users who move to another process after a planned stop or a kill raise no notice anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.boolean(),
        fc.array(fc.nat(4 * SECOND), { maxLength: 8 }),
        async (seed, isPlanned, moves) => {
          const { cluster, names } = await clusterOf(3, seed);
          const [first = '', second = '', witness = ''] = names;
          for (const userId of moves.keys()) cluster.enter(first, ROOM, userId);
          await pass(SECOND);
          cluster.announced.length = 0;
          cluster.exchange.weather = { loss: 0.2, doubling: 0.2, maxDelayMs: 300 };
          if (isPlanned) void cluster.stop(first);
          else cluster.kill(first);
          for (const [userId, moveMs] of moves.entries())
            setTimeout(() => cluster.enter(second, ROOM, userId), moveMs);
          await pass(4 * SECOND);
          cluster.exchange.weather = FAIR;
          await pass(2 * SETTLED_MS);
          expect(cluster.announced).toEqual([]);
          expect(cluster.view(witness)).toEqual(cluster.union());
        },
      ),
      { numRuns: 40 },
    );
  });
});

/** In each process, a user's joins and leaves in a room take turns, and the first is a join. */
function expectAlternating(announced: Announced[]): void {
  const last = new Map<string, string>();
  for (const { process, roomId, userId, kind } of announced) {
    const key = `${process} ${roomId} ${userId}`;
    expect(kind).not.toBe(last.get(key) ?? 'leave');
    last.set(key, kind);
  }
}
