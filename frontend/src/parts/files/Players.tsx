import type { OutboxFile } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { fileSize } from '../../i18n/file-size.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import type { FileMessage } from '../../stores/dialogs.ts';
import { useAddress } from '../../ui/use-address.ts';
import { FileCard, FileLines } from './FileCard.tsx';
import { FileMenu } from './FileMenu.tsx';
import styles from './Files.module.css';
import { addressOf, posterOf } from './file-address.ts';
import { IconLink } from './IconLink.tsx';
import { useLocalUrl } from './local-urls.ts';
import { UploadBar, UploadState, UploadWords, useProgress } from './UploadState.tsx';

interface PlayerProps {
  readonly file: OutboxFile;
  readonly of: FileMessage | null;
  readonly active: boolean;
}

/** A film, with the controls of the browser. */
export function VideoPlayer({ file, of, active }: PlayerProps) {
  const local = useLocalUrl(file);
  const remote = useAddress(addressOf(file));
  const source = local ?? remote.address;
  if (source === null) return <FileCard file={file} of={of} active={active} />;
  // The device has the film itself, and the server may not have its picture yet.
  const poster = local === null ? posterOf(file) : undefined;
  return (
    <div className={styles.film}>
      {/* biome-ignore lint/a11y/useMediaCaption: people send what they have. */}
      <video
        className={styles.video}
        src={source}
        poster={poster}
        controls
        playsInline
        preload={poster === undefined ? 'metadata' : 'none'}
        tabIndex={active ? 0 : -1}
        aria-label={file.alt || isolate(file.name)}
        onError={() => remote.retry()}
      />
      <FileMenu {...{ file, of, active }} look="film" />
      <UploadState file={file} />
    </div>
  );
}

/** A sound, with the controls of the browser. Nothing of it is loaded before it is played. */
export function SoundPlayer({ file, of, active }: PlayerProps) {
  const text = useText();
  const { files: texts } = useScreenTexts();
  const local = useLocalUrl(file);
  const remote = useAddress(addressOf(file));
  const source = local ?? remote.address;
  const progress = useProgress(file);
  const isChecked = file.state !== 'checking' || local !== null;
  const hint = isChecked ? fileSize(text, file.size) : texts.checking;
  return (
    <div className={styles.sound} data-testid="sound">
      <div className={styles.soundHead}>
        <FileLines name={file.name} hint={progress === null ? hint : <UploadWords progress={progress} />} />
        {remote.address !== null && <IconLink file={file} address={remote.address} active={active} />}
        <FileMenu {...{ file, of, active }} look="plain" />
      </div>
      {source !== null && (
        // biome-ignore lint/a11y/useMediaCaption: people send what they have.
        <audio
          className={styles.audio}
          src={source}
          controls
          preload="none"
          tabIndex={active ? 0 : -1}
          aria-label={file.alt || isolate(file.name)}
          onError={() => remote.retry()}
        />
      )}
      <UploadBar progress={progress} />
    </div>
  );
}
