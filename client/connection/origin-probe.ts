/** Finds out why a WebSocket never opened: a browser does not show the response to a refused upgrade. */
import type { Http } from '../api/http.ts';
import { isErrorResponse } from '../api/responses.ts';

const PROBE_TIMEOUT_MS = 5000;
const UPGRADE_REQUIRED = 426;

/**
 * Asks the server whether it accepts WebSockets from `origin` (docs/PROTOCOL.md, "Why an upgrade failed"): true when
 * it refuses them, false when it accepts them, null when no server of ours responded. Never rejects.
 */
export async function isOriginRefused(http: Http, origin: string): Promise<boolean | null> {
  const send = http.fetch ?? fetch;
  try {
    const response = await send(`${http.baseUrl}/ws?origin=${encodeURIComponent(origin)}`, {
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    if (response.status === UPGRADE_REQUIRED) return false;
    const body: unknown = await response.json();
    return isErrorResponse(body) && body.error === 'origin not allowed' ? true : null;
  } catch {
    return null;
  }
}
