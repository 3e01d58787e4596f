import { chat } from '../stores/chat.ts';
import { useRoom } from '../stores/room.ts';

/** While the page is hidden, the user is in no room. Returns the function that ends that. */
export function syncSight(): () => void {
  const tell = () => {
    const { room } = useRoom.getState();
    chat().setHere(document.visibilityState === 'visible' && room !== null ? room.id : null);
  };
  const unsubscribe = useRoom.subscribe(({ room }, before) => {
    if (room !== before.room) tell();
  });
  document.addEventListener('visibilitychange', tell);
  tell();
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', tell);
  };
}
