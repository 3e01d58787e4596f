/** Where somebody reads before they walk through what was found, and the way back there. */
import { useRoom } from '../../stores/room.ts';
import { goUp, useRoute } from '../../stores/route.ts';

export interface ReaderAt {
  /** The address of the page. */
  readonly path: string;
  /** The first message in sight, and how far below the top it stands; null: they were at the end, or in no room. */
  readonly place: { readonly id: number; readonly top: number } | null;
}

/** A reader this close to the end follows it. */
const NEAR_END_PX = 100;
/** The longest wait for the room, or for a message in it. */
const PATIENCE_MS = 3000;

export function readerAt(): ReaderAt {
  return { path: window.location.pathname, place: placeInSight() };
}

function placeInSight(): ReaderAt['place'] {
  const log = timeline();
  const { state } = useRoom.getState();
  if (log === null || state === null) return null;
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX;
  if (isAtEnd && state.detached === null) return null;
  const { top } = log.getBoundingClientRect();
  const first = [...log.querySelectorAll<HTMLElement>('[data-message-id]')].find(
    (row) => row.getBoundingClientRect().bottom > top,
  );
  if (first === undefined) return null;
  return { id: Number(first.dataset.messageId), top: first.getBoundingClientRect().top - top };
}

/** Leads back there. Resolves once it is shown, or cannot be. */
export async function returnTo({ path, place }: ReaderAt): Promise<void> {
  goUp(path);
  const isBack = await until(() => window.location.pathname === path);
  const { route } = useRoute.getState();
  if (!isBack || route.page !== 'room') return;
  const { roomId } = route;
  await until(() => useRoom.getState().state?.roomId === roomId && timeline() !== null);
  const { room } = useRoom.getState();
  // The address has led to the end of the room, or to a message.
  await frame();
  if (place === null || room === null || room.id !== roomId) return;
  await room.jump({ id: place.id }).catch(() => null);
  // The view of this jump, and not the one before.
  await until(() => useRoom.getState().state?.jump.count === room.state.jump.count);
  await frame();
  await until(() => rowOf(place.id) !== null);
  const [row, log] = [rowOf(place.id), timeline()];
  if (row === null || log === null) return;
  log.scrollTop += row.getBoundingClientRect().top - log.getBoundingClientRect().top - place.top;
  // It is where one was, not what one was led to.
  delete row.dataset.target;
}

function timeline(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[role=log][aria-busy=false]');
}

function rowOf(id: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[role=log] [data-message-id="${id}"]`);
}

function frame(): Promise<number> {
  return new Promise(requestAnimationFrame);
}

async function until(holds: () => boolean): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS;
  while (!holds()) {
    if (performance.now() > end) return false;
    await frame();
  }
  return true;
}
