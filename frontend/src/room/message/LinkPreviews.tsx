import { useState } from 'react';
import { filePath, type LinkPreview, type Message } from '../../../../client/index.ts';
import { isSafeDestination } from '../../../../protocol/markdown/web-links.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useAddress } from '../../ui/use-address.ts';
import styles from './LinkPreviews.module.css';
import { PreviewMenu } from './PreviewMenu.tsx';

interface LinkPreviewsProps {
  readonly message: Message;
  /** Whether its message is the Tab stop. */
  readonly active: boolean;
}

/** What the pages say of themselves that a message links to. All of it is text of strangers. */
export function LinkPreviews({ message, active }: LinkPreviewsProps) {
  return message.previews?.map((preview) => (
    <div key={preview.url} className={styles.place}>
      <div className={styles.card} data-testid="link-preview">
        <Card preview={preview} active={active} />
        <PreviewMenu message={message} host={hostOf(preview)} active={active} />
      </div>
    </div>
  ));
}

function Card({ preview, active }: { readonly preview: LinkPreview; readonly active: boolean }) {
  const { previews: texts } = useScreenTexts();
  const { url, title, description, site, image } = preview;
  const host = hostOf(preview);
  const words = (
    <>
      <span className={styles.lines}>
        <span className={styles.host}>
          <bdi>{host}</bdi>
          {site !== undefined && site !== host && <span dir="auto"> · {site}</span>}
        </span>
        <span className={styles.title} dir="auto">
          {title === '' ? texts.picture : title}
        </span>
        {description !== undefined && (
          <span className={styles.description} dir="auto">
            {description}
          </span>
        )}
      </span>
      {image !== undefined && <Thumb image={image} />}
    </>
  );
  // What the server has stored is a web address; an address of another kind would be one that runs.
  if (!isSafeDestination(url)) return <span className={styles.link}>{words}</span>;
  return (
    <a
      className={styles.link}
      href={url}
      title={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      tabIndex={active ? 0 : -1}
    >
      {words}
    </a>
  );
}

function Thumb({ image }: { readonly image: NonNullable<LinkPreview['image']> }) {
  const { address, retry } = useAddress(filePath(image.key, 'link'));
  const [isBroken, setBroken] = useState(false);
  if (address === null || isBroken) return null;
  return (
    <img
      key={address}
      className={styles.thumb}
      src={address}
      alt={image.alt ?? ''}
      width={image.width}
      height={image.height}
      loading="lazy"
      decoding="async"
      draggable={false}
      // Wide pictures are cut least: what stands at their edges is seldom what they show.
      data-wide={image.width > image.height}
      onError={() => retry() || setBroken(true)}
    />
  );
}

/** The host that the link leads to, whatever the page calls itself. */
function hostOf({ url }: LinkPreview): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : '';
}
