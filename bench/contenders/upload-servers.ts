/** The servers that take uploads by tus. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_PREFIX } from '../../protocol/constants.ts';
import { UPLOADS_OPEN_MAX } from '../../protocol/limits.ts';
import type { UploadTarget } from '../load/uploader.ts';
import type { ServerOptions } from './contender.ts';
import { createRoom, makeDataDir, ROOMFUL_SETTINGS, signUpUsers, startRoomful } from './roomful.ts';
import { ServerProcess } from './server-process.ts';

const TUS_SERVER = fileURLToPath(new URL('./tus-server.js', import.meta.url));

export interface UploadServer {
  name: string;
  /** Whether an answered byte is on the disk. */
  isDurable: boolean;
  process: ServerProcess;
  target: UploadTarget;
  /** Access tokens of its users, where it has users. */
  tokens: string[];
  stop(): Promise<void>;
}

/** With as many users as this number of uploads at once needs. */
export async function startRoomfulForUploads(options: ServerOptions, uploads: number): Promise<UploadServer> {
  const dataDir = await makeDataDir();
  const server = await startRoomful(dataDir, options, ROOMFUL_SETTINGS);
  const tokens = await signUpUsers(server.port, Math.ceil(uploads / UPLOADS_OPEN_MAX));
  const rooms = await Promise.all(
    tokens.map((token, index) => createRoom(server.port, token, `files ${index}`)),
  );
  return {
    ...{ name: 'Roomful', isDurable: true, process: server, tokens },
    target: {
      ...{ port: server.port, path: `${API_PREFIX}/uploads` },
      people: tokens.map((token, index) => ({ token, roomId: rooms[index] ?? 0 })),
    },
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function startTusServer(options: ServerOptions): Promise<UploadServer> {
  const directory = await mkdtemp(join(tmpdir(), 'roomful-bench-tus-'));
  const server = await ServerProcess.start(TUS_SERVER, options, { DIRECTORY: directory });
  return {
    ...{ name: '@tus/server', isDurable: false, process: server, tokens: [] },
    target: { port: server.port, path: '/files', people: [{ token: '', roomId: 0 }] },
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
