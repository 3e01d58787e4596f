import type { Bench } from '../measures/measure.ts';
import type { Options } from '../options.ts';
import { bun, hasBun } from './bun.ts';
import type { Contender, ServerOptions } from './contender.ts';
import { plainWs } from './plain-ws.ts';
import { createRoomful, roomful, roomfulV1 } from './roomful.ts';
import type { ServerName } from './server-names.ts';
import { socketIo } from './socketio.ts';

/** The older build. */
export const BEFORE = 'Roomful before';

const SERVER: Record<ServerName, Contender> = { roomful, socketio: socketIo, ws: plainWs, bun };

/** The servers to measure, in the order of their turns: the chosen ones that are installed, then the older Roomful. */
export function contendersOf({ servers, before, beforeV1 }: Options): Contender[] {
  const chosen = servers.map((name) => SERVER[name]).filter((one) => one !== bun || hasBun);
  if (before !== undefined) chosen.push(createRoomful(BEFORE, { root: before }));
  if (beforeV1 !== undefined)
    chosen.push(
      roomfulV1,
      createRoomful('Roomful before, chatroom.v1', { root: beforeV1, protocol: 'chatroom.v1' }),
    );
  return chosen;
}

/** Without Bun, which is measured in fan-out only. */
export function contendersWithoutBun(options: Options): Contender[] {
  return contendersOf(options).filter((contender) => contender !== bun);
}

export function serverOptions(contender: Contender, { cores, options }: Bench): ServerOptions {
  const isProfiled = options.profile !== undefined && contender === roomful;
  return {
    cores: cores.server,
    nodeArgs: isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [],
  };
}
