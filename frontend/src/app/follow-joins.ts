import { chat } from '../stores/chat.ts';
import { joinWaiting, restoreJoins, useJoins } from '../stores/joins.ts';

/** Joins the rooms that were joined without the server, each time that it is back. Returns the function that ends that. */
export function followJoins(): () => void {
  let isOver = false;
  let isLive = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const join = () => {
    clearTimeout(timer);
    joinWaiting().then(
      (retryMs) => {
        if (!isOver && retryMs !== undefined) timer = setTimeout(join, retryMs);
      },
      () => {},
    );
  };
  const look = () => {
    const wasLive = isLive;
    isLive = chat().rooms.state.phase === 'live';
    if (isLive && !wasLive) join();
  };
  restoreJoins();
  const unfollow = chat().rooms.subscribe(look);
  look();
  return () => {
    isOver = true;
    clearTimeout(timer);
    unfollow();
    useJoins.setState(useJoins.getInitialState());
  };
}
