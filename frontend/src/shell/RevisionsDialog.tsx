import { diffWordsWithSpace } from 'diff';
import { useCallback, useRef, useState } from 'react';
import { messagesApi } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { fullTime } from '../i18n/time.ts';
import { chat } from '../stores/chat.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { NARROW, useMedia } from '../stores/use-media.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { WhenLoaded } from '../ui/Page.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import styles from './RevisionsDialog.module.css';

/** How the text of a message has changed: the latest edit first, each with the words that it removed and added. */
export function RevisionsDialog({ onClose }: { readonly onClose: () => void }) {
  const { message: texts } = useScreenTexts();
  const isSheet = useMedia(NARROW);
  const dialog = useRef<HTMLDialogElement>(null);
  const [of] = useState(() => useDialogs.getState().open);
  const load = useCallback(async () => {
    if (of.kind !== 'revisions') return [];
    const api = messagesApi(chat().api.requests);
    const [earlier, now] = await Promise.all([
      api.revisions(of.roomId, of.messageId),
      api.get(of.roomId, of.messageId),
    ]);
    const present = {
      revision: now.revision ?? 0,
      content: now.content,
      edited_at: now.edited_at ?? now.created_at,
    };
    return [...earlier.filter(({ revision }) => revision !== present.revision), present]
      .sort((a, b) => b.revision - a.revision)
      .slice(0, now.deleted_at === undefined ? undefined : 0);
  }, [of]);
  const { loaded, reload } = useLoaded(load);
  return (
    <Dialog
      ref={dialog}
      isSheet={isSheet}
      className={styles.dialog}
      onClose={onClose}
      aria-labelledby="revisions-title"
    >
      <h2 id="revisions-title" className={styles.title}>
        {texts.revisions}
      </h2>
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {(revisions) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer it is scrolled with the keyboard.
          <ol className={styles.list} tabIndex={0} data-testid="revisions">
            {revisions.map(({ revision, content, edited_at }, index) => (
              <li key={revision}>
                <When at={edited_at} isFirst={revision === 0} />
                <p className={styles.text}>
                  <Difference before={revisions[index + 1]?.content ?? content} after={content} />
                </p>
              </li>
            ))}
          </ol>
        )}
      </WhenLoaded>
      <p className={styles.actions}>
        <Button onClick={() => dialog.current?.close()}>{texts.close}</Button>
      </p>
    </Dialog>
  );
}

function When({ at, isFirst }: { readonly at: string; readonly isFirst: boolean }) {
  const text = useText();
  const { message: texts } = useScreenTexts();
  const time = fullTime(text, Date.parse(at));
  return <p className={styles.when}>{isFirst ? texts.writtenAt(time) : texts.editedAt(time)}</p>;
}

function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = diffWordsWithSpace(before, after);
  return parts.map(({ added, removed, value }, index) => {
    const Mark = added ? 'ins' : removed ? 'del' : 'span';
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order.
    return <Mark key={index}>{value}</Mark>;
  });
}
