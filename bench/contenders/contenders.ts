import type { Bench } from '../measures/measure.ts';
import type { Contender, ServerOptions } from './contender.ts';
import { plainWs } from './plain-ws.ts';
import { roomful, roomfulV1 } from './roomful.ts';
import { socketIo } from './socketio.ts';

/** In the order in which they have their turns. */
export const CONTENDERS: readonly Contender[] = [roomful, socketIo, plainWs];

/** An older protocol costs other memory. */
export const CONTENDERS_AND_V1: readonly Contender[] = [roomful, roomfulV1, socketIo, plainWs];

export function serverOptions(contender: Contender, { cores, options }: Bench): ServerOptions {
  const isProfiled = options.profile !== undefined && contender === roomful;
  return {
    cores: cores.server,
    nodeArgs: isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [],
  };
}
