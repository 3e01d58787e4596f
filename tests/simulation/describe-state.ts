/** What pages show, for a report. */
import type { Room } from '../../client/room/room.ts';
import type { Disk } from './disk.ts';
import { describeList } from './list-check.ts';
import type { Page } from './page.ts';
import type { ServerProcess } from './server-process.ts';

export function describeState(of: {
  servers: readonly ServerProcess[];
  entered: readonly { page: Page; room: Room }[];
  pages: readonly Page[];
  disk: Disk;
}): string {
  const sockets = `${of.servers.map((server) => server.sockets)} sockets`;
  const rooms = of.entered.map(({ page, room }) => {
    const { connection, head, stream, pending, online, users } = room.state;
    const where = { page: page.owner.name, room: room.id, connection, head, stream };
    const names = users.map(({ username }) => username);
    return JSON.stringify({ ...where, of: of.disk.log(room.id).head, pending, online, names });
  });
  const lists = of.pages.map(({ owner, list }) =>
    JSON.stringify({ page: owner.name, phase: list?.phase, marks: list?.marks.size, ...describeList(list) }),
  );
  return [sockets, ...rooms, ...lists].join('\n');
}
