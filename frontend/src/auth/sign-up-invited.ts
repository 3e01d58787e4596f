import { ApiError } from '../../../client/index.ts';
import { roomRequests } from '../screens/requests.ts';
import { chat } from '../stores/chat.ts';
import { goToRoom, navigate } from '../stores/route.ts';

/** Signs up with an invite link and opens its room. Rejects with an `ApiError`. */
export async function signUpInvited(username: string, password: string, code: string): Promise<void> {
  try {
    await chat().signUp(username, password, code);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    // The invite has ended, as its page then says.
    await chat().signUp(username, password);
    return;
  }
  await roomRequests()
    .accept(code)
    .then(
      (room) => goToRoom(room.id),
      // This was its last use: the room is in the list.
      () => navigate('/', 'replace'),
    );
}
