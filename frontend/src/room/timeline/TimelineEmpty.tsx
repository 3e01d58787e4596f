import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { useRooms } from '../../stores/rooms.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { CheckIcon, LinkIcon } from '../../ui/icons.tsx';
import { useCopyRoomLink } from '../header/use-copy-room-link.ts';

interface TimelineEmptyProps {
  readonly roomId: number;
  readonly name: string;
}

/** Where nothing has been said: say something, or bring others in. A direct conversation says whom it is with. */
export function TimelineEmpty({ roomId, name }: TimelineEmptyProps) {
  const text = useText();
  const { dm, empty } = useScreenTexts();
  const { copied, copy } = useCopyRoomLink(roomId);
  const info = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId));
  if (info?.kind === 'dm') {
    const isNotes = info.people?.every(({ user_id: id }) => id === chat().user?.id);
    return <Empty drawing="first_word" title={empty.title} hint={isNotes ? dm.readNotes : dm.readBy(name)} />;
  }
  return (
    <Empty drawing="first_word" title={empty.title} hint={empty.hint(name)}>
      <Button onClick={copy}>
        {copied ? <CheckIcon size={18} /> : <LinkIcon size={18} />}
        {copied ? text.room.linkCopied : empty.copyInvite}
      </Button>
    </Empty>
  );
}
