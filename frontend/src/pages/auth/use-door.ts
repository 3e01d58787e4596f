import { useCallback } from 'react';
import { DEFAULT_SERVER_NAME } from '../../../../protocol/constants.ts';
import type { ServerSettings } from '../../../../protocol/rest/administration.ts';
import { doorRequests } from '../../stores/admin-requests.ts';
import { useLoaded } from '../../ui/use-loaded.ts';

/** What the server says of itself to somebody outside. `isKnown`: it has answered, or will not. */
export type Door = ServerSettings & { readonly isKnown: boolean };

/** Of this page. Nothing of it is kept on the device, which a user who signs out leaves empty. */
let answered: ServerSettings | null = null;

/** The name of the server, and who may register. Until the server has said it, everybody may. */
export function useDoor(): Door {
  const load = useCallback(async () => {
    answered = await doorRequests().server();
    return answered;
  }, []);
  const { loaded } = useLoaded(load);
  const settings = loaded.status === 'ready' ? loaded.value : answered;
  return {
    ...(settings ?? { name: DEFAULT_SERVER_NAME, registration: 'open' }),
    isKnown: settings !== null || loaded.status === 'failed',
  };
}
