/** The world of the pictures: the demo's, and into some of its rooms a script is written. */
import { DEMO_SIZE, type World as Plan, type PlannedMessage, planWorld } from '../../../demo/world.ts';
import { LONG_NAME, LOOKS, NOW, OWN_ROOMS, PAST, ROOMS, type RoomKey } from './script.ts';

export function planPictures(): Plan {
  const demo = planWorld({ size: DEMO_SIZE, seed: 1, now: Date.parse(NOW) });
  const scripted = PAST.map(({ at, room, who, says }): PlannedMessage => {
    return { room: ROOMS[room], who, content: says, at: Date.parse(at) };
  });
  // In each room the demo's own talk ends where the script begins.
  const until = new Map<string, number>();
  for (const { room, at } of scripted) until.set(room, Math.min(at, until.get(room) ?? at));
  const past = demo.messages.filter(({ room, at }) => at < (until.get(room) ?? Number.POSITIVE_INFINITY));
  const looks = new Map(Object.entries(LOOKS).map(([key, look]) => [ROOMS[key as RoomKey] as string, look]));
  const people = [...demo.people, LONG_NAME];
  return {
    ...demo,
    people,
    rooms: [...OWN_ROOMS.map((name) => ({ name, topic: null, members: people })), ...demo.rooms].map(
      (room) => ({
        ...room,
        ...looks.get(room.name),
      }),
    ),
    messages: [...past, ...scripted].sort((a, b) => a.at - b.at),
  };
}
