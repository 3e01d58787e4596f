import type { MouseEvent } from 'react';
import { navigate, parseRoute } from '../../stores/route.ts';

/** Opens a link to a page of this client in this tab. Other clicks, and other links, are the browser's. */
export function openHere(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const { origin, pathname } = event.currentTarget;
  const isPage = pathname === '/' || parseRoute(pathname).page !== 'home';
  if (origin !== window.location.origin || !isPage) return;
  event.preventDefault();
  navigate(pathname);
}
