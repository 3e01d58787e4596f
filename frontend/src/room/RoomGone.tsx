import { useText } from '../i18n/catalogue.ts';
import { navigate } from '../stores/route.ts';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';

/** In place of a room that does not exist, or no longer. */
export function RoomGone() {
  const text = useText();
  return (
    <Empty page drawing="closed_door" title={text.room.gone} hint={text.room.goneHint}>
      <Button look="primary" onClick={() => navigate('/')}>
        {text.room.goneAction}
      </Button>
    </Empty>
  );
}
