import { useEffect, useMemo, useState } from 'react';
import { isFoundBy } from '../../../../protocol/search/names.ts';
import { nameKey } from '../../../../protocol/text.ts';
import { usePeople } from '../../stores/people.ts';
import { peopleRequests, roomRequests } from '../../stores/requests.ts';
import { useRoom } from '../../stores/room.ts';
import { type FoundPerson, rememberPeople, useFoundPeople } from './found-people.ts';

const DELAY_MS = 120;
const NOBODY: readonly FoundPerson[] = [];

/**
 * People whose username or display name has a word that begins so. Those who spoke last and those who are here come at
 * once; then the server's members of the room, and after them other people.
 */
export function usePeopleFor(typed: string, roomId: number, most: number): readonly FoundPerson[] {
  const [found, setFound] = useState({ typed: '', people: NOBODY });
  const state = useRoom((store) => store.state);
  const profiles = usePeople((store) => store.profiles);
  const key = nameKey(typed.trim());

  useEffect(() => {
    let gone = false;
    if (isComplete(key)) return;
    const timer = setTimeout(async () => {
      const people = await askServer(key, roomId, most).catch(() => NOBODY);
      if (gone) return;
      rememberPeople(roomId, people);
      setFound({ typed: key, people });
    }, DELAY_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [key, roomId, most]);

  return useMemo(() => {
    const here =
      state === null
        ? []
        : [...state.messages].reverse().map(({ user_id: id, username }) => ({ id, username }));
    const online = state?.users.map(({ user_id: id, username }) => ({ id, username })) ?? [];
    const local = [...here, ...online].map(({ id, username }): FoundPerson => {
      return { id, username, displayName: profiles.get(id)?.display_name ?? '', isMember: true };
    });
    // What the server found for the letters before stays until its next response.
    const byId = new Map<number, FoundPerson>();
    for (const person of local) if (!byId.has(person.id)) byId.set(person.id, person);
    for (const person of found.people) byId.set(person.id, person);
    if (isComplete(key)) return NOBODY;
    return [...byId.values()]
      .filter(({ username, displayName }) => [username, displayName].some((name) => isFoundBy(name, key)))
      .sort((a, b) => Number(b.isMember) - Number(a.isMember))
      .slice(0, most);
  }, [state, profiles, found, key, most]);
}

/** `ann hi`, where there is an ann: the mention is complete, and not the beginning of another name. */
function isComplete(key: string): boolean {
  const [first = '', ...more] = key.split(' ');
  if (more.length === 0) return false;
  const { messages = [], users = [] } = useRoom.getState().state ?? {};
  return (
    useFoundPeople.getState().byKey.has(first) ||
    [...messages, ...users].some(({ username }) => nameKey(username) === first)
  );
}

async function askServer(key: string, roomId: number, most: number): Promise<readonly FoundPerson[]> {
  const query = { limit: most, ...(key === '' ? {} : { q: key }) };
  const [{ members, has_more: hasMore }, found] = await Promise.all([
    roomRequests().members(roomId, query),
    key === '' ? [] : peopleRequests().find(key),
  ]);
  const people = members.map(({ user_id: id, username, display_name: displayName }): FoundPerson => {
    return { id, username, displayName, isMember: true };
  });
  const known = new Set(people.map(({ id }) => id));
  // With more members than these, who else is one is not known.
  const others = found.map(({ id, username, display_name: displayName }): FoundPerson => {
    return { id, username, displayName, isMember: hasMore };
  });
  return [...people, ...others.filter(({ id }) => !known.has(id))];
}
