import { useEffect, useRef } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { navigate } from '../../stores/route.ts';
import { closeSearch } from '../../stores/search.ts';
import { ONE_PANE, useMedia } from '../../stores/use-media.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import frame from '../../ui/Panel.module.css';
import { hitPath } from './hit-path.ts';
import styles from './Search.module.css';
import { SearchView } from './SearchView.tsx';

/** The search beside the page. */
export function SearchPanel() {
  const texts = useScreenTexts();
  const opener = useRef<Element | null>(null);

  // In place of the page it is one.
  const Title = useMedia(ONE_PANE) ? 'h1' : 'h2';

  useEffect(() => {
    opener.current = document.activeElement;
  }, []);

  function leave(): void {
    closeSearch();
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }

  return (
    <div className={`${frame.panel} ${styles.panel}`} data-search-panel="" data-enters="true">
      <Title className="visually-hidden">{texts.search.title}</Title>
      <SearchView
        isBeside
        onOpen={({ message }) => navigate(hitPath(message))}
        onLeave={leave}
        behind={
          <IconButton label={texts.close} onClick={closeSearch}>
            <CloseIcon />
          </IconButton>
        }
      />
    </div>
  );
}
