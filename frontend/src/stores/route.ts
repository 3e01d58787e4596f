import { create } from 'zustand';
import { parseId } from '../../../protocol/text.ts';
import { NARROW } from '../ui/use-media.ts';

/** The panel beside a room: the people who are online, or a tab of its settings. */
export const PANELS = ['people', 'about', 'members', 'invites', 'notifications'] as const;
export type Panel = (typeof PANELS)[number];

export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'room'; readonly roomId: number; readonly panel: Panel | null }
  /** All public rooms. */
  | { readonly page: 'browse' }
  | { readonly page: 'settings' }
  /** An invitation that a link leads to. */
  | { readonly page: 'invite'; readonly code: string }
  /** The link in the server's log that makes the first admin. */
  | { readonly page: 'setup'; readonly code: string };

/** The page at an address. An unknown address is home. */
export function parseRoute(pathname: string): Route {
  const [first, second, third, ...more] = pathname.replace(/^\/|\/$/g, '').split('/');
  const home = { page: 'home' } as const;
  if (more.length > 0) return home;
  if (first === 'rooms' && second !== undefined) {
    const roomId = parseId(second);
    const panel = PANELS.find((name) => name === third) ?? null;
    return roomId === null || (third !== undefined && panel === null)
      ? home
      : { page: 'room', roomId, panel };
  }
  if ((first === 'invite' || first === 'setup') && second !== undefined && third === undefined)
    return { page: first, code: second };
  if (second !== undefined) return home;
  return first === 'browse' || first === 'settings' ? { page: first } : home;
}

export function roomPath(roomId: number): string {
  return `/rooms/${roomId}`;
}

function panelPath(roomId: number, panel: Panel): string {
  return `${roomPath(roomId)}/${panel}`;
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

/** On a narrow screen: from the page to the list of rooms. */
export function leavePage(): void {
  goUp('/');
}

/** Opens a room. On a wide screen the panel beside it stays open. */
export function goToRoom(roomId: number): void {
  const { route } = useRoute.getState();
  const panel = route.page === 'room' && !isNarrow() ? route.panel : null;
  navigate(panel === null ? roomPath(roomId) : panelPath(roomId, panel));
}

/** On a narrow screen the panel is a page of its own, which the back gesture leaves. */
export function showPanel(roomId: number, panel: Panel): void {
  const { route } = useRoute.getState();
  // From one part to another there is no step back between them.
  const isOpen = route.page === 'room' && route.panel !== null;
  navigate(panelPath(roomId, panel), isNarrow() && !isOpen ? 'push' : 'replace');
}

export function hidePanel(roomId: number): void {
  goUp(roomPath(roomId));
}

function isNarrow(): boolean {
  return window.matchMedia(NARROW).matches;
}
