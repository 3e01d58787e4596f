import { chat } from '../stores/chat.ts';
import { joinWaiting, RETRY_MS, restoreJoins, useJoins } from '../stores/joins.ts';

/** Joins the rooms that were joined without the server, as soon as it is back. Returns the function that ends that. */
export function syncJoins(): () => void {
  let isOver = false;
  let isLive = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const joinLater = (ms: number) => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(join, ms);
  };
  const join = () => {
    clearTimeout(timer);
    joinWaiting().then(
      (retryMs) => {
        if (retryMs !== undefined) joinLater(retryMs);
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
  const ends = [
    chat().rooms.subscribe(look),
    useJoins.subscribe(({ waiting }, before) => {
      if (waiting.size > before.waiting.size) joinLater(RETRY_MS);
    }),
  ];
  look();
  return () => {
    isOver = true;
    clearTimeout(timer);
    for (const end of ends) end();
    useJoins.setState(useJoins.getInitialState());
  };
}
