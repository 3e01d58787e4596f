import { browserSignals, indexedDbUploads, Uploads } from '../../../client/index.ts';
import { chat } from '../stores/chat.ts';
import { useFiles } from '../stores/files.ts';

/** Uploads files, on this page or where an earlier one has ended. Returns the function that ends it. */
export function syncFiles(): () => void {
  const { user, api, outbox, session } = chat();
  if (user === null) return () => {};
  const uploads = new Uploads({
    requests: api.requests,
    outbox,
    store: indexedDbUploads(user.id),
    locks: navigator.locks,
    signals: browserSignals(window),
    look: async (file, type) => (await import('../parts/files/look.ts')).look(file, type),
    onChange: (all) => useFiles.setState({ all }),
  });
  useFiles.setState({ uploads });
  return () => {
    const { state } = session;
    const isForgotten = state.status === 'signed_out' && state.reason !== 'expired';
    void (isForgotten ? uploads.clear() : Promise.resolve()).finally(() => uploads.close());
    useFiles.setState({ uploads: null, all: [] });
  };
}
