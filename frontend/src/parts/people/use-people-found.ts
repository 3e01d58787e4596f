import { useEffect, useState } from 'react';
import type { Profile } from '../../../../protocol/people.ts';
import { isFoundBy } from '../../../../protocol/search/names.ts';
import { chat } from '../../stores/chat.ts';
import { peopleRequests } from '../../stores/requests.ts';

const DELAY_MS = 200;
const SHOWN = 8;
const NOBODY: readonly Profile[] = [];

interface PeopleFound {
  readonly people: readonly Profile[];
  /** There is no response yet. */
  readonly searching: boolean;
}

/** Other people of whose names a word begins so. Without a response in time, such as offline: nobody. */
export function usePeopleFound(wanted: string): PeopleFound {
  const [found, setFound] = useState({ wanted: '', people: NOBODY });

  useEffect(() => {
    if (wanted === '') return;
    let gone = false;
    const timer = setTimeout(async () => {
      const me = chat().user?.id;
      const people = await peopleRequests()
        .find(wanted)
        .catch(() => NOBODY);
      if (!gone) setFound({ wanted, people: people.filter(({ id }) => id !== me).slice(0, SHOWN) });
    }, DELAY_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted]);

  if (wanted === '') return { people: NOBODY, searching: false };
  if (found.wanted === wanted) return { people: found.people, searching: false };
  // Until the response, keep earlier matches that still fit: Enter must open nobody else.
  const people = found.people.filter(({ username, display_name }) =>
    [username, display_name].some((name) => isFoundBy(name, wanted)),
  );
  return { people, searching: true };
}
