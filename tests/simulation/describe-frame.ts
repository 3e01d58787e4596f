import type { ServerFrameOneRoom } from '../../protocol/frames/one-room.ts';

/** Describes a frame in a few words, without the fields that differ from run to run. */
export function describeFrame(frame: ServerFrameOneRoom): string {
  switch (frame.type) {
    case 'hello':
      return `hello at ${frame.seq}${frame.resumed ? ', resumed' : ''}, ${frame.online} online`;
    case 'message':
      return `message ${frame.seq} ${frame.content.slice(0, 40)}`;
    case 'batch':
      return `batch ${frame.events.map(({ seq }) => seq).join(' ')}`;
    case 'sync':
    case 'reset':
      return `${frame.type} ${frame.seq}`;
    case 'ack':
      return `ack ${frame.seq}${frame.duplicate ? ' (duplicate)' : ''}`;
    case 'error':
      return `error ${frame.code}`;
    case 'restart':
      return `restart in ${frame.in_ms}`;
    case 'join':
    case 'leave':
    case 'typing':
      return `${frame.type} of ${frame.username}`;
    case 'presence':
      return `presence ${frame.online}`;
    case 'pong':
      return 'pong';
  }
}
