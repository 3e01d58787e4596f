import { useScreenTexts } from '../../i18n/screens.ts';
import { useSearchField } from './search-store.ts';

/** What screen readers are told of a search once it has a response. In the document from the start. */
export function SearchStatus() {
  const { search: texts } = useScreenTexts();
  const { status, results, next, failure, source, deviceRooms } = useSearchField((store) => store.state);
  return (
    <p className="visually-hidden" role="status" data-testid="search-status">
      {status === 'ready' && (results.length === 0 ? texts.none : texts.count(results.length, next !== null))}
      {status === 'ready' && source === 'device' && ` ${texts.onDevice(deviceRooms)}`}
      {status === 'failed' && texts.failed}
      {status === 'asking' && failure === 'busy' && texts.busy}
    </p>
  );
}
