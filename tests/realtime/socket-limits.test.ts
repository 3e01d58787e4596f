import { describe, expect, test } from 'vitest';
import { expectRefusal, expectRetryAfter } from '../support/expect-reply.ts';
import { ServerProcess } from '../support/server-process.ts';
import { offering, tryUpgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

describe('429 too many requests, before the upgrade', () => {
  test('the rate limit comes first', async () => {
    await using limited = await ServerProcess.start({
      env: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '3' },
    });
    const replies = [];
    for (let count = 0; count < 5; count++) replies.push(await tryUpgrade(limited, '/ws?room_id=x'));
    const refused = replies.find((reply) => reply.status === 429);
    expect(replies[0]?.status).toBe(400);
    expect(refused).toBeDefined();
    if (refused === undefined) return;
    expectRefusal(refused, 429, 'too many requests');
    expectRetryAfter(refused);
  });

  test('sockets per user: one more is refused, the ticket unspent; after a close a slot is free again', async () => {
    await using limited = await ServerProcess.start({ env: { SOCKETS_PER_USER: '3' } });
    const bo = await signUp(limited);
    const room = await createRoom(limited, bo);
    const open = await Promise.all([1, 2, 3].map(() => ChatClient.enter(limited, bo, room.id)));
    const ticket = await issueTicket(limited, bo, room.id);
    const refused = await tryUpgrade(limited, '/ws', { protocols: offering(ticket) });
    expectRefusal(refused, 429, 'too many requests');
    expectRetryAfter(refused);
    // Other users have slots of their own.
    const other = await ChatClient.enter(limited, await signUp(limited), room.id);
    await open[0]?.close();
    await other.settle();
    const again = await ChatClient.open(limited, room.id, ticket);
    await again.waitFor('join');
    await again.close();
  });

  test('sockets per address are checked before the ticket', async () => {
    await using limited = await ServerProcess.start({ env: { SOCKETS_PER_ADDRESS: '2' } });
    const bo = await signUp(limited);
    const room = await createRoom(limited, bo);
    const open = [await ChatClient.enter(limited, bo, room.id), await ChatClient.enter(limited, bo, room.id)];
    const refused = await tryUpgrade(limited, '/ws', { protocols: ['chatroom.v1'] });
    expectRefusal(refused, 429, 'too many requests');
    expectRetryAfter(refused);
    const elsewhere = await tryUpgrade(limited, '/ws', {
      protocols: ['chatroom.v1'],
      localAddress: '127.0.0.2',
    });
    expectRefusal(elsewhere, 401, 'missing ws ticket');
    await Promise.all(open.map((socket) => socket.close()));
  });
});
