import { useEffect } from 'react';
import type { Room } from '../../../client/index.ts';
import { JumpFailed } from './JumpFailed.tsx';
import { useRouteJump } from './use-route-jump.ts';

interface RouteJumpProps {
  readonly room: Room;
  /** The room is where the address leads, or the address leads nowhere. */
  readonly onSettled: () => void;
}

/** Follows the address to the message that it names, and says when there is none. */
export function RouteJump({ room, onSettled }: RouteJumpProps) {
  const { isThere, failure } = useRouteJump(room);
  const isSettled = isThere || failure !== null;
  useEffect(() => {
    if (isSettled) onSettled();
  }, [isSettled, onSettled]);
  return failure && <JumpFailed roomId={room.id} error={failure.error} onAgain={failure.again} />;
}
