import {
  type AdminApi,
  adminApi,
  type DoorApi,
  doorApi,
  type ModerationApi,
  moderationApi,
} from '../../../client/index.ts';
import { chat } from './chat.ts';

/** The requests of admins. They reject with an `ApiError`. */
export function adminRequests(): AdminApi {
  return adminApi(chat().api.requests);
}

/** The requests of moderators, and reports. They reject with an `ApiError`. */
export function moderationRequests(): ModerationApi {
  return moderationApi(chat().api.requests);
}

/** The requests that need no session. They reject with an `ApiError`. */
export function doorRequests(): DoorApi {
  return doorApi({ baseUrl: window.location.origin });
}
