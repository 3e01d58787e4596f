import { type PeopleApi, peopleApi, type RoomsApi, roomsApi } from '../../../client/index.ts';
import { chat } from './chat.ts';

/** The requests about rooms. They reject with an `ApiError`. */
export function roomRequests(): RoomsApi {
  return roomsApi(chat().api.requests);
}

/** The requests about people and the user's own account. They reject with an `ApiError`. */
export function peopleRequests(): PeopleApi {
  return peopleApi(chat().api.requests);
}
