import { useScreenTexts } from '../../i18n/screens.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { useRooms } from '../../stores/rooms.ts';
import { NARROW, useMedia } from '../../stores/use-media.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';

/** In place of the rooms: the list did not load, or the server has none. */
export function RoomListEmpty({ hasFailed }: { readonly hasFailed: boolean }) {
  const { list } = useScreenTexts();
  const isNarrow = useMedia(NARROW);
  if (hasFailed) {
    return (
      <Empty title={list.failed}>
        <Button onClick={() => void useRooms.getState().refresh()}>{list.retry}</Button>
      </Empty>
    );
  }
  // On a wide screen the page beside the list says it.
  if (!isNarrow) return null;
  return (
    <Empty drawing="open_door" title={list.none} hint={list.noneHint}>
      <Button
        look="primary"
        onClick={() => useDialogs.getState().show({ kind: 'create_room', suggestion: '' })}
      >
        {list.createFirst}
      </Button>
    </Empty>
  );
}
