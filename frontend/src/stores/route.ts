import { create } from 'zustand';
import { parseId } from '../../../protocol/text.ts';
import { ONE_PANE } from './use-media.ts';

/** The panel beside a room: the people who are online, the list of its settings, or a part of them. */
export const PANELS = [
  'people',
  'settings',
  'about',
  'pins',
  'files',
  'members',
  'invites',
  'notifications',
  'moderation',
] as const;
export type Panel = (typeof PANELS)[number];

/** A message, or the message that a thread is about. */
export interface RouteTarget {
  readonly kind: 'message' | 'thread';
  readonly id: number;
  /** The reply in the thread that the address leads to. */
  readonly replyId?: number | null;
}

export type Route =
  | { readonly page: 'home' }
  | {
      readonly page: 'room';
      readonly roomId: number;
      readonly panel: Panel | null;
      /** Where the address leads within the room; null: to where the reader is. */
      readonly target: RouteTarget | null;
    }
  /** All public rooms. */
  | { readonly page: 'browse' }
  /** `section`: of the page; null: its list, or its first section. */
  | { readonly page: 'settings'; readonly section: string | null }
  /** The administration of the server. */
  | { readonly page: 'admin'; readonly section: string | null }
  /** The messages that the user has saved. */
  | { readonly page: 'saved' }
  /** The messages that notified the user. */
  | { readonly page: 'inbox' }
  /** The threads that the user follows. */
  | { readonly page: 'threads' }
  /** The search for messages, where it has no space beside the page. */
  | { readonly page: 'search' }
  /** An invitation that a link leads to. */
  | { readonly page: 'invite'; readonly code: string }
  /** The link in the server's log that makes the first admin. */
  | { readonly page: 'setup'; readonly code: string }
  /** A link that sets a new password. */
  | { readonly page: 'reset'; readonly code: string }
  /** A link that signs in once. */
  | { readonly page: 'sign-in'; readonly code: string };

/** The pages whose address is their name. */
const PLAIN_PAGES = ['browse', 'saved', 'inbox', 'threads', 'search'] as const;
/** Those that may name one of their sections. */
const SECTION_PAGES = ['settings', 'admin'] as const;
/** The pages of links: a code follows their name. */
const CODE_PAGES = ['invite', 'setup', 'reset', 'sign-in'] as const;

/** The page at an address. An unknown address is home. */
export function parseRoute(pathname: string): Route {
  const [first, second, third, fourth, fifth, ...more] = pathname.replace(/^\/|\/$/g, '').split('/');
  const home = { page: 'home' } as const;
  if (more.length > 0) return home;
  if (first === 'rooms' && second !== undefined) {
    const roomId = parseId(second);
    const panel = PANELS.find((name) => name === third) ?? null;
    const target = targetOf(third, fourth, fifth);
    const isKnown = fourth === undefined ? third === undefined || panel !== null : target !== null;
    return roomId === null || !isKnown ? home : { page: 'room', roomId, panel, target };
  }
  if (fourth !== undefined) return home;
  const linked = CODE_PAGES.find((name) => name === first);
  if (linked !== undefined && second !== undefined && third === undefined)
    return { page: linked, code: second };
  const sectioned = SECTION_PAGES.find((name) => name === first);
  if (sectioned !== undefined && third === undefined) return { page: sectioned, section: second ?? null };
  if (second !== undefined) return home;
  const page = PLAIN_PAGES.find((name) => name === first);
  return page === undefined ? home : { page };
}

function targetOf(letter: string | undefined, name = '', reply?: string): RouteTarget | null {
  const kind = letter === 'm' ? 'message' : letter === 't' ? 'thread' : null;
  const id = parseId(name);
  if (kind === null || id === null) return null;
  if (reply === undefined) return { kind, id };
  const replyId = kind === 'thread' ? parseId(reply) : null;
  return replyId === null ? null : { kind, id, replyId };
}

export function roomPath(roomId: number): string {
  return `/rooms/${roomId}`;
}

/** The address of a message: it leads there from anywhere. */
export function messagePath(roomId: number, messageId: number): string {
  return `${roomPath(roomId)}/m/${messageId}`;
}

/** The address of a thread, beside its room; with a reply, at that reply. */
export function threadPath(roomId: number, threadId: number, replyId?: number): string {
  return `${roomPath(roomId)}/t/${threadId}${replyId === undefined ? '' : `/${replyId}`}`;
}

/** The address of a panel beside its room. */
export function panelPath(roomId: number, panel: Panel): string {
  return `${roomPath(roomId)}/${panel}`;
}

interface RouteStore {
  readonly route: Route;
}

export const useRoute = create<RouteStore>(() => ({ route: { page: 'home' } }));

/** Keeps the route in sync with the address from now on, for as long as the page lives. */
export function syncRoute(): void {
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

/** Whether the page was reached from another page of this client, and not by its address. */
export function wasReached(): boolean {
  return currentStep().from !== null;
}

/** Goes to an address of this client. `replace` leaves no step back to the present one. */
export function navigate(path: string, how: 'push' | 'replace' = 'push'): void {
  const here = window.location.pathname;
  // The reader may have moved on within the page that the address leads to.
  if (path === here) return readAddress();
  if (how === 'push') window.history.pushState({ from: here } satisfies Step, '', path);
  else window.history.replaceState(currentStep(), '', path);
  readAddress();
}

/** Goes up to a page. Goes back when the user came from there, so that the history does not grow. */
export function goUp(path: string): void {
  if (currentStep().from === path) window.history.back();
  else navigate(path, 'replace');
}

/** On a narrow screen: from the page to the list of rooms, or from a section to the list of its page. */
export function leavePage(): void {
  const { route } = useRoute.getState();
  goUp('section' in route && route.section !== null ? `/${route.page}` : '/');
}

/** Whether the bar of a phone stands below the page: it is one of those that the bar leads to. */
export function isFirstPage(route: Route): boolean {
  if (route.page === 'settings') return route.section === null;
  return route.page === 'home' || route.page === 'inbox' || route.page === 'threads';
}

/** Opens a room. A panel that stands beside it stays open. */
export function goToRoom(roomId: number): void {
  const { route } = useRoute.getState();
  const panel = route.page === 'room' && !isOnePane() ? route.panel : null;
  navigate(panel === null ? roomPath(roomId) : panelPath(roomId, panel));
}

/** Where the panel stands in place of the room it is a page of its own, which the back gesture leaves. */
export function showPanel(roomId: number, panel: Panel): void {
  const { route } = useRoute.getState();
  // From one part to another there is no step back between them; from the list of parts there is.
  const isOpen = route.page === 'room' && route.panel !== null && route.panel !== 'settings';
  navigate(panelPath(roomId, panel), isOnePane() && !isOpen ? 'push' : 'replace');
}

/** Goes up from a part of a room's settings to the list of them. */
export function showParts(roomId: number): void {
  goUp(panelPath(roomId, 'settings'));
}

/** Opens a thread beside its room. In place of the room it is a page of its own. */
export function showThread(roomId: number, threadId: number): void {
  const { route } = useRoute.getState();
  const isOpen = route.page === 'room' && (route.panel !== null || route.target?.kind === 'thread');
  navigate(threadPath(roomId, threadId), isOnePane() || !isOpen ? 'push' : 'replace');
}

export function hidePanel(roomId: number): void {
  goUp(roomPath(roomId));
}

function isOnePane(): boolean {
  return window.matchMedia(ONE_PANE).matches;
}
