import type { Message } from '../../protocol/events.ts';
import type { ClientFrameV2, ServerFrameV2 } from '../../protocol/frames/v2.ts';

/** Describes a frame in a few words, without the fields that differ from run to run. */
export function describeFrame(frame: ServerFrameV2 | ClientFrameV2): string {
  const room = 'room_id' in frame ? `room ${frame.room_id} ` : '';
  return `${room}${frame.type} ${detailOf(frame)}`.trimEnd();
}

function detailOf(frame: ServerFrameV2 | ClientFrameV2): string {
  switch (frame.type) {
    case 'hello':
      return `at ${frame.user_seq}`;
    case 'rooms':
      return `${frame.rooms.map(({ room, seq }) => `${room.id} at ${seq}`).join()}${frame.complete ? ', all' : ''}`;
    case 'opened':
      return `at ${frame.seq}${frame.resumed ? ', resumed' : ''}, ${frame.online} online`;
    case 'open':
      return frame.since === undefined ? '' : `since ${frame.since}`;
    case 'message':
      return 'seq' in frame ? describeMessage(frame) : frame.content.slice(0, 40);
    case 'batch':
      return frame.events.map(describeMessage).join(', ');
    case 'sync':
    case 'reset':
    case 'read':
      return `${frame.seq}`;
    case 'head':
      return `${frame.from} to ${frame.seq}`;
    case 'ack':
      return `${frame.seq}${frame.duplicate ? ' (duplicate)' : ''}`;
    case 'error':
      return frame.code;
    case 'restart':
      return `in ${frame.in_ms}`;
    case 'presence':
      return `${frame.online}`;
    case 'room':
    case 'me':
    case 'gone':
      return `as number ${frame.user_seq} of the user`;
    default:
      return '';
  }
}

function describeMessage({ seq, content, notice }: Message): string {
  return `${seq} ${notice?.kind ?? content.slice(0, 40)}`;
}
