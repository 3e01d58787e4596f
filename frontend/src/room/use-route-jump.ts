import { useEffect, useRef, useState } from 'react';
import type { Room } from '../../../client/index.ts';
import { navigate, type RouteTarget, roomPath, threadPath, useRoute } from '../stores/route.ts';

/** Why the address leads nowhere. */
interface JumpFailure {
  readonly error: unknown;
  readonly again: () => void;
}

/** Follows the address to the message that it names, and back to the end of the room when it names none any more. */
export function useRouteJump(room: Room) {
  // A thread stands beside the room, and leaves the reader where they are.
  const target = useRoute(({ route }) =>
    route.page === 'room' && route.target?.kind === 'message' ? route.target : null,
  );
  const hasPanel = useRoute(
    ({ route }) => route.page === 'room' && (route.panel !== null || route.target !== null),
  );
  const before = useRef<RouteTarget | null>(null);
  const [followed, setFollowed] = useState<RouteTarget | null>(null);
  const [failure, setFailure] = useState<JumpFailure | null>(null);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try is a jump of its own.
  useEffect(() => {
    const wasThere = before.current !== null;
    before.current = target;
    setFailure(null);
    if (target === null) {
      // A panel beside the room changes the address, too, and leaves the reader where they are.
      if (wasThere && !hasPanel && room.state.jump.target !== null) room.toLatest();
      return;
    }
    let isStale = false;
    const again = () => setTries((count) => count + 1);
    room.jump({ id: target.id }).then(
      (found) => {
        if (isStale) return;
        setFollowed(target);
        // A reply is read in its thread, whose root is in the flow behind it.
        if (found?.replyId !== undefined) navigate(threadPath(room.id, found.id, found.replyId), 'replace');
      },
      (error) => isStale || setFailure({ error, again }),
    );
    return () => {
      isStale = true;
    };
  }, [room, target, hasPanel, tries]);

  // Back at the end of the room, the address is that of the room: a reload leads there, too.
  useEffect(() => {
    if (target === null || followed !== target) return;
    return room.on('state', ({ jump }) => {
      if (jump.target === null) navigate(roomPath(room.id), 'replace');
    });
  }, [room, target, followed]);

  return { isThere: followed === target, failure };
}
