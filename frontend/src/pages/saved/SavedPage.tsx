import { messagesApi } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { ActivityList } from '../../parts/activity/ActivityList.tsx';
import { chat } from '../../stores/chat.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Page, WhenLoaded } from '../../ui/Page.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import { SavedCard } from './SavedCard.tsx';
import { useSaved } from './use-saved.ts';

/** The messages that the user has saved for later, the latest first. Nobody else sees them. */
export function SavedPage() {
  const { savedPage: texts } = useScreenTexts();
  const rooms = useOwnRooms((store) => store.rooms);
  const { loaded, reload, set, taken, take } = useSaved();
  const { busy, run } = useRequest();

  return (
    <Page title={texts.title} hint={texts.hint}>
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {(page) => {
          const left = page.saved.filter(({ message }) => !taken.has(message.id));
          if (left.length === 0 && !page.has_more)
            return <Empty drawing="lamp" title={texts.none} hint={texts.noneHint} />;
          return (
            <>
              <ActivityList>
                <ul aria-label={texts.title}>
                  {left.map(({ message, note }) => (
                    <SavedCard
                      key={message.id}
                      message={message}
                      note={note}
                      room={rooms.get(message.room_id)?.room.name}
                      onTake={(shownNote) => take(message, shownNote)}
                    />
                  ))}
                </ul>
              </ActivityList>
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
