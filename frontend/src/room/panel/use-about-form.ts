import { type FormEvent, useState } from 'react';
import { ApiError, hueOf, type RoomInfo } from '../../../../client/index.ts';
import { ROOM_DESCRIPTION_MAX, ROOM_TOPIC_MAX } from '../../../../protocol/limits.ts';
import { normalizeRoomName } from '../../../../protocol/names.ts';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import type { DoorChoice } from '../../parts/rooms/DoorPicker.tsx';
import { roomRequests } from '../../stores/requests.ts';
import { lineError, linesError } from '../../ui/hidden-characters.ts';
import { useRequest } from '../../ui/use-loaded.ts';

interface AboutDraft extends DoorChoice {
  readonly name: string;
  readonly topic: string;
  readonly description: string;
}

interface AboutErrors {
  readonly name?: string | undefined;
  readonly topic?: string | undefined;
  readonly description?: string | undefined;
}

/** What a moderator has typed about the room, and its way to the server. */
export function useAboutForm(room: RoomInfo, onChanged: (room: RoomInfo) => void) {
  const text = useFullTexts();
  const screen = useScreenTexts();
  const { room: texts } = screen;
  const [draft, setDraft] = useState<AboutDraft>(() => ({
    name: room.name,
    topic: room.topic,
    emoji: room.emoji,
    hue: hueOf(room),
    description: room.description,
  }));
  const [errors, setErrors] = useState<AboutErrors>({});
  const [isSaved, setSaved] = useState(false);
  const { busy, run } = useRequest();

  function change(changed: Partial<AboutDraft>): void {
    setDraft((before) => ({ ...before, ...changed }));
    setErrors({});
    setSaved(false);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const { name, topic, description, emoji, hue } = draft;
    if (normalizeRoomName(name) === null) return setErrors({ name: texts.refused });
    const wrong = {
      topic: lineError(screen, topic, ROOM_TOPIC_MAX),
      description: linesError(screen, description, ROOM_DESCRIPTION_MAX),
    };
    if (wrong.topic !== undefined || wrong.description !== undefined) return setErrors(wrong);
    void run(async () => {
      try {
        const patch = { name, topic: topic.trim(), description, emoji };
        // The hue that a room has by its id is not a choice, until another one is.
        const painted = hue === hueOf(room) ? patch : { ...patch, hue };
        onChanged(await roomRequests().update(room.id, painted));
        setSaved(true);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        setErrors({ name: text.createRoom.taken });
      }
    });
  }

  return { draft, errors, isSaved, busy, change, submit };
}
