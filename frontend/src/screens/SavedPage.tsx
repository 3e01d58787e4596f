import { useCallback, useEffect, useState } from 'react';
import { type Message, messagesApi } from '../../../client/index.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { unsave } from '../room/message/message-commands.ts';
import { useChanges } from '../stores/changes.ts';
import { chat } from '../stores/chat.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Page, WhenLoaded } from './Page.tsx';
import { SavedCard } from './SavedCard.tsx';
import { useLoaded, useRequest } from './use-loaded.ts';

/** The messages that the user has saved for later, the latest first. Nobody else sees them. */
export function SavedPage() {
  const { savedPage: texts } = useScreenTexts();
  const rooms = useOwnRooms((store) => store.rooms);
  const [taken, setTaken] = useState<ReadonlySet<number>>(new Set());
  const { busy, run } = useRequest();
  const load = useCallback(() => messagesApi(chat().api.requests).saved(), []);
  const { loaded, reload, set } = useLoaded(load);

  // What was removed just before a reload may be in the list that was loaded after it.
  const removing = useChanges(removedIds);
  useEffect(() => {
    const ids = removing.split(' ').filter(Boolean).map(Number);
    setTaken((before) => (ids.every((id) => before.has(id)) ? before : new Set([...before, ...ids])));
  }, [removing]);

  function take(message: Message): void {
    unsave(message, () => setTaken((before) => new Set([...before].filter((id) => id !== message.id))));
    setTaken(new Set([...taken, message.id]));
  }

  return (
    <Page title={texts.title} hint={texts.hint}>
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {(page) => {
          const left = page.saved.filter(({ message }) => !taken.has(message.id));
          if (left.length === 0 && !page.has_more)
            return <Empty drawing="first_word" title={texts.none} hint={texts.noneHint} />;
          return (
            <>
              <ul aria-label={texts.title}>
                {left.map(({ message, note }) => (
                  <SavedCard
                    key={message.id}
                    message={message}
                    note={note}
                    room={rooms.get(message.room_id)?.room.name}
                    onTake={() => take(message)}
                  />
                ))}
              </ul>
              {page.has_more && (
                <Button
                  aria-disabled={busy}
                  onClick={() =>
                    void run(async () => {
                      const before = page.saved.at(-1)?.user_seq;
                      const next = await messagesApi(chat().api.requests).saved(
                        before === undefined ? {} : { before },
                      );
                      set({ ...next, saved: [...page.saved, ...next.saved] });
                    })
                  }
                >
                  {texts.more}
                </Button>
              )}
            </>
          );
        }}
      </WhenLoaded>
    </Page>
  );
}

/** The messages whose removal from the list is on its way, as text: a store compares what it returns. */
function removedIds({ byMessage }: ReturnType<typeof useChanges.getState>): string {
  const removed = [...byMessage].filter(([, { list }]) =>
    list.some(({ wanted }) => wanted.kind === 'saved' && !wanted.on),
  );
  return removed.map(([id]) => id).join(' ');
}
