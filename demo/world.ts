/** The demo's world as a plan: a pure function of the seed and the time. */
import { momentBefore, pauseBefore } from './calendar.ts';
import { Deck } from './deck.ts';
import { people, speaksChinese } from './people.ts';
import { Random } from './random.ts';
import { type Topic, topics } from './rooms.ts';
import type { Scene } from './scenes/scene.ts';
import { LOOKS, type Look } from './script.ts';
import { partsOf, play } from './talk.ts';

export interface WorldSize {
  readonly rooms: number;
  readonly people: number;
  readonly messages: number;
}

export const DEMO_SIZE: WorldSize = { rooms: 12, people: 40, messages: 5000 };

export interface PlannedRoom extends Look {
  readonly name: string;
  readonly topic: Topic | null;
  readonly members: readonly string[];
}

export interface PlannedMessage {
  readonly room: string;
  readonly who: string;
  readonly content: string;
  readonly at: number;
}

export interface World {
  readonly people: readonly string[];
  /** Oldest first. */
  readonly rooms: readonly PlannedRoom[];
  /** In chronological order. */
  readonly messages: readonly PlannedMessage[];
  readonly since: number;
}

interface PlanOptions {
  readonly size: WorldSize;
  readonly seed: number;
  readonly now: number;
  /** When a room has to be silent from, by its name. */
  readonly until?: ReadonlyMap<string, number>;
}

/** Four weeks, or longer when that many messages would make the rooms unrealistically busy. */
function daysOf({ rooms, messages }: WorldSize): number {
  return Math.max(28, Math.ceil(messages / (rooms * 15)));
}

const DAY_MS = 86_400_000;
/** The last message is a moment old. */
const QUIET_MS = 60_000;

export function planWorld({ size, seed, now, until = new Map() }: PlanOptions): World {
  const random = new Random(seed);
  const everybody = people(size.people);
  const rooms = topics(size.rooms).map((topic): TopicalRoom => {
    const members =
      topic.members === 'chinese'
        ? everybody.filter(speaksChinese)
        : [...new Set([...everybody.slice(0, 3), ...random.sample(everybody, topic.members - 3)])];
    // A small world may have nobody who speaks Chinese.
    const look = LOOKS[topic.name];
    return { ...look, name: topic.name, topic, members: members.length > 1 ? members : everybody };
  });
  const days = daysOf(size);
  const end = now - QUIET_MS;
  const messages = conversations(rooms, { ...size, days, end, until }, random);
  return { people: everybody, rooms, messages, since: now - (days + 1) * DAY_MS };
}

interface TopicalRoom extends PlannedRoom {
  readonly topic: Topic;
}

interface Span {
  readonly messages: number;
  readonly days: number;
  readonly end: number;
  readonly until: ReadonlyMap<string, number>;
}

/** Enough conversations for all the messages; a room has one at a time. */
function conversations(
  rooms: readonly TopicalRoom[],
  { messages, days, end, until }: Span,
  random: Random,
): PlannedMessage[] {
  const lines: PlannedMessage[] = [];
  const decks = new Map(rooms.map((room) => [room, new Deck(room.topic.scenes, random)]));
  /** By room and day, because a search through a year of them would be slow. */
  const held = new Map<string, { from: number; to: number }[]>();
  while (lines.length < messages) {
    const room = pickRoom(rooms, random);
    const from = momentBefore(end, days, random);
    const day = `${room.name} ${Math.floor(from / DAY_MS)}`;
    const taken = held.get(day) ?? [];
    held.set(day, taken);
    const last = Math.min(end, until.get(room.name) ?? end);
    if (from >= last || taken.some((other) => from >= other.from && from <= other.to)) continue;
    const scene = decks.get(room)?.deal();
    if (scene === undefined) continue;
    const next = Math.min(last, ...taken.map((other) => other.from).filter((other) => other > from));
    // It ends early when the next conversation begins.
    const spoken = conversation(room, scene, from, random).filter(({ at }) => at <= next);
    taken.push({ from, to: spoken.at(-1)?.at ?? from });
    lines.push(...spoken);
  }
  return lines.sort((a, b) => a.at - b.at).slice(lines.length - messages);
}

function conversation(room: TopicalRoom, scene: Scene, begin: number, random: Random): PlannedMessage[] {
  const cast = random.sample(room.members, partsOf(scene));
  let at = begin;
  return play(scene, cast, random).map(({ who, content }, index) => {
    if (index > 0) at += pauseBefore(content, random);
    return { room: room.name, who, content, at };
  });
}

function pickRoom(rooms: readonly TopicalRoom[], random: Random): TopicalRoom {
  let left = random.next() * rooms.reduce((sum, { topic }) => sum + topic.weight, 0);
  for (const room of rooms) {
    left -= room.topic.weight;
    if (left < 0) return room;
  }
  return random.pick(rooms);
}
