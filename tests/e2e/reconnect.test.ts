/** Restarts of the server and dropped connections: what users see, and that no message is lost or duplicated. */
import { expect, test } from 'vitest';
import { createRoom, type Login, logIn, readHistory } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import { CuttableProxy } from './cuttable-proxy.ts';
import type { Person } from './person.ts';
import { onStageWithWorker, type Stage, soon } from './stage.ts';

onStageWithWorker('reconnecting', (stage) => {
  test('after a restart of the server everyone is back and messages flow; meanwhile a banner says so', async () => {
    const { ann, bo, room } = await pair(stage);
    await ann.say('before');
    await bo.message('before').waitFor();

    await stage.stopServer();
    await ann.banner.getByText(/Reconnecting/).waitFor();
    await ann.button('Retry now').waitFor();
    expect(await ann.onlineCount.count()).toBe(0);
    // It is gone after 2 s.
    const recovered = ann.banner.getByText(/Up to date/).waitFor();
    await Promise.all([recovered, stage.server.restart()]);
    await ann.isIn(room.name);
    await bo.isIn(room.name);
    await ann.banner.waitFor({ state: 'detached' });

    await bo.say('after');
    await ann.message('after').waitFor();
    await ann.say('after that');
    for (const person of [ann, bo]) {
      await soon(() => person.contents()).toEqual(['before', 'after', 'after that']);
      await soon(() => person.onlineCount.textContent()).toBe('2 online');
    }
  });

  test('on recovery the banner says how many messages were missed; counts are marked stale until then', async () => {
    await using proxy = await stage.proxy();
    const { ann, room } = await host(stage, proxy.url);
    const announced = ann.page.locator('p[role=status]').filter({ hasText: /./ });
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    bo.send({ type: 'message', content: 'before' });
    await ann.message('before').waitFor();
    expect(await ann.banner.count()).toBe(0);

    await proxy.cut();
    await ann.banner.getByText(/Reconnecting/).waitFor();
    await soon(() => announced.allTextContents()).toContain('Reconnecting…');
    await ann.page.locator('[data-stale=true]').waitFor();
    for (let index = 1; index <= 14; index++) bo.send({ type: 'message', content: `meanwhile ${index}` });
    await bo.waitForCount('message', 15);
    await proxy.restore();
    await ann.banner.getByText('Up to date, 14 new').waitFor();
    await soon(() => ann.page.locator('[data-stale=true]').count()).toBe(0);
    await ann.banner.waitFor({ state: 'detached' });
  });

  test('the header says to screen readers that the connection is down; the banner alone shows it, and nobody shows as online then', async () => {
    const { ann } = await host(stage);
    const own = () => ann.page.getByTestId('me').locator('[data-online=true]');
    const colour = () => own().evaluate((face) => getComputedStyle(face, '::after').backgroundColor);
    const green = await colour();
    await stage.stopServer();
    await ann.banner.getByText(/Reconnecting/).waitFor();
    await ann.connection('waiting').waitFor();
    expect(await ann.connection('waiting').textContent()).toBe('Reconnecting…');
    await soon(colour).not.toBe(green);
  });

  test('delays grow by half: no try before 1.0, then 1.5, then 2.25 s have passed', async () => {
    await using proxy = await stage.proxy();
    const { ann, room } = await host(stage, proxy.url);
    await ann.page.addInitScript(noteTries);
    await ann.page.reload();
    await ann.isIn(room.name);
    await ann.page.evaluate(() => performance.clearMarks('try'));
    await proxy.cut();
    const marks = (name: string) =>
      ann.page.evaluate((of) => performance.getEntriesByName(of).map(({ startTime }) => startTime), name);
    // A refused return ticket and the request for another ticket, which follows at once, are one try.
    const times = async () => {
      const tries = await marks('try');
      return [...(await marks('lost')), ...tries.filter((at, index) => at - (tries[index - 1] ?? 0) > 500)];
    };
    await soon(async () => (await times()).length).toBeGreaterThanOrEqual(4);
    const [lost = 0, first = 0, second = 0, third = 0] = await times();
    // Timers and marks are rounded, each by its own.
    expect(first - lost).toBeGreaterThan(995);
    expect(second - first).toBeGreaterThan(1495);
    expect(third - second).toBeGreaterThan(2245);
    await proxy.restore();
    await ann.isIn(room.name);
  });

  test('“Retry now” ends the wait', async () => {
    await using proxy = await stage.proxy();
    const { ann, room } = await host(stage, proxy.url);
    await proxy.cut();
    // A long one, so that it is the button that ends it.
    await ann.banner.getByText(/Reconnecting in ([5-9]|1\d) s/).waitFor();
    await proxy.restore();
    await ann.button('Retry now').click();
    await ann.isIn(room.name);
  });

  test('a message written while the server is down is shown as waiting, and sent once', async () => {
    const { ann, bo, room, owner } = await pair(stage);
    await stage.stopServer();
    await ann.connection('waiting').waitFor();
    const written = ['first', 'second', 'third'];
    for (const content of written) await ann.say(content);
    await soon(() => ann.pending.count()).toBe(3);
    await ann.pending.last().getByText("Sends when you're back online").waitFor();
    await ann.banner.getByText(/3 messages waiting/).waitFor();
    expect(await ann.messages.count()).toBe(0);

    await stage.server.restart();
    for (const person of [ann, bo]) await soon(() => person.contents()).toEqual(written);
    await soon(() => ann.pending.count()).toBe(0);
    expect(await storedContents(stage, owner, room.id)).toEqual(written);
  });

  test('waiting messages survive a reload', async () => {
    await using proxy = await stage.proxy();
    const { ann, room, owner } = await host(stage, proxy.url);
    await proxy.cut();
    await ann.connection('waiting').waitFor();
    await ann.say('written in a tunnel');
    await ann.pending.waitFor();
    await proxy.restore();
    await ann.page.reload();
    await ann.isIn(room.name);
    await soon(() => ann.contents()).toEqual(['written in a tunnel']);
    await soon(() => ann.pending.count()).toBe(0);
    expect(await storedContents(stage, owner, room.id)).toEqual(['written in a tunnel']);
  });

  test('messages of others during a drop are all there afterwards, once and in order', async () => {
    await using proxy = await stage.proxy();
    const { ann, room } = await host(stage, proxy.url);
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    const said = Array.from({ length: 260 }, (_, index) => `line ${index + 1}`);
    const say = (content: string) => bo.send({ type: 'message', content });
    said.slice(0, 3).forEach(say);
    await soon(() => ann.messages.count()).toBe(3);

    await proxy.cut();
    await ann.connection('waiting').waitFor();
    said.slice(3, 250).forEach(say);
    await bo.waitForCount('message', 250);
    await proxy.restore();
    await ann.message('line 250').waitFor();
    said.slice(250).forEach(say);
    await ann.message('line 260').waitFor();
    expect(await readUpwards(ann, said.length)).toEqual(said);
  });

  test('when the connection drops again and again while writing, each message arrives once', async () => {
    await using proxy = await CuttableProxy.start(stage.server);
    const { ann, room, owner } = await host(stage, proxy.url);
    const said: string[] = [];
    for (let round = 1; round <= 4; round++) {
      for (let index = 1; index <= 4; index++) {
        const content = `round ${round}, message ${index}`;
        said.push(content);
        await ann.say(content);
        // At once after it was written: stored or not, echoed or not.
        if (index === 2) await proxy.cut();
      }
      await proxy.restore();
      await ann.isIn(room.name);
    }
    await soon(() => ann.contents()).toEqual(said);
    await soon(() => ann.pending.count()).toBe(0);
    expect(await storedContents(stage, owner, room.id)).toEqual(said);
  });

  test('after kill -9 in the middle of a conversation, everything shown is still there, and it goes on', async () => {
    const { ann, bo, room, owner } = await pair(stage);
    const said: string[] = [];
    for (let index = 1; index <= 8; index++) {
      said.push(`message ${index}`);
      await ann.say(`message ${index}`);
      if (index === 4) await stage.server.kill();
    }
    await stage.server.restart();
    for (const person of [ann, bo]) await soon(() => person.contents()).toEqual(said);
    expect(await storedContents(stage, owner, room.id)).toEqual(said);
  });

  test('reconnecting shows no notice of the user', async () => {
    await using proxy = await stage.proxy();
    const { ann, owner, room } = await host(stage, proxy.url);
    await proxy.cut();
    await ann.connection('waiting').waitFor();
    await proxy.restore();
    await ann.isIn(room.name);
    expect(await ann.notice(owner.username).count()).toBe(0);
  });
});

onStageWithWorker('a proxy that hides the origin of the page from the server', (stage) => {
  test('is explained in the banner, which does not suggest that waiting helps', async () => {
    await using proxy = await stage.proxy({ host: 'chat.example.org' });
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const path = `/rooms/${room.id}`;
    const ann = await stage.seat({ login, path, origin: proxy.url, worker: false });
    ann.console.expect(/403/, UNREACHABLE);
    await ann.banner.getByText(`refuses live connections from ${proxy.url}`).waitFor();
    expect(await ann.button('Retry now').count()).toBe(0);
    await checkScreen(ann);
  });
});

/**
 * Runs in the page, before the client: marks when an open socket is lost, and when another is tried or a ticket for it is
 * asked for.
 */
function noteTries(): void {
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      performance.mark('try');
      super(url, protocols);
      // Before the client learns of it.
      this.addEventListener('open', () => this.addEventListener('close', () => performance.mark('lost')));
    }
  };
  const { fetch } = window;
  window.fetch = (input, init) => {
    if (String(input).endsWith('/ws/tickets')) performance.mark('try');
    return fetch(input, init);
  };
}

/** All that the timeline shows from its end to its beginning, of which the document holds a part at a time. */
async function readUpwards(person: Person, count: number): Promise<string[]> {
  const seen = new Map<number, string>();
  await soon(async () => {
    const rows = await person.messages.evaluateAll((messages) =>
      messages.map((message) => ({
        seq: Number((message as HTMLElement).dataset.seq),
        content: message.querySelector('[data-testid=message-content]')?.textContent ?? '',
      })),
    );
    const seqs = rows.map(({ seq }) => seq);
    expect(seqs, 'each once and in order').toEqual([...new Set(seqs)].sort((a, b) => a - b));
    for (const { seq, content } of rows) seen.set(seq, content);
    await person.log.evaluate((box) => box.scrollTo({ top: 0 }));
    return seen.size;
  }).toBe(count);
  return [...seen].sort(([a], [b]) => a - b).map(([, content]) => content);
}

async function host(stage: Stage, origin = stage.server.url) {
  const owner = await stage.account('ann');
  const room = await createRoom(stage.server, owner);
  const ann = await enter(stage, owner, room, origin);
  return { ann, owner, room };
}

async function pair(stage: Stage) {
  const { ann, owner, room } = await host(stage);
  const boLogin = await stage.account('bo');
  const bo = await enter(stage, boLogin, room, stage.server.url);
  return { ann, bo, owner, room };
}

async function enter(
  stage: Stage,
  login: Login,
  room: { id: number; name: string },
  origin: string,
): Promise<Person> {
  const person = await stage.seat({ login, origin, path: `/rooms/${room.id}` });
  person.console.expect(UNREACHABLE);
  await person.isIn(room.name);
  await person.isKept();
  return person;
}

async function storedContents(stage: Stage, login: Login, roomId: number): Promise<string[]> {
  // The pair in the browser may have been renewed meanwhile; a further login disturbs nothing.
  const reader = await logIn(stage.server, login.username);
  return (await readHistory(stage.server, reader, roomId)).map(({ content }) => content);
}
