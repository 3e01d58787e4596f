import { create } from 'zustand';
import { parseId } from '../../../protocol/text.ts';
import { NARROW } from '../ui/use-media.ts';

export type Route =
  | { readonly page: 'home' }
  /** `people`: the panel that lists who is online is open, too. */
  | { readonly page: 'room'; readonly roomId: number; readonly people: boolean };

/** The page at an address. An unknown address is home. */
export function parseRoute(pathname: string): Route {
  const match = /^\/rooms\/([^/]+)(\/people)?\/?$/.exec(pathname);
  const roomId = match?.[1] === undefined ? null : parseId(match[1]);
  return roomId === null ? { page: 'home' } : { page: 'room', roomId, people: match?.[2] !== undefined };
}

export function roomPath(roomId: number): string {
  return `/rooms/${roomId}`;
}

function peoplePath(roomId: number): string {
  return `${roomPath(roomId)}/people`;
}

interface RouteStore {
  readonly route: Route;
}

export const useRoute = create<RouteStore>(() => ({ route: { page: 'home' } }));

/** Follows the address from now on, for as long as the page lives. */
export function followRoute(): void {
  readAddress();
  window.addEventListener('popstate', readAddress);
}

function readAddress(): void {
  useRoute.setState({ route: parseRoute(window.location.pathname) });
}

/** The state of an entry in the browser's history: the page of this client that it was opened from. */
interface Step {
  readonly from: string | null;
}

function currentStep(): Step {
  const state: unknown = window.history.state;
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  return { from: typeof from === 'string' ? from : null };
}

/** Goes to an address of this client. `replace` leaves no step back to the present one. */
export function navigate(path: string, how: 'push' | 'replace' = 'push'): void {
  const here = window.location.pathname;
  if (path === here) return;
  if (how === 'push') window.history.pushState({ from: here } satisfies Step, '', path);
  else window.history.replaceState(currentStep(), '', path);
  readAddress();
}

/** Goes up to a page. Goes back when the user came from there, so that the history does not grow. */
function goUp(path: string): void {
  if (currentStep().from === path) window.history.back();
  else navigate(path, 'replace');
}

/** On a narrow screen: from the room to the list of rooms. */
export function leaveRoom(): void {
  goUp('/');
}

/** Opens a room. On a wide screen the panel beside it stays open. */
export function goToRoom(roomId: number): void {
  const { route } = useRoute.getState();
  const keepsPanel = route.page === 'room' && route.people && !isNarrow();
  navigate(keepsPanel ? peoplePath(roomId) : roomPath(roomId));
}

/** On a narrow screen the panel is a page of its own, which the back gesture leaves. */
export function showPeople(roomId: number): void {
  navigate(peoplePath(roomId), isNarrow() ? 'push' : 'replace');
}

export function hidePeople(roomId: number): void {
  goUp(roomPath(roomId));
}

function isNarrow(): boolean {
  return window.matchMedia(NARROW).matches;
}
