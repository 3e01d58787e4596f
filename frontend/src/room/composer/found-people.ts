/** The people whom completion has found in the open room: whether a mention reaches them is known without a request. */
import { create } from 'zustand';
import { nameKey } from '../../../../protocol/text.ts';

export interface FoundPerson {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  /** Whether they are members of the room. */
  readonly isMember: boolean;
}

interface FoundPeople {
  readonly roomId: number;
  /** By the key of the username. */
  readonly byKey: ReadonlyMap<string, FoundPerson>;
}

/** The oldest are forgotten beyond this. */
const KEPT = 500;

export const useFoundPeople = create<FoundPeople>(() => ({ roomId: 0, byKey: new Map() }));

export function rememberPeople(roomId: number, people: readonly FoundPerson[]): void {
  const before = useFoundPeople.getState();
  const byKey = new Map(before.roomId === roomId ? before.byKey : []);
  for (const person of people) byKey.set(nameKey(person.username), person);
  for (const key of [...byKey.keys()].slice(0, Math.max(0, byKey.size - KEPT))) byKey.delete(key);
  useFoundPeople.setState({ roomId, byKey });
}
