import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { closeSearch, useSearch } from '../../stores/search.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';

const SearchPanel = lazyPart(async () => (await import('./SearchPanel.tsx')).SearchPanel);

/**
 * The search beside the page, while it is open. It is no part of the address: it stays while one goes from room to room.
 * A panel or a thread, which are, stand over it (Shell.module.css).
 */
export function SearchHost() {
  const isOpen = useSearch((store) => store.isOpen);
  const sheet = isOpen ? document.querySelector('main > [data-sheet]') : null;
  // The user has signed out.
  useEffect(() => closeSearch, []);
  return sheet && createPortal(<SearchPanel />, sheet);
}
