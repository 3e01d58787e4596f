import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import type { RoomInfo } from '../../../../client/index.ts';
import { searchForm, searchStart } from '../../../../protocol/search/names.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { joinRoom, useJoins } from '../../stores/joins.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useRooms } from '../../stores/rooms.ts';
import { goToRoom, roomPath } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Door } from '../../ui/Door.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { inThisTab } from '../../ui/in-this-tab.ts';
import styles from '../../ui/List.module.css';
import { Page, WhenLoaded } from '../../ui/Page.tsx';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';

const LIMIT = 100;

/** All public rooms, with their topic and size. Joining one keeps it in the list of rooms. */
export function BrowsePage() {
  const text = useText();
  const { browse } = useScreenTexts();
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query.trim());
  const load = useCallback(
    async () =>
      (await chat().api.listRooms({ limit: LIMIT, ...(wanted === '' ? {} : { q: wanted }) })).filter(
        ({ kind }) => kind === 'public',
      ),
    [wanted],
  );
  const lastSeen = useMemo(() => ({ read: async () => findListed(wanted) }), [wanted]);
  const { loaded, reload, set } = useLoaded(load, lastSeen);

  return (
    <Page title={browse.title} hint={browse.hint}>
      <input
        type="search"
        className={styles.search}
        aria-label={browse.search}
        placeholder={browse.search}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {(rooms) =>
          rooms.length === 0 ? (
            <Empty drawing="doors" title={browse.none} hint={browse.noneHint} />
          ) : (
            <ul className={styles.list} aria-label={text.sidebar.label}>
              {rooms.map((room) => (
                <BrowseRow
                  key={room.id}
                  room={room}
                  onJoined={(joined) => set(rooms.map((other) => (other.id === joined.id ? joined : other)))}
                />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Page>
  );
}

/** Without the server, the public rooms that the list of rooms has; null: it has none at all. */
function findListed(wanted: string): readonly RoomInfo[] | null {
  const { rooms } = useRooms.getState();
  if (rooms.length === 0) return null;
  return rooms.filter(
    ({ kind, name }) => kind === 'public' && searchForm(name).includes(searchStart(wanted)),
  );
}

interface BrowseRowProps {
  readonly room: RoomInfo;
  readonly onJoined: (room: RoomInfo) => void;
}

function BrowseRow({ room, onJoined }: BrowseRowProps) {
  const { browse, bar } = useScreenTexts();
  const { busy, run } = useRequest();
  const isMember = useOwnRooms(({ rooms }) => rooms.has(room.id));
  // Until the user's own rooms are known, each of these may be one of them.
  const isKnown = useOwnRooms(({ rooms, wasCurrent }) => wasCurrent || rooms.size > 0);
  const isWaiting = useJoins(({ waiting }) => waiting.has(room.id));

  return (
    <li className={styles.row} data-room="true" data-testid="browse-room">
      <Door roomId={room.id} name={room.name} emoji={room.emoji} hue={room.hue} />
      <span className={styles.text}>
        <span className={styles.name}>
          <a href={roomPath(room.id)} onClick={inThisTab(() => goToRoom(room.id))}>
            {room.name}
          </a>
        </span>
        {room.topic !== '' && <span className={styles.note}>{room.topic}</span>}
      </span>
      <span className={styles.figures}>
        <span className={styles.figure}>{browse.members(room.members)}</span>
        {isMember && (
          <span className={styles.joined}>
            <CheckIcon size={16} />
            {browse.joined}
          </span>
        )}
      </span>
      {isMember ? null : isWaiting ? (
        <span className={styles.figure}>{bar.waiting}</span>
      ) : (
        <Button
          style={isKnown ? undefined : { visibility: 'hidden' }}
          aria-disabled={busy}
          aria-label={`${browse.join}: ${room.name}`}
          onClick={() =>
            void run(async () => {
              const joined = await joinRoom(room.id);
              if (joined !== null) onJoined(joined);
            })
          }
        >
          {browse.join}
        </Button>
      )}
    </li>
  );
}
