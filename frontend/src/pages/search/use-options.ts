import { useMemo } from 'react';
import type { Profile } from '../../../../protocol/people.ts';
import type { Unfinished } from '../../../../protocol/search/query.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { usePeopleFound } from '../../parts/people/use-people-found.ts';
import { chat } from '../../stores/chat.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { usePeople } from '../../stores/people.ts';
import { useRooms } from '../../stores/rooms.ts';
import { useRoute } from '../../stores/route.ts';
import { dayLabel } from './filter-label.ts';
import { dayOptions, knownPeople, type Option, peopleOptions, roomOptions, valueOptions } from './options.ts';

const NONE: readonly Option[] = [];

/** What is offered for the filter that is being typed. */
export function useOptions(unfinished: Unfinished | null): readonly Option[] {
  const text = useText();
  const { search: texts } = useScreenTexts();
  const name = unfinished?.name;
  const typed = unfinished?.value ?? '';
  const isPerson = name === 'from' || name === 'with';
  const people = usePeopleOf(isPerson ? name : null, typed);
  const rooms = useRooms((store) => (name === 'in' ? store.rooms : null));
  const own = useOwnRooms((store) => (name === 'in' ? store.rooms : null));
  const currentId = useRoute(({ route }) => (route.page === 'room' ? route.roomId : null));

  return useMemo(() => {
    switch (name) {
      case undefined:
        return NONE;
      case 'from':
      case 'with': {
        const { user } = chat();
        const me = name === 'with' || user === null ? null : { ...user, label: texts.me };
        return peopleOptions(people, typed, me);
      }
      case 'in': {
        const mine = (rooms ?? []).filter(({ id }) => own?.has(id) === true);
        const others = (rooms ?? []).filter(({ id, kind }) => own?.has(id) !== true && kind === 'public');
        return roomOptions([...mine, ...others], typed, currentId, texts.everywhere);
      }
      case 'has':
        return valueOptions(texts.has, typed);
      case 'is':
        return valueOptions(texts.is, typed);
      default: {
        const nameOf = (value: string) => dayLabel(text, texts, value);
        return dayOptions(typed, new Date(), { today: texts.today, yesterday: texts.yesterday, nameOf });
      }
    }
  }, [name, typed, people, rooms, own, currentId, text, texts]);
}

/**
 * People whom something is typed for. Without a letter, those of the direct conversations, and for `from:` then others
 * whom this device knows. Null: nobody is asked for.
 */
function usePeopleOf(name: 'from' | 'with' | null, typed: string): readonly Profile[] {
  const wanted = name === null ? '' : typed.replace(/^@/, '').trim();
  const { people } = usePeopleFound(wanted);
  const profiles = usePeople((store) => (name === null ? null : store.profiles));
  const own = useOwnRooms((store) => (name === null ? null : store.rooms));
  return useMemo(() => {
    if (wanted !== '' || name === null || profiles === null || own === null) return people;
    const talkedTo = [...own.values()].flatMap(({ room }) =>
      room.kind === 'dm' ? (room.people ?? []).map(({ user_id: id }) => id) : [],
    );
    return knownPeople(profiles, talkedTo, { withOthers: name === 'from', myId: chat().user?.id });
  }, [name, wanted, people, profiles, own]);
}
