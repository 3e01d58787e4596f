import type { Catalogue } from '../../i18n/en.ts';
import { explain } from '../../i18n/errors.ts';
import type { ScreenTexts } from '../../i18n/screens.ts';
import { joinRoom } from '../../stores/joins.ts';
import { roomRequests } from '../../stores/requests.ts';
import { useRooms } from '../../stores/rooms.ts';
import { navigate, useRoute } from '../../stores/route.ts';
import { showToast } from '../../stores/toasts.ts';

interface LeftRoom {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
}

/** Leaves a room, and says so. A public one is joined again by Undo. Rejects with `ApiError` when it is refused. */
export async function leaveRoom(
  { id, name, kind }: LeftRoom,
  texts: ScreenTexts['rowMenu'],
  text: Catalogue,
): Promise<void> {
  await roomRequests().leave(id);
  void useRooms.getState().refresh();
  const { route } = useRoute.getState();
  if (route.page === 'room' && route.roomId === id) navigate('/');
  const undo = {
    label: texts.undo,
    run: () => void joinRoom(id).catch((error: unknown) => showToast(explain(text, error))),
  };
  showToast(texts.left(name), kind === 'public' ? undo : undefined);
}
