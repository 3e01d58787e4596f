import type { Invitation } from '../../../../protocol/rest/rooms.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Hero } from '../../ui/Hero.tsx';
import { tileLetter } from '../../ui/initials.ts';
import styles from './Entrance.module.css';
import { invitedHue } from './use-invitation.ts';

interface InvitationHeroProps {
  readonly invitation: Invitation;
  readonly serverName: string;
}

/** Who invites, and what waits behind the door: the room, its topic, and who is in. */
export function InvitationHero({ invitation, serverName }: InvitationHeroProps) {
  const { invite } = useScreenTexts();
  const { room } = invitation;
  const inviter = invitation.inviter_display_name || invitation.inviter;
  if (room === null) {
    const title = inviter === '' ? invite.toServer(serverName) : invite.to(inviter, serverName);
    return <Hero title={title} hint={invite.serverHint} />;
  }
  const people = (room.people ?? []).map(({ username, display_name: name }) => ({
    username,
    name: name || username,
  }));
  return (
    <Hero
      title={invite.to(inviter, room.name)}
      door={{ hue: invitedHue(invitation), emoji: room.emoji, letter: tileLetter(room.name) }}
      hint={
        <>
          <p>
            {room.topic ? `${invite.topic(room.topic)} ` : ''}
            {invite.members(room.members)}
          </p>
          {people.length > 0 && (
            <div className={styles.people}>
              <span className={styles.faces}>
                {people.map(({ username, name }) => (
                  <Avatar key={username} userId={likeId(username)} username={name} size="small" />
                ))}
              </span>
              <p>{invite.people(people.map(({ name }) => name))}</p>
            </div>
          )}
        </>
      }
    />
  );
}

/** An invitation names people without their ids, which give the colours inside. */
function likeId(name: string): number {
  return [...name].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 9973, 7);
}
