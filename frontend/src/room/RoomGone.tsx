import { useScreenTexts } from '../i18n/screens.ts';
import { navigate } from '../stores/route.ts';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';

/** In place of a room that does not exist, or no longer. */
export function RoomGone() {
  const { roomGone } = useScreenTexts();
  return (
    <Empty page drawing="closed_door" title={roomGone.title} hint={roomGone.hint}>
      <Button look="primary" onClick={() => navigate('/')}>
        {roomGone.action}
      </Button>
    </Empty>
  );
}
