import { type MouseEvent, useCallback, useState } from 'react';
import { type FileFamily, filesApi, type RoomFile, type RoomFilesPage } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { fileSize } from '../../i18n/file-size.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { listTime } from '../../i18n/time.ts';
import { FileLines, refusedWords } from '../../parts/files/FileCard.tsx';
import { addressOf, smallAddressOf } from '../../parts/files/file-address.ts';
import { IconLink } from '../../parts/files/IconLink.tsx';
import { kindOf } from '../../parts/files/layout.ts';
import small from '../../parts/files/Thumb.module.css';
import { chat } from '../../stores/chat.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { changedFiles, useFileChanges } from '../../stores/file-changes.ts';
import { usePeople } from '../../stores/people.ts';
import { messagePath, navigate } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { FileIcon, FilmIcon, ImageIcon, SoundIcon } from '../../ui/file-icons.tsx';
import { inThisTab } from '../../ui/in-this-tab.ts';
import { WhenLoaded } from '../../ui/Page.tsx';
import { Select } from '../../ui/Select.tsx';
import { useAddress } from '../../ui/use-address.ts';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';
import styles from './FilesTab.module.css';

type Kind = FileFamily | 'all';

const KINDS: readonly Kind[] = ['all', 'picture', 'video', 'sound', 'other'];
const ICONS = { image: ImageIcon, video: FilmIcon, audio: SoundIcon, file: FileIcon } as const;
/** Pages without a file of the kind that are read in a row, before the user is asked to go on. */
const EMPTY_PAGES = 5;

/** What people have sent in the room, the latest first. */
export function FilesTab({ roomId }: { readonly roomId: number }) {
  const { files: texts } = useScreenTexts();
  const [kind, setKind] = useState<Kind>('all');
  const load = useCallback(() => pageOf(roomId, kind), [roomId, kind]);
  const { loaded, reload, set } = useLoaded(load);
  const { busy, run } = useRequest();
  const changes = useFileChanges();
  return (
    <>
      <div className={styles.filter}>
        <Select label={texts.filter} value={kind} onChange={({ target }) => setKind(target.value as Kind)}>
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {one === 'all' ? texts.all : texts.filters[one]}
            </option>
          ))}
        </Select>
      </div>
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {({ files, next_before_id: next }) => (
          <>
            {files.length === 0 && next === null ? (
              <Empty
                title={kind === 'all' ? texts.none : texts.noneOfKind}
                hint={kind === 'all' ? texts.noneHint : texts.noneOfKindHint}
              />
            ) : (
              <ul className={styles.list}>
                {changedFiles(files, changes).map((file) => (
                  <FileRow key={file.id} roomId={roomId} file={file} />
                ))}
              </ul>
            )}
            {next !== null && (
              <Button
                look="quiet"
                aria-disabled={busy}
                onClick={() =>
                  void run(async () => {
                    const page = await pageOf(roomId, kind, next);
                    set({ ...page, files: [...files, ...page.files] });
                  })
                }
              >
                {texts.older}
              </Button>
            )}
          </>
        )}
      </WhenLoaded>
    </>
  );
}

/** A page with a file at least, where that is not far. */
async function pageOf(roomId: number, kind: Kind, from?: number): Promise<RoomFilesPage> {
  const { list } = filesApi(chat().api.requests);
  let before = from;
  for (let pages = 1; ; pages++) {
    const query = { ...(kind !== 'all' && { kind }), ...(before !== undefined && { before }) };
    const page = await list(roomId, query);
    if (page.files.length > 0 || page.next_before_id === null || pages === EMPTY_PAGES) return page;
    before = page.next_before_id;
  }
}

function FileRow({ roomId, file }: { readonly roomId: number; readonly file: RoomFile }) {
  const text = useText();
  const { files: texts } = useScreenTexts();
  const profile = usePeople(({ profiles }) => profiles.get(file.user_id));
  const name = profile?.display_name || profile?.username;
  const path = messagePath(roomId, file.message_id);
  const address = addressOf(file);
  const isPicture = kindOf(file) === 'image' && address !== null;
  const KindIcon = ICONS[kindOf(file)];
  const when = listTime(text, Date.parse(file.created_at), Date.now());
  const end = file.state === 'refused' ? refusedWords(texts, file) : fileSize(text, file.size);
  const hint = `${name === undefined ? '' : `${isolate(name)} · `}${when} · ${end}`;

  function open(event: MouseEvent): void {
    event.preventDefault();
    const messageId = file.message_id;
    const of = { id: messageId, room_id: roomId, user_id: file.user_id };
    useDialogs.getState().show({ kind: 'pictures', files: [file], at: 0, messageId, of });
  }

  return (
    <li className={styles.row} data-testid="room-file">
      {isPicture ? (
        <button
          type="button"
          className={small.thumb}
          aria-label={texts.open(file.alt || texts.pictureOf(isolate(file.name)))}
          onClick={open}
        >
          <Thumb file={file} />
        </button>
      ) : (
        <span className={small.thumb}>
          <KindIcon />
        </span>
      )}
      <a className={styles.link} href={path} onClick={inThisTab(() => navigate(path))}>
        <FileLines name={file.name} hint={hint} />
      </a>
      {address !== null && <IconLink file={file} address={address} active />}
    </li>
  );
}

function Thumb({ file }: { readonly file: RoomFile }) {
  const { address, retry } = useAddress(smallAddressOf(file));
  const [isBroken, setBroken] = useState(false);
  if (address === null || isBroken) return <ImageIcon />;
  return (
    <img
      key={address}
      src={address}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => retry() || setBroken(true)}
    />
  );
}
