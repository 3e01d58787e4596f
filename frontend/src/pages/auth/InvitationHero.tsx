import type { Invitation } from '../../../../protocol/rest/rooms.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Hero } from '../../ui/Hero.tsx';
import { tileLetter } from '../../ui/initials.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import styles from './Entrance.module.css';
import { inviterOf } from './inviter.ts';
import { invitedHue } from './use-invitation.ts';

interface InvitationHeroProps {
  readonly invitation: Invitation;
  readonly serverName: string;
}

/** Who invites, and what waits behind the door: the room, its topic, and who is in. */
export function InvitationHero({ invitation, serverName }: InvitationHeroProps) {
  const { invite } = useScreenTexts();
  const { room } = invitation;
  const inviter = inviterOf(invitation);
  const name = isolate(room?.name ?? serverName);
  const title = <Sentence text={inviter === null ? invite.toServer(name) : invite.to(inviter, name)} />;
  if (room === null) return <Hero title={title} hint={invite.serverHint} />;
  const inside = room.people ?? [];
  // The title has named who invites.
  const isAlone = inside.every(({ username }) => username === invitation.inviter);
  const people = (isAlone ? [] : inside).map(({ username, display_name: name }) => ({
    username,
    name: name || username,
  }));
  return (
    <Hero
      title={title}
      door={{ hue: invitedHue(invitation), emoji: room.emoji, letter: tileLetter(room.name) }}
      hint={
        <>
          <p>
            {room.topic ? <Sentence text={`${invite.topic(isolate(room.topic))} `} /> : ''}
            {invite.members(room.members)}
          </p>
          {people.length > 0 && (
            <div className={styles.people}>
              <span className={styles.faces}>
                {people.map(({ username, name }) => (
                  <Avatar key={username} userId={0} username={name} size="small" />
                ))}
              </span>
              <p>
                <Sentence text={invite.people(people.map(({ name }) => isolate(name)))} />
              </p>
            </div>
          )}
        </>
      }
    />
  );
}
