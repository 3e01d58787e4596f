import { ApiError } from '../../../../client/index.ts';
import { doorRequests } from '../../stores/admin-requests.ts';
import { chat } from '../../stores/chat.ts';
import { roomRequests } from '../../stores/requests.ts';
import { goToRoom, navigate } from '../../stores/route.ts';

/** Signs up with an invite link and opens its room, if it has one. Rejects with an `ApiError`. */
export async function signUpInvited(username: string, password: string, code: string): Promise<void> {
  const isToServer = await leadsToServer(code);
  try {
    await chat().signUp(username, password, code);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    // The invite has ended, as its page then says.
    await chat().signUp(username, password);
    return;
  }
  // To the server as a whole.
  if (isToServer) return navigate('/', 'replace');
  await roomRequests()
    .accept(code)
    .then(
      (room) => goToRoom(room.id),
      // This was its last use: the room is in the list.
      () => navigate('/', 'replace'),
    );
}

/** Whether the link invites to the server, and to no room. What cannot be asked now is taken for a room. */
async function leadsToServer(code: string): Promise<boolean> {
  return await doorRequests()
    .invitation(code)
    .then(
      ({ room }) => room === null,
      () => false,
    );
}
