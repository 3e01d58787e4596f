import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { whyNoProc } from '../support/linux.ts';
import { ServerProcess, StartError } from '../support/server-process.ts';

const withLimit = (files: number) => ['sh', '-c', `ulimit -n ${files}; exec "$0" "$@"`];

test.skipIf(whyNoProc() !== undefined)(
  'a limit of open files that is too low stops the start with a sentence that says what to do',
  async () => {
    const failed = await ServerProcess.start({ under: withLimit(110) }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(StartError);
    const { exit, stderr } = failed as StartError;
    expect(exit?.code).toBe(1);
    expect(stderr).toContain('ulimit -n');
    expect(stderr).not.toMatch(/^\s+at /m);
  },
);

test.skipIf(whyNoProc() !== undefined)(
  'connections beyond the limit of open files are closed, and the log says so once and what to do',
  async () => {
    await using server = await ServerProcess.start({ under: withLimit(300) });
    const sockets: Socket[] = [];
    try {
      for (let count = 0; count < 320; count++) {
        const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
        sockets.push(socket);
        await once(socket, 'connect');
      }
      const told = await server.logged(({ msg }) => String(msg).startsWith('connections refused'));
      expect(told).toMatchObject([{ level: 50, count: 1, openFilesLimit: 300 }]);
      expect(told[0]?.msg).toContain('ulimit -n');
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await eventually('a free place', async () => {
      const reply = await send(server, '/ready').catch(() => undefined);
      return reply?.status === 200 || undefined;
    });
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  },
);
