import { Fragment, useEffect, useState } from 'react';
import { filePath, type ServerEmoji } from '../../../../client/index.ts';
import { findEmojiNames } from '../../../../protocol/markdown/emoji-names.ts';
import { followServerEmoji, lookForEmoji, useServerEmoji } from '../../stores/server-emoji.ts';
import { useAddress } from '../../ui/use-address.ts';
import styles from './EmojiText.module.css';

/** A text with pictures in the place of the emoji of the server. Names of none, or of a picture that fails, stay text. */
export function EmojiText({ text }: { readonly text: string }) {
  const byName = useServerEmoji((store) => store.byName);
  const found = findEmojiNames(text);
  const unknown = found.flatMap(({ name }) => (byName.has(name) ? [] : [name])).join();

  useEffect(() => {
    followServerEmoji();
    if (unknown !== '') for (const name of unknown.split(',')) lookForEmoji(name);
  }, [unknown]);

  let from = 0;
  const parts = found.flatMap(({ name, start, end }) => {
    const emoji = byName.get(name);
    if (emoji === undefined) return [];
    const before = text.slice(from, start);
    from = end;
    return [
      <Fragment key={start}>
        {before}
        <EmojiPicture key={emoji.key} emoji={emoji} />
      </Fragment>,
    ];
  });
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
}

function EmojiPicture({ emoji: { name, key } }: { readonly emoji: ServerEmoji }) {
  const { address, retry } = useAddress(filePath(key, name));
  const [hasFailed, setFailed] = useState(false);
  const code = `:${name}:`;
  if (hasFailed || address === null) return code;
  return (
    <span className={styles.place} data-code={code}>
      <img
        className={styles.picture}
        src={address}
        alt={code}
        title={code}
        decoding="async"
        draggable={false}
        data-testid="server-emoji"
        onError={() => retry() || setFailed(true)}
      />
    </span>
  );
}
