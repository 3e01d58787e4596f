import { useState, useSyncExternalStore } from 'react';
import type { RoomInfo } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { roomRequests } from '../../stores/requests.ts';
import { useRequest } from '../../ui/use-loaded.ts';
import styles from './RoomPanel.module.css';

interface PreviewChoiceProps {
  readonly room: RoomInfo;
  readonly onChanged: (room: RoomInfo) => void;
}

/** Whether links of new messages get previews. Nothing, where the server makes none. */
export function PreviewChoice({ room, onChanged }: PreviewChoiceProps) {
  const { room: texts } = useScreenTexts();
  const { busy, run } = useRequest();
  const isOffered = useSyncExternalStore(
    (listener) => chat().line.on('open', listener),
    () => chat().linkPreviews > 0,
  );
  const isOn = room.settings.link_previews === true;
  /** What was chosen, until the server has said what holds. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  if (!isOffered && !isOn) return null;

  async function save(isWanted: boolean): Promise<void> {
    setChosen(isWanted);
    await run(async () => {
      const { link_previews: _, ...rest } = room.settings;
      // A change replaces all of them.
      const settings = isWanted ? { ...rest, link_previews: true as const } : rest;
      onChanged(await roomRequests().update(room.id, { settings }));
    });
    setChosen(null);
  }

  return (
    <div>
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={chosen ?? isOn}
          aria-disabled={busy}
          aria-describedby="link-previews-rule"
          onChange={({ target }) => busy || void save(target.checked)}
        />
        {texts.linkPreviews}
      </label>
      <p id="link-previews-rule" className={styles.hint}>
        {texts.linkPreviewsRule}
      </p>
    </div>
  );
}
