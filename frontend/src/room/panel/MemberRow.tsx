import type { RoomInfo } from '../../../../client/index.ts';
import type { Profile } from '../../../../protocol/people.ts';
import type { Member, RoomRole } from '../../../../protocol/rooms.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { roomRequests } from '../../stores/requests.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { CloseIcon, PlusIcon } from '../../ui/icons.tsx';
import list from '../../ui/List.module.css';
import { PersonText } from '../../ui/PersonText.tsx';
import { RowSelect } from '../../ui/RowSelect.tsx';
import { useRequest } from '../../ui/use-loaded.ts';

const ROLES: readonly RoomRole[] = ['owner', 'moderator', 'member'];

interface MemberRowProps {
  readonly room: RoomInfo;
  readonly member: Member;
  readonly isMe: boolean;
  readonly onChanged: () => void;
}

/** A member and their role. An owner changes it, and those above the member remove them. */
export function MemberRow({ room, member, isMe, onChanged }: MemberRowProps) {
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
        <RowSelect
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
        </RowSelect>
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

interface FoundPersonProps {
  readonly person: Profile;
  readonly busy: boolean;
  readonly onAdd: () => void;
}

/** Somebody who could be added. */
export function FoundPerson({ person, busy, onAdd }: FoundPersonProps) {
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
