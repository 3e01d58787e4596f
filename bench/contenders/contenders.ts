import type { Bench } from '../measures/measure.ts';
import type { Contender, ServerOptions } from './contender.ts';
import { plainWs } from './plain-ws.ts';
import { roomful } from './roomful.ts';
import { socketIo } from './socketio.ts';

/** In the order in which they have their turns. */
export const CONTENDERS: readonly Contender[] = [roomful, socketIo, plainWs];

export function serverOptions(contender: Contender, { cores, options }: Bench): ServerOptions {
  const isProfiled = options.profile !== undefined && contender === roomful;
  return {
    cores: cores.server,
    nodeArgs: isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [],
  };
}
