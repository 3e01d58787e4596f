/** A socket of chatroom.v1 that is opened while the room is made private: strangers get nothing from then on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { addMember, createRoom, issueTicket, type Login, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const ROUNDS = 20;

let server: ServerProcess;
let ann: Login;
let bo: Login;
let cy: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  [ann, bo, cy] = await Promise.all([signUp(server), signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

async function makePrivate(roomId: number): Promise<void> {
  const json = { kind: 'private' };
  const path = `/api/v1/rooms/${roomId}`;
  const { status } = await send(server, path, { method: 'PATCH', json, token: ann.accessToken });
  expect(status).toBe(200);
}

/** Resolves with the messages that the socket received and its close code; `refused` when the upgrade was refused. */
async function fateOf(opening: Promise<ChatClient>) {
  const socket = await opening.catch((error: Error) => {
    expect(error.message).toContain('404');
    return null;
  });
  if (socket === null) return { code: 'refused', contents: [] };
  const { code } = await socket.closed;
  return { code, contents: socket.of('message').map(({ content }) => content) };
}

test('a ticket from before is refused after: 404, as for a room that is not there', async () => {
  const { id } = await createRoom(server, ann);
  const ticket = await issueTicket(server, bo, id);
  await makePrivate(id);
  expect(await fateOf(ChatClient.open(server, id, ticket))).toEqual({ code: 'refused', contents: [] });
});

test('a socket from before is closed with 4204', async () => {
  const { id } = await createRoom(server, ann);
  const socket = await ChatClient.enter(server, bo, id);
  await makePrivate(id);
  expect(await fateOf(Promise.resolve(socket))).toEqual({ code: 4204, contents: [] });
});

test(`in a race, ${ROUNDS} times in either order, a stranger is refused or closed; a member can come back`, async () => {
  const talk = await LineClient.start(server, ann);
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await createRoom(server, ann);
    await addMember(server, ann, id, cy.userId);
    const [strangers, members] = await Promise.all([
      issueTicket(server, bo, id),
      issueTicket(server, cy, id),
    ]);
    const open = (ticket: string) => ChatClient.open(server, id, ticket);
    const isChangeFirst = round % 2 === 0;
    const early = isChangeFirst ? makePrivate(id) : undefined;
    const [stranger, member] = [fateOf(open(strangers)), open(members)];
    await (early ?? makePrivate(id));
    await talk.post(id, 'secret');
    const { code, contents } = await stranger;
    expect(['refused', 4204]).toContain(code);
    expect(contents).toEqual([]);
    // It stays, or is closed for a return. What was posted while it opened may be before its beginning.
    const socket = await member;
    await eventually('the member gets a message or is closed', async () => {
      if (!socket.isOpen || socket.of('message').length > 0) return true;
      await talk.post(id, 'again');
      return undefined;
    });
    await socket.close();
    await (await ChatClient.enter(server, cy, id)).close();
  }
  await talk.close();
});
