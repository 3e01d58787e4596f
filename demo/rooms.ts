/** The rooms, their topics, and how busy they are. */
import { DESIGN, GENERAL, LUNCH, MUSIC, READING, SUPPORT, WEEKEND } from './scenes/company.ts';
import { BACKEND, DEPLOYS, ON_CALL, RELEASE } from './scenes/engineering.ts';
import { EVERYWHERE } from './scenes/everywhere.ts';
import type { Scene } from './scenes/scene.ts';
import { SHANGHAI } from './scenes/shanghai.ts';
import { WORK } from './scenes/work.ts';

export interface Topic {
  readonly name: string;
  readonly scenes: readonly Scene[];
  /** The relative number of messages in this room. */
  readonly weight: number;
  /** The share of people who are members; a room in Chinese takes those who speak it. */
  readonly members: number | 'chinese';
}

/** Oldest first; the client lists them newest first. */
const TOPICS: readonly Topic[] = [
  { name: 'Weekend plans', scenes: WEEKEND, weight: 3, members: 16 },
  { name: 'Music', scenes: MUSIC, weight: 2, members: 9 },
  { name: 'Reading group', scenes: READING, weight: 2, members: 8 },
  { name: 'On call', scenes: ON_CALL, weight: 5, members: 7 },
  { name: 'Deploys', scenes: DEPLOYS, weight: 6, members: 8 },
  { name: '上海办公室', scenes: SHANGHAI, weight: 6, members: 'chinese' },
  { name: 'Lunch', scenes: LUNCH, weight: 5, members: 18 },
  { name: 'Support', scenes: [...SUPPORT, ...WORK], weight: 7, members: 9 },
  { name: 'Design', scenes: [...DESIGN, ...WORK], weight: 7, members: 9 },
  { name: 'Backend', scenes: [...BACKEND, ...WORK], weight: 10, members: 11 },
  { name: 'Release 2.4', scenes: [...RELEASE, ...WORK], weight: 8, members: 12 },
  { name: 'General', scenes: [...GENERAL, ...EVERYWHERE], weight: 8, members: 40 },
];

const MORE = ['Otter', 'Heron', 'Lynx', 'Badger', 'Magpie', 'Marten', 'Plover', 'Stoat', 'Wren', 'Ibex'];

/** `count` rooms: the newest of the list above, or all of them and older project rooms. */
export function topics(count: number): readonly Topic[] {
  const projects = Array.from({ length: Math.max(0, count - TOPICS.length) }, (_, index): Topic => {
    const round = Math.floor(index / MORE.length);
    const name = `Project ${MORE[index % MORE.length]}${round === 0 ? '' : ` ${round + 1}`}`;
    return { name, scenes: [...BACKEND, ...DESIGN, ...RELEASE, ...WORK], weight: 1, members: 6 };
  });
  return [...projects.reverse(), ...TOPICS].slice(-count);
}
