import { type FormEvent, type RefObject, useState } from 'react';
import { ApiError, ROOM_HUE_NAMES } from '../../../client/index.ts';
import { ROOM_TOPIC_MAX } from '../../../protocol/limits.ts';
import { normalizeRoomName } from '../../../protocol/names.ts';
import { explain } from '../i18n/errors.ts';
import { type FullTexts, useFullTexts, useScreenTexts } from '../i18n/screens.ts';
import type { DoorChoice } from '../parts/rooms/DoorPicker.tsx';
import { type OpenDialog, useDialogs } from '../stores/dialogs.ts';
import { roomRequests } from '../stores/requests.ts';
import { useRooms } from '../stores/rooms.ts';
import { goToRoom } from '../stores/route.ts';
import { lineError } from '../ui/hidden-characters.ts';

interface NewRoom extends DoorChoice {
  readonly name: string;
  readonly topic: string;
  readonly kind: 'public' | 'private';
}

type Errors = { readonly [field in 'name' | 'topic']?: string };

/** What was typed of a new room, and how it is made. The dialog is closed then, and the room opened. */
export function useNewRoom(dialog: RefObject<HTMLDialogElement | null>) {
  const text = useFullTexts();
  const screen = useScreenTexts();
  const [draft, setDraft] = useState<NewRoom>(() => ({
    name: suggestionOf(useDialogs.getState().open),
    topic: '',
    emoji: null,
    hue: nextHue(),
    kind: 'public',
  }));
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);

  function change(changed: Partial<NewRoom>): void {
    setDraft((before) => ({ ...before, ...changed }));
    setErrors({});
  }

  function refuse(field: keyof Errors, why: string): void {
    setErrors({ [field]: why });
    if (field === 'name') dialog.current?.querySelector('input')?.focus();
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const { name, kind, hue, emoji } = draft;
    const topic = draft.topic.trim();
    if (normalizeRoomName(name) === null) return refuse('name', text.createRoom.broken);
    const wrong = lineError(screen, draft.topic, ROOM_TOPIC_MAX);
    if (wrong !== undefined) return refuse('topic', wrong);
    setBusy(true);
    try {
      const room = await roomRequests().create({
        name,
        kind,
        hue,
        ...(topic === '' ? {} : { topic }),
        ...(emoji === null ? {} : { emoji }),
      });
      useRooms.getState().add(room);
      // The user closed the dialog and went on to something else. The room is in the list.
      if (dialog.current?.open !== true) return;
      dialog.current.close();
      goToRoom(room.id);
    } catch (failure) {
      refuse('name', roomError(text, failure));
    } finally {
      setBusy(false);
    }
  }

  return { draft, errors, busy, change, submit };
}

/** The name that the dialog was opened with. */
function suggestionOf(open: OpenDialog): string {
  return open.kind === 'create_room' ? open.suggestion : '';
}

/** The hue that a new room begins with: rooms made one after the other have different ones. */
function nextHue(): NewRoom['hue'] {
  return ROOM_HUE_NAMES[useRooms.getState().rooms.length % ROOM_HUE_NAMES.length] ?? 'gold';
}

function roomError(text: FullTexts, error: unknown): string {
  if (error instanceof ApiError && error.status === 409) return text.createRoom.taken;
  if (error instanceof ApiError && error.status === 400) return text.createRoom.broken;
  return explain(text, error);
}
