import { useState } from 'react';
import type { RoomInfo } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { roomRequests } from '../../stores/requests.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { useRequest } from '../../ui/use-loaded.ts';

interface FileRetentionProps {
  readonly room: RoomInfo;
  readonly onChanged: (room: RoomInfo) => void;
}

const FOR_EVER = Number.POSITIVE_INFINITY;
const USUAL = [30, 90, 365];

/** How long the files of a room are kept. A shorter time deletes files, so it is asked for once more. */
export function FileRetention({ room, onChanged }: FileRetentionProps) {
  const { room: texts } = useScreenTexts();
  const { busy, run } = useRequest();
  const [asked, setAsked] = useState<number | null>(null);
  const kept = room.settings.files_keep_days ?? FOR_EVER;
  const choices = [...new Set([...USUAL, kept, FOR_EVER])].sort((a, b) => a - b);

  const save = (days: number) =>
    run(async () => {
      const { files_keep_days: _, ...rest } = room.settings;
      // A change replaces all of them.
      const settings = days === FOR_EVER ? rest : { ...rest, files_keep_days: days };
      onChanged(await roomRequests().update(room.id, { settings }));
    });

  return (
    <>
      <Select
        label={texts.filesKept}
        rule={texts.filesKeptRule}
        aria-disabled={busy}
        value={kept}
        onChange={({ target }) => {
          const days = Number(target.value);
          if (days < kept) setAsked(days);
          else void save(days);
        }}
      >
        {choices.map((days) => (
          <option key={days} value={days}>
            {days === FOR_EVER ? texts.filesForEver : texts.filesDays(days)}
          </option>
        ))}
      </Select>
      {asked !== null && (
        <ConfirmDialog
          title={texts.deleteOldFiles(asked)}
          hint={texts.deleteOldFilesHint}
          stay={texts.keepFiles}
          confirm={texts.deleteFiles}
          look="danger"
          onClose={() => setAsked(null)}
          onConfirm={() => void save(asked)}
        />
      )}
    </>
  );
}
