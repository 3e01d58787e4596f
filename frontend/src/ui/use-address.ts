import { useState } from 'react';
import { chat } from '../stores/chat.ts';

/** All addresses that fail at once renew the session once. */
let renewing: Promise<unknown> | null = null;

/**
 * An address below `/files`. Its cookie ends with the access token: after a failure `retry` renews the session and loads
 * it once more. False: that was tried.
 */
export function useAddress(address: string | null): { address: string | null; retry(): boolean } {
  const [tried, setTried] = useState(0);
  return {
    address: address === null || tried < 2 ? address : `${address}?again`,
    retry: () => {
      if (tried > 0 || address === null) return false;
      setTried(1);
      void renewed().then(() => setTried(2));
      return true;
    },
  };
}

/** Never rejects. */
function renewed(): Promise<unknown> {
  renewing ??= chat()
    .session.renew()
    .catch(() => undefined)
    .finally(() => {
      renewing = null;
    });
  return renewing;
}
