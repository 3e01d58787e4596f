/** A room in which people talk while the picture is taken. */
import type { Person } from '../person.ts';
import { LIVE, ME, ROOMS } from './script.ts';
import type { Studio } from './studio.ts';
import { me } from './user.ts';

/** The release room in the middle of a conversation: a join, a reply, and someone typing. */
export async function livelyRoom(studio: Studio): Promise<Person> {
  const { world } = studio;
  const person = await me(studio, 'release');
  await world.enter('release', 'Aiko Tanaka');
  await person.notice('Aiko Tanaka joined').waitFor();
  for (const line of LIVE) {
    await world.turnTo(line.at);
    if (line.who === ME) await write(studio, person, line.says);
    else await world.say(line);
    await person.message(line.says).waitFor();
  }
  const jonas = await world.enter('release', 'Jonas Weber');
  const types = () => jonas.send({ type: 'typing', is_typing: true });
  types();
  const typing = setInterval(types, 1000);
  person.page.once('close', () => clearInterval(typing));
  await person.typing.getByText('Jonas Weber is typing').waitFor();
  // What was said is noted as read a moment later.
  await person.roomRow(ROOMS.release).getByTestId('room-unread').waitFor({ state: 'detached' });
  return person;
}

/** On a touch screen Enter begins a new line. */
export async function write(studio: Studio, person: Person, content: string): Promise<void> {
  await person.composer.fill(content);
  if (studio.isNarrow) await person.button('Send').click();
  else await person.composer.press('Enter');
}
