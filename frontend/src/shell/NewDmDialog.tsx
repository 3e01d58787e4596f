import { type FormEvent, useCallback, useDeferredValue, useRef, useState } from 'react';
import { DM_PEOPLE_MAX } from '../../../protocol/limits.ts';
import type { Profile } from '../../../protocol/people.ts';
import { useFullTexts, useScreenTexts } from '../i18n/screens.ts';
import { openDm } from '../parts/rooms/open-dm.ts';
import { chat } from '../stores/chat.ts';
import { peopleRequests } from '../stores/requests.ts';
import { NARROW, useMedia } from '../stores/use-media.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import body from '../ui/DialogBody.module.css';
import { CheckIcon, CloseIcon } from '../ui/icons.tsx';
import list from '../ui/List.module.css';
import { WhenLoaded } from '../ui/Page.tsx';
import { PersonText } from '../ui/PersonText.tsx';
import { typeOn } from '../ui/type-on.ts';
import { useLoaded, useRequest } from '../ui/use-loaded.ts';
import styles from './NewDmDialog.module.css';

const SHOWN = 6;

/** Finds the people of a direct conversation, and opens it. */
export function NewDmDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useFullTexts();
  const { dm } = useScreenTexts();
  const isSheet = useMedia(NARROW);
  const search = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<readonly Profile[]>([]);
  const wanted = useDeferredValue(query.trim());
  const load = useCallback(async () => {
    const me = chat().user?.id;
    return (await peopleRequests().find(wanted)).filter(({ id }) => id !== me);
  }, [wanted]);
  const { loaded, reload } = useLoaded(load);
  const { busy, run } = useRequest();
  const isSearching = query.trim() !== '';
  const isFull = chosen.length >= DM_PEOPLE_MAX - 1;

  function toggle(person: Profile): void {
    const isChosen = chosen.some(({ id }) => id === person.id);
    if (!isChosen && isFull) return;
    setChosen(isChosen ? chosen.filter(({ id }) => id !== person.id) : [...chosen, person]);
    setQuery('');
    typeOn(search.current);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    // Enter takes the first person found; with nothing typed, it starts.
    const [first] = loaded.status === 'ready' ? loaded.value : [];
    if (isSearching) {
      if (first !== undefined && !chosen.some(({ id }) => id === first.id)) toggle(first);
      return;
    }
    const userIds = chosen.map(({ id }) => id);
    void run(() => openDm(userIds, onClose));
  }

  return (
    <Dialog isSheet={isSheet} onClose={onClose} aria-labelledby="new-dm-title">
      <form className={body.body} onSubmit={submit}>
        <div>
          <h2 id="new-dm-title" className={body.title}>
            {dm.title}
          </h2>
          <p className={body.hint}>{dm.hint}</p>
        </div>
        {chosen.length > 0 && <ChosenPeople people={chosen} onTake={toggle} />}
        <input
          ref={search}
          type="search"
          className={list.search}
          aria-label={dm.find}
          placeholder={dm.find}
          autoComplete="off"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <div className={styles.found}>
          <WhenLoaded loaded={loaded} onRetry={reload}>
            {(people) =>
              people.length === 0 ? (
                <p className={body.hint}>{dm.nobody}</p>
              ) : (
                <FoundPeople people={people.slice(0, SHOWN)} chosen={chosen} onToggle={toggle} />
              )
            }
          </WhenLoaded>
        </div>
        <div className={body.actions}>
          <Button onClick={onClose}>{text.createRoom.cancel}</Button>
          <Button type="submit" look="primary" aria-disabled={busy}>
            {isSearching ? dm.choose : chosen.length === 0 ? dm.notes : dm.start}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ChosenPeopleProps {
  readonly people: readonly Profile[];
  readonly onTake: (person: Profile) => void;
}

/** Each is a button that takes the person out again. */
function ChosenPeople({ people, onTake }: ChosenPeopleProps) {
  const { dm } = useScreenTexts();
  return (
    <ul className={styles.chosen} aria-label={dm.chosen}>
      {people.map((person) => (
        <li key={person.id}>
          <button type="button" className={styles.chip} onClick={() => onTake(person)}>
            <Avatar userId={person.id} username={person.username} size="tiny" />
            <span className="visually-hidden">{dm.take} </span>
            {person.display_name === '' ? person.username : person.display_name}
            <CloseIcon size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface FoundPeopleProps {
  readonly people: readonly Profile[];
  readonly chosen: readonly Profile[];
  readonly onToggle: (person: Profile) => void;
}

function FoundPeople({ people, chosen, onToggle }: FoundPeopleProps) {
  const { dm } = useScreenTexts();
  return (
    <ul className={list.list} aria-label={dm.find}>
      {people.map((person) => {
        const isChosen = chosen.some(({ id }) => id === person.id);
        return (
          <li key={person.id}>
            <button
              type="button"
              className={styles.person}
              aria-pressed={isChosen}
              onClick={() => onToggle(person)}
            >
              <Avatar userId={person.id} username={person.username} size="small" />
              <PersonText person={person} />
              {isChosen && <CheckIcon size={18} />}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
