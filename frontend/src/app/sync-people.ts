import type { Profile, ProfilesState, RoomState } from '../../../client/index.ts';
import { readPage } from '../stores/cache/database.ts';
import { keepPage } from '../stores/cache/last-seen.ts';
import { chat } from '../stores/chat.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';
import { usePeople } from '../stores/people.ts';
import { useRoom } from '../stores/room.ts';
import { onShownPeople, shownPeople } from '../stores/shown-people.ts';

/** Changes of the list of people are collected for this long before they are sent. */
const TELL_AFTER_MS = 300;
/** The number of people whose names the device keeps for times without a server. */
const KEPT = 500;

/**
 * Watches the user themselves, who may become an admin; the people of the direct conversations; the authors, the
 * mentioned and the people in the open room; the person whose card is open; and all others whose round is on the
 * screen. Returns the function that ends it.
 */
export function syncPeople(): () => void {
  const { people, user } = chat();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    timer = undefined;
    people.watch([...inSight()]);
  };
  const ask = () => {
    timer ??= setTimeout(tell, TELL_AFTER_MS);
  };
  let lastSeen: readonly Profile[] = [];
  const show = ({ profiles: received, online }: ProfilesState) => {
    const profiles = new Map([...lastSeen.map((one) => [one.id, one] as const), ...received]);
    usePeople.setState({ profiles, received, online });
  };
  const isOver = new AbortController();
  if (user !== null) {
    readPage<readonly Profile[]>(user.id, 'people').then(
      (kept) => {
        if (isOver.signal.aborted || kept === null) return;
        lastSeen = kept;
        show(people.state);
      },
      () => {},
    );
  }
  const ends = [
    () => isOver.abort(),
    people.subscribe((state) => {
      const { received } = usePeople.getState();
      show(state);
      if (user === null || state.profiles === received) return;
      keepPage(user.id, 'people', [...usePeople.getState().profiles.values()].slice(-KEPT));
    }),
    useOwnRooms.subscribe(({ rooms }, before) => rooms !== before.rooms && ask()),
    useRoom.subscribe(({ state }, { state: before }) => {
      if (state?.messages !== before?.messages || state?.users !== before?.users) ask();
    }),
    usePeople.subscribe(({ lookedAt }, before) => lookedAt !== before.lookedAt && ask()),
    onShownPeople(ask),
  ];
  tell();
  return () => {
    for (const end of ends) end();
    clearTimeout(timer);
    usePeople.setState(usePeople.getInitialState());
  };
}

function inSight(): Set<number> {
  const { lookedAt } = usePeople.getState();
  const me = chat().user?.id ?? null;
  const ids = new Set([me, lookedAt].filter((id) => id !== null));
  for (const { room } of useOwnRooms.getState().rooms.values()) {
    if (room.kind === 'dm') for (const { user_id: id } of room.people ?? []) ids.add(id);
  }
  const { state } = useRoom.getState();
  for (const id of authors(state)) ids.add(id);
  for (const { user_id: id } of state?.users ?? []) ids.add(id);
  for (const id of shownPeople()) ids.add(id);
  return ids;
}

/**
 * And the people whom they mention, and those of their threads. The latest first: of too many people, these are
 * watched.
 */
function authors(state: RoomState | null): number[] {
  return state === null
    ? []
    : state.messages
        .flatMap(({ user_id: id, mentions = [], thread }) => [...(thread?.people ?? []), ...mentions, id])
        .reverse();
}
