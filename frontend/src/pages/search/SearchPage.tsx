import { useScreenTexts } from '../../i18n/screens.ts';
import { leavePage, navigate, wasReached } from '../../stores/route.ts';
import { IconButton } from '../../ui/Button.tsx';
import { BackIcon } from '../../ui/icons.tsx';
import { hitPath } from './hit-path.ts';
import styles from './Search.module.css';
import { SearchView } from './SearchView.tsx';

/** The search as a page of its own, where nothing has space beside it. */
export function SearchPage() {
  const texts = useScreenTexts();
  const leave = () => (wasReached() ? window.history.back() : leavePage());
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{texts.search.title}</h1>
      <SearchView
        isBeside={false}
        onOpen={({ message }) => navigate(hitPath(message))}
        onLeave={leave}
        before={
          <IconButton label={texts.back} onClick={leave}>
            <BackIcon />
          </IconButton>
        }
      />
    </div>
  );
}
