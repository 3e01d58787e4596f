import { useCallback, useDeferredValue, useRef, useState } from 'react';
import type { RoomInfo, User } from '../../../../client/index.ts';
import type { Profile } from '../../../../protocol/people.ts';
import type { Member, RoomRole } from '../../../../protocol/rooms.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { peopleRequests, roomRequests } from '../../stores/requests.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { CloseIcon, PlusIcon } from '../../ui/icons.tsx';
import list from '../../ui/List.module.css';
import { WhenLoaded } from '../../ui/Page.tsx';
import { PersonText } from '../../ui/PersonText.tsx';
import { typeOn } from '../../ui/type-on.ts';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';
import styles from './RoomPanel.module.css';

interface MembersTabProps {
  readonly room: RoomInfo;
  readonly user: User;
}

const ROLES: readonly RoomRole[] = ['owner', 'moderator', 'member'];
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

interface FoundPersonProps {
  readonly person: Profile;
  readonly busy: boolean;
  readonly onAdd: () => void;
}

/** Somebody who could be added. */
function FoundPerson({ person, busy, onAdd }: FoundPersonProps) {
  const { room: texts } = useScreenTexts();
  return (
    <li className={list.row} data-small="true">
      <Avatar userId={person.id} username={person.username} size="small" />
      <PersonText person={person} />
      <IconButton label={texts.addSomeone(person.username)} aria-disabled={busy} onClick={onAdd}>
        <PlusIcon />
      </IconButton>
    </li>
  );
}

interface MemberRowProps {
  readonly room: RoomInfo;
  readonly member: Member;
  readonly isMe: boolean;
  readonly onChanged: () => void;
}

function MemberRow({ room, member, isMe, onChanged }: MemberRowProps) {
  const { room: texts } = useScreenTexts();
  const { busy, run } = useRequest();
  const { user_id: id, username, role } = member;
  const isOwner = room.me_role === 'owner';
  const mayRemove = !isMe && (isOwner || (room.me_role === 'moderator' && role === 'member'));
  return (
    <li className={list.row} data-small="true" data-testid="member">
      <button
        type="button"
        className={list.person}
        onClick={({ currentTarget: anchor }) =>
          useDialogs.getState().show({ kind: 'profile', userId: id, anchor })
        }
      >
        <Avatar userId={id} username={username} size="small" />
        <PersonText person={member} note={isMe ? texts.you : undefined} />
      </button>
      {isOwner && room.kind !== 'dm' ? (
        <select
          className={list.select}
          aria-label={texts.role(username)}
          value={role}
          aria-disabled={busy}
          onChange={({ target }) => {
            const wanted = ROLES.find((known) => known === target.value) ?? role;
            void run(async () => {
              await roomRequests().setMember(room.id, id, wanted);
              onChanged();
            });
          }}
        >
          {ROLES.map((known) => (
            <option key={known} value={known}>
              {texts[known]}
            </option>
          ))}
        </select>
      ) : (
        role !== 'member' && <span className={list.figure}>{texts[role]}</span>
      )}
      {mayRemove && room.kind !== 'dm' && (
        <IconButton
          label={texts.remove(username)}
          aria-disabled={busy}
          onClick={() =>
            void run(async () => {
              await roomRequests().removeMember(room.id, id);
              onChanged();
            })
          }
        >
          <CloseIcon size={16} />
        </IconButton>
      )}
    </li>
  );
}
