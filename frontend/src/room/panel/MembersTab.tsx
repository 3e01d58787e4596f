import { useCallback, useDeferredValue, useRef, useState } from 'react';
import type { RoomInfo, User } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { peopleRequests, roomRequests } from '../../stores/requests.ts';
import { Button } from '../../ui/Button.tsx';
import list from '../../ui/List.module.css';
import { WhenLoaded } from '../../ui/Page.tsx';
import { typeOn } from '../../ui/type-on.ts';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';
import { FoundPerson, MemberRow } from './MemberRow.tsx';
import styles from './RoomPanel.module.css';

interface MembersTabProps {
  readonly room: RoomInfo;
  readonly user: User;
}

/** People whom the search has found, and who could be added. */
const SUGGESTED = 5;

/** The members of the room and their roles, and a search for people to add. */
export function MembersTab({ room, user }: MembersTabProps) {
  const { room: texts } = useScreenTexts();
  const search = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query.trim());
  const mayAdd = room.me_role !== undefined && room.kind !== 'dm';
  const { loaded, reload, set } = useMembers(room.id, wanted, mayAdd);
  const { busy, run } = useRequest();

  return (
    <>
      <input
        ref={search}
        type="search"
        className={list.search}
        aria-label={texts.findMember}
        placeholder={mayAdd ? texts.add : texts.findMember}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {({ members, hasMore, others }) => (
          <>
            {members.length + others.length === 0 && (
              <p className={styles.hint}>
                {texts.nobody}. {texts.nobodyHint}
              </p>
            )}
            <ul className={list.list} aria-label={texts.members}>
              {members.map((member) => (
                <MemberRow
                  key={member.user_id}
                  room={room}
                  member={member}
                  isMe={member.user_id === user.id}
                  onChanged={reload}
                />
              ))}
            </ul>
            {hasMore && (
              <Button
                aria-disabled={busy}
                onClick={() =>
                  void run(async () => {
                    const afterId = members.at(-1)?.user_id;
                    const next = await roomRequests().members(room.id, {
                      ...(wanted === '' ? {} : { q: wanted }),
                      ...(afterId === undefined ? {} : { afterId }),
                    });
                    set({ members: [...members, ...next.members], hasMore: next.has_more, others });
                  })
                }
              >
                {texts.more}
              </Button>
            )}
            {others.length > 0 && (
              <ul className={list.list} aria-label={texts.add}>
                {others.map((person) => (
                  <FoundPerson
                    key={person.id}
                    person={person}
                    busy={busy}
                    onAdd={() =>
                      void run(async () => {
                        await roomRequests().setMember(room.id, person.id);
                        reload();
                        typeOn(search.current);
                      })
                    }
                  />
                ))}
              </ul>
            )}
          </>
        )}
      </WhenLoaded>
    </>
  );
}

/** The members whom the search has found, and others who could be added. */
function useMembers(roomId: number, wanted: string, mayAdd: boolean) {
  const load = useCallback(async () => {
    const q = wanted === '' ? {} : { q: wanted };
    const [{ members, has_more: hasMore }, found] = await Promise.all([
      roomRequests().members(roomId, q),
      mayAdd && wanted !== '' ? peopleRequests().find(wanted) : [],
    ]);
    const known = new Set(members.map((member) => member.user_id));
    return { members, hasMore, others: found.filter(({ id }) => !known.has(id)).slice(0, SUGGESTED) };
  }, [roomId, wanted, mayAdd]);
  return useLoaded(load);
}
