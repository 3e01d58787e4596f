import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { userSchema } from '../../protocol/rest/accounts.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { logIn, PASSWORD, uniqueName } from '../support/users.ts';

const PATH = '/api/v1/auth/register';
const G_CLEF = '\u{1D11E}';

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(async () => await server?.dispose());

const register = (username: unknown, password: unknown = PASSWORD) =>
  post(server, PATH, { username, password });

/** Registers the name, which stays taken in this file, and returns it as stored. */
async function take(username: string): Promise<string> {
  return expectReply(await register(username), 201, userSchema).username;
}

describe('POST /api/v1/auth/register: 201 {id, username}', () => {
  test('ids are positive, ascending integers', async () => {
    const first = expectReply(await register(uniqueName('ann')), 201, userSchema);
    const second = expectReply(await register(uniqueName('bo')), 201, userSchema);
    expect(first.id).toBeGreaterThan(0);
    expect(second.id).toBeGreaterThan(first.id);
  });

  test('usernames are NFC and trimmed', async () => {
    const name = uniqueName('ame\u0301lie');
    expect(await take(`  ${name}\t`)).toBe(name.normalize('NFC'));
  });

  test('64 astral letters are 64, 65 are too many', async () => {
    const letters = '\u{10400}'.repeat(64);
    expect(await take(letters)).toBe(letters);
    expectRefusal(await register(`${letters}\u{10400}`), 400, 'invalid payload');
  });

  test('a name that mixes scripts and looks like a taken one is taken', async () => {
    const name = await take(uniqueName('paypal'));
    const [cyrillicA, cyrillicP] = ['\u0430', '\u0440'];
    expectRefusal(await register(name.replace('a', cyrillicA)), 409, 'username taken');
    expectRefusal(await register(name.replace('p', cyrillicP)), 409, 'username taken');
    // Names in one script are not compared by their looks.
    const cyrillic = '\u0441\u043e\u0440\u0430';
    await take('copa');
    expect(await take(cyrillic)).toBe(cyrillic);
  });

  test('capitals count as they look, and a name that is registered in the same turn counts, too', async () => {
    const tag = uniqueName('').slice(1);
    await take(`Boris ${tag}`);
    expectRefusal(await register(`\u0412oris ${tag}`), 409, 'username taken');
    const replies = await Promise.all(
      ['\u0430', '\u0251', '\u03b1'].map((a) => register(`${a}nnette ${tag}`)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('invisible characters are not stored, and the name as typed logs in', async () => {
    const tag = uniqueName('').slice(1);
    expect(await take(`ann  lee ${tag}`)).toBe(`ann lee ${tag}`);
    expectRefusal(await register(`ann lee ${tag}`), 409, 'username taken');
    expectRefusal(await register(`ann lee\u0307\u0307 ${tag}`), 400, 'invalid payload');
    expect((await logIn(server, `ann   lee ${tag}`)).username).toBe(`ann lee ${tag}`);
    await take(`admin ${tag}`);
    expectRefusal(await register(`admi\u0307n ${tag}`), 409, 'username taken');
  });

  test('a letter with 63 marks, and marks alone, are no name', async () => {
    expectRefusal(await register(`a${'\u0301'.repeat(63)}`), 400, 'invalid payload');
    expectRefusal(await register('\u0301\u0302\u0303'), 400, 'invalid payload');
  });

  test('two code points are enough, one is not', async () => {
    expect(await take('zq')).toBe('zq');
    expectRefusal(await register('z'), 400, 'invalid payload');
    expectRefusal(await register(G_CLEF), 400, 'invalid payload');
  });

  test('passwords are 8-128 code points', async () => {
    expectRefusal(await register(uniqueName('u'), 'a'.repeat(7)), 400, 'invalid payload');
    expectRefusal(await register(uniqueName('u'), G_CLEF.repeat(7)), 400, 'invalid payload');
    expectRefusal(await register(uniqueName('u'), 'a'.repeat(129)), 400, 'invalid payload');
    expectReply(await register(uniqueName('u'), 'a'.repeat(8)), 201, userSchema);
    expectReply(await register(uniqueName('u'), G_CLEF.repeat(128)), 201, userSchema);
  });

  test('unknown fields are ignored, and no field reaches a prototype', async () => {
    const body = `{"username":"${uniqueName('proto')}","password":"${PASSWORD}","id":1,"admin":true,
      "__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
    const reply = await send(server, PATH, { method: 'POST', body });
    expectReply(reply, 201, userSchema);
    expect(reply.text).not.toContain('polluted');
  });

  test('the password is never returned', async () => {
    const reply = await register(uniqueName('secretive'), 'open sesame 42');
    expect(reply.text).not.toContain('sesame');
  });

  test('SQL and markup in a name are stored literally', async () => {
    for (const name of ["x'); DROP TABLE users;--", '" OR 1=1 --', '<img src=x>', '{{7*7}} %s %n \\ %00']) {
      expect(await take(name)).toBe(name);
      expect((await logIn(server, name)).username).toBe(name);
    }
  });
});

describe('409 username taken: unique by NFKC and case fold', () => {
  const base = uniqueName('Stra\u00dfe-am\u00e9lie');
  beforeAll(async () => {
    await take(base);
  });

  test.each([
    ['the same name', (name: string) => name],
    ['white space around', (name: string) => ` ${name} `],
    ['capitals', (name: string) => name.toUpperCase()],
    ['capital sharp s', (name: string) => name.replace('\u00df', '\u1e9e')],
    ['decomposed', (name: string) => name.normalize('NFD')],
    ['full width', (name: string) => name.replace('S', '\uff33').replace('t', '\uff54')],
  ])('%s', async (_, variant) => {
    expectRefusal(await register(variant(base)), 409, 'username taken');
  });

  test.each([
    ['capitals', (name: string) => name.toUpperCase()],
    ['decomposed', (name: string) => name.normalize('NFD')],
    ['full width', (name: string) => name.replace('S', '\uff33')],
  ])('login works with either form: %s', async (_, variant) => {
    expect((await logIn(server, variant(base))).username).toBe(base.normalize('NFC'));
  });

  test('20 at once for one name: exactly one gets it', async () => {
    const name = uniqueName('race');
    const replies = await Promise.all(Array.from({ length: 20 }, () => register(name)));
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  test('400 comes before 409', async () => {
    expectRefusal(await register(base, 'short'), 400, 'invalid payload');
  });
});

describe('409 username taken, whoever is there', () => {
  test.each([
    ...['all', 'Here', 'ROOM', 'everyone', 'channel', 'ａｌｌ', '\u0430ll', 'r00m', 'h\u0435re'],
    ...['\u0412oris', 'p\u0430ypal', '🅰dmin', 'r⚪⚪t'],
  ])('a word for everybody, or a name that only imitates a plain one: %s', async (name) => {
    expectRefusal(await register(name), 409, 'username taken');
  });

  test('a name that looks like one that mixes scripts, which came first', async () => {
    const number = Date.now();
    expect((await register(`Д\u006fм ${number}`)).status).toBe(201);
    expectRefusal(await register(`Дом ${number}`), 409, 'username taken');
  });

  test.each(['room_', 'allen', 'Ann ✓', 'admin!', 'c-3po', 'Проект A'])('not %s', async (name) => {
    expect((await register(`${name} ${Date.now()}`)).status).toBe(201);
  });
});

describe('400 invalid payload', () => {
  const notText: [string, unknown][] = [
    ['missing', undefined],
    ['null', null],
    ['a number', 12345678],
    ['a boolean', true],
    ['an array', ['ann-and-bo']],
    ['an object', { toString: 'ann-and-bo' }],
    ['empty', ''],
    ['white space', '   '],
    ['a NUL', 'ann\0and bo'],
    ['a lone surrogate', 'ann and \ud800'],
  ];
  test.each(notText)('username: %s', async (_, username) => {
    expectRefusal(await register(username), 400, 'invalid payload');
  });
  test.each(notText.filter(([name]) => name !== 'white space'))('password: %s', async (_, password) => {
    expectRefusal(await register(uniqueName('u'), password ?? null), 400, 'invalid payload');
  });

  test.each([
    ...[
      '\u0007',
      '\n',
      '\u007f',
      '\u0085',
      '\u00ad',
      '\u034f',
      '\u061c',
      '\u115f',
      '\u180e',
      '\u200b',
      '\u200d',
    ],
    ...['\u200e', '\u202e', '\u2028', '\u2060', '\u2066', '\u2069', '\u2800', '\u3164', '\ufe0f', '\ufeff'],
    ...['\u{e0041}', '\ue000', '\u{e0fff}', '\uffff', '\u00a0', '\u3000'],
  ])('invisible, bidi and zero-width characters in a name: %j', async (character) => {
    expectRefusal(await register(`${uniqueName('a')}${character}b`), 400, 'invalid payload');
  });

  test.each(['\ufeff', '\u200b', '\u2060', '\u202e'])('nor at its ends: %j', async (character) => {
    expectRefusal(await register(`${character}${uniqueName('a')}`), 400, 'invalid payload');
    expectRefusal(await register(`${uniqueName('a')}${character}`), 400, 'invalid payload');
  });
});
