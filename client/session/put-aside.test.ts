import { describe, expect, test } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { TokenServer } from '../testing/session-stage.ts';
import { Session } from './session.ts';
import { memoryStorage } from './storage.ts';

describe('a page that the browser had put aside, and that has heard of no other tab since', () => {
  function putAside() {
    const server = new TokenServer();
    const storage = memoryStorage();
    const session = new Session({ api: server, storage });
    return { session, another: new Session({ api: server, storage }) };
  }

  test('asks for nothing in the name of one user with the tokens of another', async () => {
    const { session, another } = putAside();
    await session.signIn('ann', 'right horse');
    await another.signOut();
    await another.signIn('bo', 'right horse');
    await expect(session.authorized(async (access) => access)).rejects.toMatchObject({ status: 401 });
    expect(session.state).toMatchObject({ status: 'signed_in', user: { username: 'bo' } });
  });

  test('repeats no request of one user with the tokens of another', async () => {
    const { session, another } = putAside();
    await session.signIn('ann', 'right horse');
    const sent: string[] = [];
    const refused = session.authorized(async (access) => {
      sent.push(access);
      await another.signOut();
      await another.signIn('bo', 'right horse');
      throw new ApiError(401, 'invalid token');
    });
    await expect(refused).rejects.toMatchObject({ status: 401 });
    expect(sent).toHaveLength(1);
    expect(session.state).toMatchObject({ status: 'signed_in', user: { username: 'bo' } });
  });
});
