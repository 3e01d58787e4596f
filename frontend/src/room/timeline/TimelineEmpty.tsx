import { useText } from '../../i18n/catalogue.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { CheckIcon, LinkIcon } from '../../ui/icons.tsx';
import { useCopyRoomLink } from '../header/use-copy-room-link.ts';

interface TimelineEmptyProps {
  readonly roomId: number;
  readonly name: string;
}

/** A room in which nothing has been said: say something, or bring others in. */
export function TimelineEmpty({ roomId, name }: TimelineEmptyProps) {
  const text = useText();
  const { copied, copy } = useCopyRoomLink(roomId);
  return (
    <Empty drawing="first_word" title={text.room.empty} hint={text.room.emptyHint(name)}>
      <Button onClick={copy}>
        {copied ? <CheckIcon size={18} /> : <LinkIcon size={18} />}
        {copied ? text.room.linkCopied : text.room.copyInvite}
      </Button>
    </Empty>
  );
}
