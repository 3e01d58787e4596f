import type { Message, Room, RoomState } from '../../../../client/index.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { roomParts } from '../load-parts.ts';
import styles from './Timeline.module.css';
import { TimelineLoading } from './TimelineLoading.tsx';
import type { Pages } from './use-pages.ts';

/** Not part of the first paint. */
const TimelineOlder = lazyPart(async () => (await roomParts()).TimelineOlder);
const Threshold = lazyPart(async () => (await roomParts()).Threshold);

interface TimelineStartProps {
  readonly room: Room;
  readonly state: RoomState;
  readonly name: string;
  readonly messages: readonly Message[];
  /** The oldest message that is loaded is in the document. */
  readonly isInSight: boolean;
  /** The request for older messages. */
  readonly status: Pages['status'];
  readonly onLoad: () => void;
}

/** What stands above the messages, or in place of them: there are none, or older ones, or the room begins here. */
export function TimelineStart(props: TimelineStartProps) {
  const { room, state, name, messages, isInSight, status, onLoad } = props;
  const { loaded, pending, hasOlder, connection } = state;
  return (
    <>
      {!loaded && messages.length === 0 && <TimelineLoading connection={connection} />}
      {loaded && messages.length === 0 && pending.length === 0 && (
        <div className={styles.beginning}>
          <Threshold roomId={room.id} name={name} isEmpty />
        </div>
      )}
      {isInSight && hasOlder && (
        <div className={styles.older}>
          <TimelineOlder status={status} onLoad={onLoad} />
        </div>
      )}
      {isInSight && !hasOlder && messages.length > 0 && (
        <div className={styles.beginning}>
          <Threshold roomId={room.id} name={name} />
        </div>
      )}
    </>
  );
}
