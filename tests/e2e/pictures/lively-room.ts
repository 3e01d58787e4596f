/** A room in which people talk while the picture is taken. */
import type { Person } from '../person.ts';
import { LIVE, ME, ROOMS } from './script.ts';
import type { Studio } from './studio.ts';
import { Talkers } from './talkers.ts';
import { me } from './user.ts';

/** The release room in the middle of a conversation: a join, a thread, a reply, reactions, and someone typing. */
export async function livelyRoom(studio: Studio): Promise<Person> {
  const { world } = studio;
  const person = await me(studio, 'release');
  await world.enter('release', 'Aiko Tanaka');
  await person.notice('Aiko Tanaka joined').waitFor();
  const names = ['Jonas Weber', 'Ines Moreau', 'Noor Haddad', 'Tomás Ferreira'];
  const talkers = await Talkers.join(world, world.roomId('release'), names);
  const idOf = async (content: string) =>
    Number(await person.message(content).first().getAttribute('data-message-id'));
  const thread_id = await idOf('error rate');
  await talkers.say('Tomás Ferreira', '10:16', 'It is at 0.02 % on staging.', { thread_id });
  await talkers.say('Jonas Weber', '10:17', 'And it stays there, touch wood.', { thread_id });
  for (const { at, who, says } of LIVE) {
    await world.turnTo(at);
    if (who === ME) await write(studio, person, says);
    else await talkers.say(who, at.slice(11, 16), says, { reply_to: await idOf('Fixed and pushed') });
    await person.message(says).first().waitFor();
  }
  const confirmed = await idOf('The customer confirmed');
  await talkers.react(confirmed, '🎉', names);
  await talkers.react(confirmed, '🙌', ['Ines Moreau', 'Tomás Ferreira']);
  await person.page.getByTestId('reaction').nth(1).waitFor();
  await person.page.getByTestId('quote').first().waitFor();
  await talkers.leave();
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
