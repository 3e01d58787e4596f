import { useEffect, useRef } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { navigate } from '../../stores/route.ts';
import { closeSearch, uncover, useSearch } from '../../stores/search.ts';
import { ONE_PANE, useMedia } from '../../stores/use-media.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import frame from '../../ui/Panel.module.css';
import { focusComposer } from '../../ui/regions.ts';
import { hitPath } from './hit-path.ts';
import styles from './Search.module.css';
import { SearchView } from './SearchView.tsx';
import type { Result } from './search-state.ts';
import { useWalk } from './use-walk.ts';

/** The search beside the page. Arrow keys take the timeline from hit to hit, and Escape leads back to where one was. */
export function SearchPanel() {
  const texts = useScreenTexts();
  const panel = useRef<HTMLDivElement>(null);
  const opener = useRef<Element | null>(null);
  const walk = useWalk(panel);
  // In place of the page it is one.
  const isPage = useMedia(ONE_PANE);
  const Title = isPage ? 'h1' : 'h2';

  useEffect(() => {
    opener.current = document.activeElement;
  }, []);

  function open({ message }: Result): void {
    walk.end();
    // It would stand over the room.
    if (isPage) closeSearch();
    navigate(hitPath(message));
  }

  async function leave(): Promise<void> {
    const { current: element } = opener;
    const { covered } = useSearch.getState();
    const back = walk.back();
    closeSearch();
    await back;
    // It takes the focus.
    if (uncover(covered)) return;
    if (element instanceof HTMLElement && element.isConnected && element !== document.body) element.focus();
    else focusComposer();
  }

  function close(): void {
    walk.end();
    closeSearch();
    focusComposer();
  }

  return (
    <div
      ref={panel}
      className={`${frame.panel} ${styles.panel}`}
      data-search-panel=""
      data-enters="true"
      data-region="search"
    >
      <Title className="visually-hidden">{texts.search.title}</Title>
      <SearchView
        isBeside
        onOpen={open}
        onWalk={({ message }) => walk.to(message)}
        onLeave={() => void leave()}
        behind={
          <IconButton label={texts.close} onClick={close}>
            <CloseIcon />
          </IconButton>
        }
      />
    </div>
  );
}
