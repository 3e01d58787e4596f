import { useMemo } from 'react';
import { usePeopleFound } from '../parts/people/use-people-found.ts';
import { unreadOf, useOwnRooms } from '../stores/own-rooms.ts';
import { useRooms } from '../stores/rooms.ts';
import { useRoute } from '../stores/route.ts';
import { useServerSearch } from '../stores/server-search.ts';
import {
  peopleGroup,
  prepareSwitcher,
  type SwitcherCommand,
  type SwitcherGroup,
  switcherSearch,
} from './switcher-items.ts';

interface SwitcherGroups {
  readonly groups: readonly SwitcherGroup[];
  /** The server has not responded yet. */
  readonly searching: boolean;
}

/** The rooms, commands and people that a query finds, on this device and on the server. */
export function useSwitcherGroups(query: string, commands: readonly SwitcherCommand[]): SwitcherGroups {
  const rooms = useRooms((store) => store.rooms);
  const own = useOwnRooms((store) => store.rooms);
  const currentId = useRoute(({ route }) => (route.page === 'room' ? route.roomId : null));
  const wanted = query.trim();
  const searchingRooms = useServerSearch(wanted);
  const { people, searching: searchingPeople } = usePeopleFound(wanted);

  const search = useMemo(() => {
    // It may have been opened before it was prepared. Its first key must be as quick as the others.
    prepareSwitcher(rooms);
    return switcherSearch(rooms, commands);
  }, [rooms, commands]);
  const groups = useMemo(() => {
    const counts = rooms.map(({ id }) => [id, unreadOf(own, id)] as const);
    const found = search(query, { unread: new Map(counts.filter(([, count]) => count > 0)), currentId });
    return people.length === 0 ? found : [...found, peopleGroup(people)];
  }, [search, query, rooms, own, currentId, people]);

  return { groups, searching: searchingRooms || searchingPeople };
}
