/** What the client is measured with: the demo's company, and one room in which far more was said. */
import { DEMO_SIZE, type PlannedMessage, planWorld, type World } from '../../demo/world.ts';

export const BIG_ROOM = 'Everything';

export function planBench(messages: number): World {
  const now = Date.now();
  const company = planWorld({ size: DEMO_SIZE, seed: 1, now });
  // The talk of one room of the same company, under another name.
  const bulk = planWorld({ size: { ...DEMO_SIZE, rooms: 1, messages }, seed: 2, now });
  const said = bulk.messages.map((message): PlannedMessage => ({ ...message, room: BIG_ROOM }));
  return {
    people: company.people,
    rooms: [...company.rooms, { name: BIG_ROOM, topic: null, members: company.people }],
    messages: [...company.messages, ...said].sort((a, b) => a.at - b.at),
    since: Math.min(company.since, bulk.since),
  };
}
