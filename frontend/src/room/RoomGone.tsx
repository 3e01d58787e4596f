import type { RoomState } from '../../../client/index.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { draftKey, localStore, threadDraftKey } from '../stores/device.ts';
import { navigate, useRoute } from '../stores/route.ts';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import { KeptText } from './KeptText.tsx';
import { readEdit } from './message/edit-draft.ts';
import styles from './RoomGone.module.css';

/** In place of a room that does not exist, or that the user has lost: how, and what they were writing there. */
export function RoomGone({ state }: { readonly state: RoomState }) {
  const { roomGone, kept } = useScreenTexts();
  const { connection, pending, roomId, me } = state;
  const threadId = useRoute(({ route }) =>
    route.page === 'room' && route.target?.kind === 'thread' ? route.target.id : 0,
  );
  const gone = connection.status === 'closed' ? connection.gone : undefined;
  // A newer server may have further reasons.
  const words = (gone !== undefined && gone !== 'hidden' && roomGone[gone]) || roomGone.unknown;
  const edit = readEdit();
  const drafts = [
    localStore.getItem(draftKey(me.id, roomId)),
    localStore.getItem(threadDraftKey(me.id, threadId)),
    edit?.roomId === roomId ? edit.content : null,
  ].filter((draft): draft is string => draft !== null && draft.trim() !== '');
  return (
    <div className={styles.page} data-testid="room-gone">
      <Empty page drawing="closed_door" title={words.title} hint={words.hint}>
        <Button look="primary" onClick={() => navigate('/')}>
          {roomGone.action}
        </Button>
      </Empty>
      {pending.map(({ cid, content }) => (
        <KeptText key={cid} title={kept.unsent} content={content} />
      ))}
      {[...new Set(drafts)].map((draft) => (
        <KeptText key={draft} title={kept.title} content={draft} />
      ))}
    </div>
  );
}
