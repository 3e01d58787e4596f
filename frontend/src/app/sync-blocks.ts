import { keepBlocked } from '../stores/blocked.ts';
import { chat } from '../stores/chat.ts';
import { peopleRequests } from '../stores/requests.ts';

const RETRY_MS = 10_000;

/** Learns whom the user has blocked, on any device. Returns the function that ends that. */
export function syncBlocks(): () => void {
  const userId = chat().user?.id;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const load = () => {
    peopleRequests()
      .blocked()
      .then(
        (people) => {
          if (!isOver && userId !== undefined) keepBlocked(userId, new Set(people.map(({ id }) => id)));
        },
        () => {
          if (!isOver) timer = setTimeout(load, RETRY_MS);
        },
      );
  };
  load();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
