import type { Door } from '../load/plan.ts';

/** The door to a room of a server that admits everybody and accepts `{"type":"message","content":…}`. */
export function roomDoor(port: number, roomId: number): Door {
  return {
    port,
    path: `/?room_id=${roomId}`,
    subprotocol: null,
    ticket: null,
    hello: [],
    readyMarker: null,
    frame: ['{"type":"message","content":"', '"}'],
    ack: null,
    comeBack: null,
  };
}
