import type { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { whyNoProc } from '../support/linux.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, findRoom, issueUserTicket, signUp } from '../support/users.ts';
import { sampleRss } from './measured-room.ts';
import { askFor, openLine } from './raw-line.ts';
import { putOnTrial } from './trial.ts';

const SOCKETS = 50;
const MESSAGES = 400;
/** Characters of four bytes: 6 MiB of text in all, and the same again per socket if the server held a copy for each. */
const CONTENT = '\u{1F600}'.repeat(4000);
const MEBIBYTE = 1024 * 1024;

test.skipIf(whyNoProc() !== undefined)(
  'a client that resumes and does not read costs the server no more than one batch, and is closed',
  { timeout: 180_000 },
  async () => {
    await putOnTrial({
      promise: 'G4',
      name: 'slow resumers',
      async run() {
        await using server = await ServerProcess.start({
          // Garbage that V8 has not collected must not count; Node 24 leaves up to 100 MiB more of it.
          env: {
            RATE_LIMIT_PER_SECOND: '0',
            MESSAGES_PER_SECOND: '0',
            NODE_OPTIONS: '--max-semi-space-size=8',
          },
        });
        const login = await signUp(server);
        const roomId = (await createRoom(server, login)).id;
        const speaker = await RoomLine.enter(server, login, roomId);
        for (let count = 0; count < MESSAGES; count++) speaker.say(CONTENT);
        await speaker.waitForCount('message', MESSAGES);
        const { epoch } = speaker.hello;
        await speaker.close();

        const before = await sampleRss(server.pid).stop();
        const samples = sampleRss(server.pid);
        const sockets: Duplex[] = [];
        for (let index = 0; index < SOCKETS; index++) {
          const socket = await openLine(server, await issueUserTicket(server, login));
          sockets.push(socket.pause());
          askFor(socket, { type: 'start', epoch });
          askFor(socket, { type: 'open', room_id: roomId, since: 1 + index });
          askFor(socket, { type: 'here', room_id: roomId });
        }
        // A paused socket does not notice that it was closed, but the count of the room shows it.
        const nobody = async () => ((await findRoom(server, login, roomId))?.online === 0 ? true : undefined);
        await eventually('all closed', nobody, 120_000);
        for (const socket of sockets) socket.destroy();
        const rssMiB = Math.round(((await samples.stop()) - before) / MEBIBYTE);
        expect(rssMiB).toBeLessThan(150);
        return { figures: { sockets: SOCKETS, 'RSS +MiB': rssMiB } };
      },
    });
  },
);
