import { create } from 'zustand';
import { parseId } from '../../../protocol/text.ts';

export type Route = { readonly page: 'home' } | { readonly page: 'room'; readonly roomId: number };

/** The page that an address means; what it does not know is home. */
export function parseRoute(pathname: string): Route {
  const match = /^\/rooms\/([^/]+)\/?$/.exec(pathname);
  const roomId = match?.[1] === undefined ? null : parseId(match[1]);
  return roomId === null ? { page: 'home' } : { page: 'room', roomId };
}

export function roomPath(roomId: number): string {
  return `/rooms/${roomId}`;
}

interface RouteStore {
  readonly route: Route;
}

export const useRoute = create<RouteStore>(() => ({ route: parseRoute(window.location.pathname) }));

function follow(): void {
  useRoute.setState({ route: parseRoute(window.location.pathname) });
}

window.addEventListener('popstate', follow);

/** Goes to an address of this client; `replace` leaves no step back to the present one. */
export function navigate(path: string, how: 'push' | 'replace' = 'push'): void {
  if (path === window.location.pathname) return;
  if (how === 'push') window.history.pushState(null, '', path);
  else window.history.replaceState(null, '', path);
  follow();
}
